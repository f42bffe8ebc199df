import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { caseKey } from './caseQueries.ts';
import { TakenBack } from './TakenBack.tsx';

/** What a person reads below their earnings, who bears `callerPays` of $5.00 that a problem gave back. */
function render(earned: Parameters<typeof TakenBack>[0], callerPays: number) {
  const cache = new QueryClient();
  const found = { id: 'c', no: 'C-114', orderId: 'o', givenBack: 5, callerPays, callerDeliveryId: 'd' };
  cache.setQueryData(['cases', 'list', 'latest'], { data: { items: [found] } });
  cache.setQueryData(caseKey('c'), found);
  return renderToStaticMarkup(
    <QueryClientProvider client={cache}>
      <MemoryRouter>
        <TakenBack {...earned} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('a Scrub who bears a refund reads below their earning what was taken back, with its problem', () => {
  const line = render({ orderId: 'o' }, 2.8);
  expect(line).toContain('$2.80 of it was taken back: ');
  expect(line).toContain('<a href="/scrub/problems/c" data-discover="true">Problem C-114</a>');
});

test('nothing is said to who bears nothing of it, or of another order', () => {
  expect(render({ orderId: 'o' }, 0)).toBe('');
  expect(render({ orderId: 'other' }, 2.8)).toBe('');
});

test('a Duber reads it at the delivery that it is taken from, and not at their other one of the order', () => {
  expect(render({ orderId: 'o', deliveryId: 'd' }, 2.8)).toContain('$2.80 of it was taken back');
  expect(render({ orderId: 'o', deliveryId: 'other' }, 2.8)).toBe('');
});
