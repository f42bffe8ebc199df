import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { User } from '../../contract/accounts.ts';
import { waitFor } from '../../testing/waits.ts';
import { endGuess, showGuess } from '../api/guesses.ts';
import { queryClient } from '../api/queryClient.ts';
import { promisifyRequest, withDatabase } from './indexedDb.ts';
import { deleteCachedAnswer, OFFLINE_SCHEMA, startOfflineCache } from './offlineCache.ts';

const DELIVERY = ['deliveries', 'one', 'd'];
const ORDER = ['orders', 'one', 'o'];
let stop = () => {};

beforeEach(() => {
  queryClient.clear();
  vi.stubGlobal('document', { cookie: 'auth-token=of-a-session' });
  vi.stubGlobal('indexedDB', new IDBFactory());
  stop = startOfflineCache({ id: 'u' } as User);
});

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  queryClient.clear();
});

type Stored = { readonly query: { readonly state: { readonly data: unknown } } };

/** Waits until the device has stored exactly these answers. */
async function expectStored(...answers: string[]): Promise<void> {
  await waitFor(async () => {
    const stored = await withDatabase(OFFLINE_SCHEMA, 'readonly', (store) =>
      promisifyRequest<Stored[]>(store('answers').getAll()),
    );
    expect(stored.map(({ query }) => query.state.data).toSorted()).toEqual(answers.toSorted());
  });
}

test('a delivery that is lost is forgotten, and what else was seen is kept', async () => {
  queryClient.setQueryData(DELIVERY, 'a delivery');
  queryClient.setQueryData(ORDER, 'an order');
  await expectStored('a delivery', 'an order');
  deleteCachedAnswer(DELIVERY, Date.now());
  await expectStored('an order');
});

test('a delivery that is lost before it is stored is not stored', async () => {
  queryClient.setQueryData(DELIVERY, 'a delivery');
  deleteCachedAnswer(DELIVERY, Date.now());
  queryClient.setQueryData(ORDER, 'an order');
  await expectStored('an order');
});

test('a guess is not stored, however long the step takes, and the answer to the step is', async () => {
  queryClient.setQueryData(DELIVERY, 'Accepted');
  await expectStored('Accepted');
  showGuess(queryClient, DELIVERY, 'a guess');
  queryClient.setQueryData(ORDER, 'an order');
  await expectStored('Accepted', 'an order');
  endGuess(queryClient, DELIVERY, 'Collected');
  await expectStored('Collected', 'an order');
});

test('what is read after a delivery is lost is kept, when it is forgotten a moment later', async () => {
  const lostAt = Date.now();
  queryClient.setQueryData(DELIVERY, 'on offer again', { updatedAt: lostAt + 1 });
  deleteCachedAnswer(DELIVERY, lostAt);
  await expectStored('on offer again');
  deleteCachedAnswer(DELIVERY, lostAt);
  queryClient.setQueryData(ORDER, 'an order');
  await expectStored('on offer again', 'an order');
});
