import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StepEvent } from '../../contract/events.ts';
import { setSession } from '../api/currentSession.ts';
import { queryClient } from '../api/queryClient.ts';
import { deliveryKey } from '../api/queryKeys.ts';
import { dismissToast, getToasts } from '../ui/toastStore.ts';
import { handleDeliveryTaken } from './deliveryTaken.ts';

const ACCEPTED: StepEvent = { entity: 'delivery', id: 'd', status: 'Accepted', at: '2026-11-22T12:00:00.000Z' };
const DASHBOARD = { stats: {}, latestDeliveries: [], pendingDeliveries: [], activeDelivery: null };
const PICKUP = { latitude: 24.01, longitude: 67 };

const offer = (pickup: object | null, ...statuses: string[]) => ({
  ...{ id: 'd', status: 'Pending', duberId: null, pickup },
  statusHistory: statuses.map((status) => ({ status })),
});
const readToasts = () => getToasts().flatMap(({ title, isLeaving }) => (isLeaving ? [] : [title]));

/** The event comes while the Duber Alan has the page of the delivery open. */
async function acceptByAnother(shown: object, carriedDeliveries: object[] = []): Promise<boolean> {
  vi.stubGlobal('fetch', async () => Response.json({ ...DASHBOARD, carriedDeliveries }));
  queryClient.setQueryData(deliveryKey('d'), shown);
  let hasLeft = false;
  await handleDeliveryTaken(ACCEPTED, () => {
    hasLeft = true;
    return true;
  });
  return hasLeft;
}

beforeEach(() => {
  queryClient.clear();
  for (const { id } of getToasts()) dismissToast(id);
  vi.stubGlobal('document', { cookie: '' });
  setSession({ state: 'authenticated', user: { id: 'alan', role: 'Duber', addresses: [] } } as never);
});
afterEach(() => {
  setSession({ state: 'not', user: undefined });
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a Duber who keeps the laundry for the next one stays on the page when that one accepts', async () => {
  const shown = offer(PICKUP, 'Pending', 'Accepted', 'Way_To_Pick', 'Collected');
  const isLeft = await acceptByAnother(shown, [{ id: 'd', status: 'Accepted', duber: { fullname: 'Bob S.' } }]);
  expect([isLeft, readToasts()]).toEqual([false, []]);
  expect(queryClient.getQueryState(deliveryKey('d'))?.isInvalidated, 'the page asks who comes').toBe(true);
});

test('a Duber who was only looking at it leaves, and reads that another one was faster', async () => {
  expect(await acceptByAnother(offer(null, 'Pending'))).toBe(true);
  expect(readToasts()).toEqual(['Delivery taken']);
});
