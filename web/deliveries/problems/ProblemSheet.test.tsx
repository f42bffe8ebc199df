import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CallFailed } from '../../../contract/callClient.ts';
import { errorBody, type Failure } from '../../../contract/failures.ts';
import { AskAfterRefusal } from './ProblemSheet.tsx';

const shownAfter = (code: Failure) => {
  const error = new CallFailed(409, errorBody(code), new Headers());
  return renderToStaticMarkup(
    <MantineProvider>
      <AskAfterRefusal error={error} onAsk={() => undefined} />
    </MantineProvider>,
  );
};

test('a Duber who is told to ask the town, because the taker has the laundry, finds the button in the same sheet', () => {
  expect(shownAfter('takerHasIt')).toContain('Ask the Town');
  expect(shownAfter('stillWaiting')).not.toContain('Ask the Town');
});
