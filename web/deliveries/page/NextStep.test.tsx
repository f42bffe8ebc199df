import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { DeliveryDetails } from '../../../contract/deliveries.ts';
import type { DeliveryStatus } from '../../../domain/deliveries.ts';
import { setSession } from '../../api/currentSession.ts';
import { UndeliveredSteps } from '../problems/DuberProblems.tsx';
import { ProveLine } from '../problems/ProofSheet.tsx';
import { NextStep } from './NextStep.tsx';

const step = { isTaking: false, take: () => undefined } as never;
const delivery = (status: DeliveryStatus) =>
  ({
    ...{ id: 'd', orderId: 'o', status, deliveryType: 'Bud_To_Scrub', duberId: 'dan', hasLaundry: true, attempt: 1 },
    ...{ exceptions: [], statusHistory: [], pickup: null, price: 5.99, distanceInMeters: 900, round: 1 },
    ...{ scrub: { fullname: 'Sam Suds' }, bud: { fullname: 'Ada Byron' } },
  }) as unknown as DeliveryDetails;

/** The buttons that the Duber of a delivery sees, in a town that asks for a proof or does not. */
function buttonsOf(status: DeliveryStatus, config: object | undefined) {
  setSession({ state: 'yes', user: { id: 'dan', role: 'Duber', fullname: 'Dan' } } as never);
  const cache = new QueryClient();
  if (config) cache.setQueryData(['config'], config);
  const html = renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={cache}>
        <MemoryRouter>
          <NextStep delivery={delivery(status)} waiting={[]} step={step} onProve={() => undefined} />
          <ProveLine delivery={delivery(status)} onProve={() => undefined} />
          <UndeliveredSteps delivery={delivery(status)} step={step} onProve={() => undefined} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(([, attributes = '', inside = '']) => {
    const opens = attributes.includes('aria-haspopup="dialog"') ? '…' : '';
    return `${inside.replaceAll(/<[^>]*>/g, '')}${opens}`;
  });
}

test.each([
  ['Way_To_Pick', 'Mark as Collected'],
  ['Way_To_Drop', 'Mark as Delivered'],
  ['Way_Back', 'Mark as Brought Back'],
] as const)('where a proof is needed at %s, the one button opens the sheet for it', (status, button) => {
  expect(buttonsOf(status, { asksProof: true })).toEqual([`${button}…`]);
  for (const config of [{}, undefined])
    expect(buttonsOf(status, config).toSorted()).toEqual([button, 'Prove the hand-over…']);
});

test('a step that hands nothing over opens no sheet', () => {
  expect(buttonsOf('Collected', { asksProof: true })).toEqual(['On The Way to Drop']);
});
