import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../contract/deliveries.ts';
import { deliveryKey } from '../../api/queryKeys.ts';
import { caseKey } from '../../cases/caseQueries.ts';
import { RelayAsked } from './RelayAsked.tsx';
import { RelayForm } from './RelayForm.tsx';

const at = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour)).toISOString();

type Situation = { status?: string; askedAt?: readonly number[]; acceptedAt?: readonly number[] };

/** What a Duber reads who has reported that they cannot go on with the delivery "d". The hours count only once it is relayed. */
function render(page: ReactNode, { status = 'with-town', askedAt = [], acceptedAt = [] }: Situation = {}) {
  const cache = new QueryClient();
  const found = { id: 'c', no: 'C-114', kind: 'relay', deliveryId: 'd', status };
  cache.setQueryData(['cases', 'list', 'latest'], { data: { items: [found] } });
  const events = askedAt.map((hour) => ({ action: 'ask', createdAt: at(hour) }));
  cache.setQueryData(caseKey('c'), { ...found, events });
  const statusHistory = acceptedAt.map((hour) => ({ status: 'Accepted', createdAt: at(hour) }));
  cache.setQueryData(deliveryKey('d'), { id: 'd', statusHistory });
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={cache}>
        <MemoryRouter>{page}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
const LINK = '<a href="/duber/problems/c" data-discover="true">Problem C-114</a>';
const PICKUP = { latitude: 24.01, longitude: 67 };
const line = (id: string, status: Delivery['status'], pickup: Delivery['pickup'] = null) => (
  <RelayAsked delivery={{ id, status, pickup }} />
);
const form = (id: string, pickup: Delivery['pickup'] = null) => (
  <RelayForm delivery={{ id, pickup }} whyNot={undefined} />
);

test('a Duber who asked for another one reads it at the delivery, as long as the problem is open', () => {
  for (const status of ['Collected', 'Way_To_Drop', 'Failed'] as const)
    expect(render(line('d', status))).toContain(`<span>You have asked the town for another Duber: </span>${LINK}`);
  expect(render(line('d', 'Delivered'))).not.toContain('another Duber');
  expect(render(line('other', 'Collected'))).not.toContain('another Duber');
  expect(render(line('d', 'Collected'), { status: 'closed' })).not.toContain('another Duber');
});

test('and finds the problem where they would ask again', () => {
  expect(render(form('d'))).toContain(LINK);
  expect(render(form('d'))).not.toContain('Ask for Another Duber');
  expect(render(form('other'))).toContain('Ask for Another Duber');
});

test('a Duber who accepted again what they could not go on with can ask once more, while the first problem is still open', () => {
  const again = { acceptedAt: [9, 12], askedAt: [10] };
  expect(render(form('d', PICKUP), again)).toContain('Ask for Another Duber');
  expect(render(line('d', 'Collected', PICKUP), again)).not.toContain('another Duber');
  const askedTwice = { ...again, askedAt: [10, 13] };
  expect(render(form('d', PICKUP), askedTwice)).toContain('You have already asked for another Duber.');
  expect(render(line('d', 'Collected', PICKUP), askedTwice)).toContain(LINK);
});

test('the next Duber, who cannot go on either, reads that they have asked', () => {
  const next = { acceptedAt: [9], askedAt: [10] };
  expect(render(form('d', PICKUP), next)).not.toContain('Ask for Another Duber');
  expect(render(line('d', 'Way_To_Drop', PICKUP), next)).toContain(LINK);
});
