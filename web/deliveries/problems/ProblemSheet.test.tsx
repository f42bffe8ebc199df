import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { CallFailed } from '../../../contract/callClient.ts';
import type { Delivery } from '../../../contract/deliveries.ts';
import { errorBody, type Failure } from '../../../contract/failures.ts';
import type { RelayRole } from '../../handovers/relay.ts';
import { AskAfterRefusal, Menu } from './ProblemSheet.tsx';

// Its waiting steps are of the device.
vi.mock('./AtTheDoor.tsx', () => ({ AtTheDoor: () => 'I am at the door' }));

const shownAfter = (code: Failure) => {
  const error = new CallFailed(409, errorBody(code), new Headers());
  return renderToStaticMarkup(
    <MantineProvider>
      <AskAfterRefusal error={error} onAsk={() => undefined} />
    </MantineProvider>,
  );
};

test('a Duber who is told to ask the town, because the recipient has the laundry, finds the button in the same sheet', () => {
  expect(shownAfter('takerHasIt')).toContain('Ask the Town');
  expect(shownAfter('stillWaiting')).not.toContain('Ask the Town');
});

function menuOf(status: Delivery['status'], side: RelayRole) {
  return renderToStaticMarkup(
    <MantineProvider>
      <Menu delivery={{ status } as Delivery} side={side} onChoose={() => undefined} />
    </MantineProvider>,
  );
}

test('a Duber who has the relayed laundry already waits at no door for it, and can only give the delivery to others', () => {
  const holder = menuOf('Way_To_Pick', 'holder');
  expect(holder).not.toContain('I am at the door');
  expect(holder).not.toContain('I cannot collect it');
  expect(holder).toContain('I cannot do this delivery');
  const next = menuOf('Way_To_Pick', 'recipient');
  expect(next).toContain('I am at the door');
  expect(next).toContain('I cannot collect it');
  expect(menuOf('Way_To_Drop', 'recipient')).toContain('I am at the door');
});
