import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { Delivery } from '../../../contract/deliveries.ts';
import { RelayAsked } from './RelayAsked.tsx';
import { RelayForm } from './RelayForm.tsx';

/** What a Duber reads who has reported that they cannot go on with the delivery "d". */
function render(page: ReactNode, status = 'with-town') {
  const cache = new QueryClient();
  const found = { id: 'c', no: 'C-114', kind: 'relay', deliveryId: 'd', status };
  cache.setQueryData(['cases', 'list', 'latest'], { data: { items: [found] } });
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={cache}>
        <MemoryRouter>{page}</MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
const LINK = '<a href="/duber/problems/c" data-discover="true">Problem C-114</a>';
const line = (id: string, status: Delivery['status']) => <RelayAsked delivery={{ id, status }} />;

test('a Duber who asked for another one reads it at the delivery, as long as the problem is open', () => {
  for (const status of ['Collected', 'Way_To_Drop', 'Failed'] as const)
    expect(render(line('d', status))).toContain(`You have asked the town for another Duber: ${LINK}`);
  expect(render(line('d', 'Delivered'))).not.toContain('another Duber');
  expect(render(line('other', 'Collected'))).not.toContain('another Duber');
  expect(render(line('d', 'Collected'), 'closed')).not.toContain('another Duber');
});

test('and finds the problem where they would ask again', () => {
  const form = (deliveryId: string) => render(<RelayForm deliveryId={deliveryId} whyNot={undefined} />);
  expect(form('d')).toContain(LINK);
  expect(form('d')).not.toContain('Ask for Another Duber');
  expect(form('other')).toContain('Ask for Another Duber');
});
