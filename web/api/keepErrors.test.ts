import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { keepErrorsWhileRefetching } from './keepErrors.ts';

/** A query whose tries end when the test says so. */
function openQuery() {
  const tries: PromiseWithResolvers<string>[] = [];
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  keepErrorsWhileRefetching(client);
  const queryFn = () => {
    tries.push(Promise.withResolvers());
    return (tries.at(-1) as PromiseWithResolvers<string>).promise;
  };
  const open = () => {
    const observer = new QueryObserver(client, { queryKey: ['order'], queryFn });
    const close = observer.subscribe(() => {});
    return { observer, close, shown: () => observer.getCurrentResult() };
  };
  return { tries, open };
}

test('an error stays while the query is fetched again, and ends with the data', async () => {
  const { tries, open } = openQuery();
  const { observer, shown } = open();
  expect(shown()).toMatchObject({ isPending: true, isError: false });
  tries[0]?.reject(new Error('no network'));
  await expect.poll(() => shown().isError).toBe(true);
  const again = observer.refetch();
  expect(shown()).toMatchObject({ isError: true, isFetching: true, error: { message: 'no network' } });
  tries[1]?.reject(new Error('still no network'));
  await again;
  expect(shown()).toMatchObject({ isError: true, isFetching: false, error: { message: 'still no network' } });
  const last = observer.refetch();
  tries[2]?.resolve('an order');
  await last;
  expect(shown()).toMatchObject({ isError: false, data: 'an order', error: null });
});

test('a later visit to the page starts with its loading state', async () => {
  const { tries, open } = openQuery();
  const first = open();
  tries[0]?.reject(new Error('no network'));
  await expect.poll(() => first.shown().isError).toBe(true);
  first.close();
  const { shown } = open();
  expect(shown()).toMatchObject({ isPending: true, isError: false, error: null });
});
