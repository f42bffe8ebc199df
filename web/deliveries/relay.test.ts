import { expect, test } from 'vitest';
import type { Delivery } from '../../contract/deliveries.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../domain/deliveries.ts';
import { carrierText, isCarrier, isRelayedPickup, meetingText } from './relay.ts';

const PICKUP = { latitude: 24.01, longitude: 67 };
const NEXT = { id: 'bob', fullname: 'Bob S.', email: null, phone: null };
const OWN_STEPS = ['Pending', 'Accepted', 'Way_To_Pick', 'Collected'] as const;

/** A relayed delivery as the first Duber sees it, who has collected it. */
function relayed(status: DeliveryStatus, more: Partial<Delivery> = {}, steps: readonly DeliveryStatus[] = OWN_STEPS) {
  const statusHistory = steps.map((one) => ({ status: one })) as Delivery['statusHistory'];
  return { status, pickup: PICKUP, duberId: status === 'Pending' ? null : 'bob', duber: null, statusHistory, ...more };
}

test('the Duber who could not go on keeps the laundry until the next one has collected it', () => {
  expect(DELIVERY_STATUSES.filter((status) => isCarrier(relayed(status), 'alan'))).toEqual([
    'Pending',
    'Accepted',
    'Way_To_Pick',
    'Failed',
  ]);
});

test('the next Duber, one who only sees the offer, and one who goes on after all do not wait for another one', () => {
  expect(isCarrier(relayed('Way_To_Pick'), 'bob')).toBe(false);
  expect(isCarrier(relayed('Pending', {}, ['Pending']), 'carl')).toBe(false);
  expect(isCarrier(relayed('Accepted', { duberId: 'alan' }), 'alan')).toBe(false);
  expect(isCarrier(relayed('Pending', { pickup: null }), 'alan')).toBe(false);
  expect(isRelayedPickup(relayed('Way_To_Drop'))).toBe(false);
});

test('the one who waits reads for whom, by their short name, and how far that one is', () => {
  expect(carrierText(relayed('Pending')).title).toBe('Wait here for the next Duber');
  for (const [status, words] of [
    ['Accepted', 'Bob S. has accepted'],
    ['Way_To_Pick', 'Bob S. is on the way to you.'],
  ] as const) {
    const { title, text } = carrierText(relayed(status, { duber: NEXT }));
    expect([title, text]).toEqual(['Wait here for Bob S.', expect.stringContaining(words)]);
  }
  expect(carrierText(relayed('Failed', { duber: NEXT })).title).toBe('Keep the laundry with you');
});

test('the next Duber reads whom to look for, as far as it is known', () => {
  expect(meetingText('Alan D.')).toContain('Alan D. could not go on, and waits for you');
  expect(meetingText(undefined)).toContain('Another Duber could not go on');
});
