import { afterEach, expect, test, vi } from 'vitest';
import { CallFailed } from '../../contract/callClient.ts';
import type { DeliveryDetails } from '../../contract/deliveries.ts';
import { errorBody } from '../../contract/failures.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../domain/deliveries.ts';
import { UNDO_MS } from '../../domain/needs.ts';
import {
  createRelayRefetch,
  isAgreed,
  isRelayedPickup,
  isRelaySender,
  meetingText,
  RELAY_REFETCH_MS,
  relayRefetchMs,
  relayRoleOf,
  relaySenderText,
} from './relay.ts';

const PICKUP = { latitude: 24.01, longitude: 67 };
const NEXT = { id: 'bob', fullname: 'Bob S.', email: null, phone: null };

/** A relayed delivery as the Duber who could not go on sees it. */
function relayed(status: DeliveryStatus, more: Partial<DeliveryDetails> = {}) {
  return {
    status,
    pickup: PICKUP,
    duberId: status === 'Pending' ? null : 'bob',
    duber: null,
    isCarrier: true,
    ...more,
  };
}

test('the Duber who has the laundry of a delivery that another one goes on with gives it to that one', () => {
  expect(isRelaySender(relayed('Pending'), 'alan')).toBe(true);
  expect(isRelaySender(relayed('Way_To_Pick'), 'alan')).toBe(true);
  // They had it once. It is with another Duber now.
  expect(isRelaySender(relayed('Pending', { isCarrier: undefined }), 'alan')).toBe(false);
  // Shown before the server has it: they accept it again.
  expect(isRelaySender(relayed('Accepted', { duberId: 'alan' }), 'alan')).toBe(false);
});

test('a Duber who accepts again what they could not go on with goes on with the laundry that they have', () => {
  const own = { ...relayed('Accepted', { duberId: 'alan', isCarrier: undefined }), statusHistory: [] };
  const heldBy = (id: string) => ({ holder: { role: 'Duber' as const, id, fullname: 'Alan D.' } });
  expect(relayRoleOf(own, 'alan', heldBy('alan'))).toBe('holder');
  expect(relayRoleOf(own, 'alan', heldBy('carl'))).toBe('recipient');
  const collected = [{ status: 'Collected', createdAt: '', takenAt: null }] as never;
  expect(relayRoleOf({ ...own, statusHistory: collected }, 'alan', undefined)).toBe('holder');
  expect(relayRoleOf(own, 'alan', undefined)).toBe('recipient');
  expect(relayRoleOf({ ...own, status: 'Failed' }, 'alan', heldBy('alan'))).toBe('recipient');
  expect(relayRoleOf(relayed('Way_To_Pick'), 'alan', undefined)).toBe('sender');
});

test('a Duber collects from another one until they have the laundry', () => {
  expect(DELIVERY_STATUSES.filter((status) => isRelayedPickup(relayed(status)))).toEqual([
    'Pending',
    'Accepted',
    'Way_To_Pick',
    'Failed',
  ]);
  expect(isRelayedPickup(relayed('Pending', { pickup: null }))).toBe(false);
});

test('the one who waits reads for whom, by their short name, and how far that one is', () => {
  expect(relaySenderText(relayed('Pending')).title).toBe('Wait here for the next Duber');
  for (const [status, words] of [
    ['Accepted', 'Bob S. has accepted'],
    ['Way_To_Pick', 'Bob S. is on the way to you.'],
  ] as const) {
    const { title, text } = relaySenderText(relayed(status, { duber: NEXT }));
    expect([title, text]).toEqual(['Wait here for Bob S.', expect.stringContaining(words)]);
  }
});

test('the one who waits reads that the next Duber is there, and no longer that they are on the way', () => {
  const { title, text } = relaySenderText(relayed('Way_To_Pick', { duber: NEXT, isNextHere: true }));
  expect([title, text]).toEqual(['Look for Bob S.', 'Bob S. is here to collect the laundry. Give it to them.']);
});

test('the one who waits is not told that the town decides, when the next Duber did not get it: its Bud may', () => {
  expect(relaySenderText(relayed('Failed', { duber: NEXT }))).toEqual({
    title: 'Keep the laundry with you',
    text: 'Bob S. did not get it from you. The customer or the town decides what happens next.',
  });
});

test('the next Duber reads whom to look for, as far as it is known', () => {
  expect(meetingText('Alan D.')).toContain('Alan D. could not continue, and waits for you');
  expect(meetingText(undefined)).toContain('Another Duber could not continue');
});

afterEach(() => void vi.useRealTimers());

test('an open dashboard asks on while the next Duber can take "Collected" back, and no longer', () => {
  vi.useFakeTimers();
  const again = createRelayRefetch();
  const answer = (...carriedDeliveries: string[]) =>
    again({ state: { data: { carriedDeliveries }, dataUpdatedAt: Date.now() } });
  expect(answer()).toBe(false);
  expect(answer('relayed')).toBe(RELAY_REFETCH_MS);
  // It is collected just after that answer, and taken back ten minutes later.
  for (let ms = 0; ms < UNDO_MS + RELAY_REFETCH_MS; ms += RELAY_REFETCH_MS) {
    vi.advanceTimersByTime(RELAY_REFETCH_MS);
    expect(answer()).toBe(RELAY_REFETCH_MS);
  }
  expect(answer('relayed')).toBe(RELAY_REFETCH_MS);
  vi.advanceTimersByTime(UNDO_MS + 3 * RELAY_REFETCH_MS);
  expect(answer()).toBe(false);
});

test('an open delivery or case that its Duber may no longer read asks on while "Collected" can be taken back', () => {
  vi.useFakeTimers();
  const notFound = new CallFailed(404, errorBody('notFound'), new Headers());
  const seenAt = Date.now();
  const asks = (error: unknown, dataUpdatedAt = seenAt) => relayRefetchMs({ state: { error, dataUpdatedAt } }, true);
  expect(asks(null)).toBe(RELAY_REFETCH_MS);
  vi.advanceTimersByTime(UNDO_MS + RELAY_REFETCH_MS);
  expect(asks(notFound)).toBe(RELAY_REFETCH_MS);
  vi.advanceTimersByTime(2 * RELAY_REFETCH_MS);
  expect([asks(notFound), asks(null)]).toEqual([false, RELAY_REFETCH_MS]);
  // It was never readable here.
  expect(asks(notFound, 0)).toBe(false);
  expect(relayRefetchMs({ state: { error: null, dataUpdatedAt: Date.now() } }, false)).toBe(false);
});

test('a Duber sees places as they are once the delivery is theirs, and the others always', () => {
  const offered = { duberId: null };
  expect([isAgreed(offered, 'Duber'), isAgreed(offered, 'Bud'), isAgreed(offered, 'Scrub')]).toEqual([
    false,
    true,
    true,
  ]);
  expect(isAgreed({ duberId: 'me' }, 'Duber')).toBe(true);
  // Another Duber goes on with it.
  expect(isAgreed({ duberId: 'next', isCarrier: true }, 'Duber')).toBe(false);
});
