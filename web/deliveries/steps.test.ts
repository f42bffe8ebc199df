import { expect, test } from 'vitest';
import type { Delivery } from '../../contract/deliveries.ts';
import { DELIVERY_STATUSES } from '../../domain/deliveries.ts';
import { DELIVERY_FLOW } from '../../domain/process/delivery.ts';
import { situatedDelivery } from '../../testing/situated.ts';
import {
  describeDelivery,
  nextAction,
  proofActionOf,
  STEP_TEXTS,
  type StepText,
  statusAfter,
  upcomingStatuses,
} from './steps.ts';

const ME = '0192f0c1-7a3b-7c4d-8e5f-000000000001';
const OTHER_DUBER = '0192f0c1-7a3b-7c4d-8e5f-000000000002';
const deliveryAt = (status: Delivery['status'], duberId: string | null) => ({ status, duberId }) as Delivery;

test('every workflow row has its own button and leads to the row’s status', () => {
  for (const row of DELIVERY_FLOW) expect(statusAfter(row.action)).toBe(row.to);
  expect(new Set(DELIVERY_FLOW.map((row) => STEP_TEXTS[row.action].button)).size).toBe(DELIVERY_FLOW.length);
});

test('the statuses ahead are the remaining ones, in order', () => {
  const planned = DELIVERY_STATUSES.slice(0, DELIVERY_STATUSES.indexOf('Delivered') + 1);
  planned.forEach((status, index) => {
    expect(upcomingStatuses(status)).toEqual(planned.slice(index + 1));
  });
  for (const status of DELIVERY_STATUSES.slice(planned.length)) expect(upcomingStatuses(status)).toEqual([]);
});

test('the Duber of a delivery has one action in every status until it is delivered', () => {
  for (const row of DELIVERY_FLOW) expect(nextAction(deliveryAt(row.from, ME), ME)).toBe(row.action);
  expect(nextAction(deliveryAt('Delivered', ME), ME)).toBeUndefined();
});

test("any Duber may accept a pending delivery, and no Duber has actions on another's", () => {
  expect(nextAction(deliveryAt('Pending', null), ME)).toBe('accept-delivery');
  for (const status of DELIVERY_STATUSES.slice(1))
    expect(nextAction(deliveryAt(status, OTHER_DUBER), ME)).toBeUndefined();
});

test('the browser asks for confirmation before delivered only', () => {
  const asking = DELIVERY_FLOW.map((row) => row.action).filter(
    (action) => (STEP_TEXTS[action] as StepText).confirmation !== undefined,
  );
  expect(asking).toEqual(['delivered']);
});

test('what hands laundry over can be proved, also when it is brought back, and only by its Duber', () => {
  const proved = DELIVERY_STATUSES.map((status) => [status, proofActionOf(deliveryAt(status, ME), ME)]);
  expect(Object.fromEntries(proved.filter(([, action]) => action !== undefined))).toEqual({
    Way_To_Pick: 'collected',
    Way_To_Drop: 'delivered',
    Way_Back: 'brought-back',
  });
  for (const status of DELIVERY_STATUSES) expect(proofActionOf(deliveryAt(status, OTHER_DUBER), ME)).toBeUndefined();
});

test('the status says more than its name where laundry was lost, not handed over or waits with another Duber', () => {
  const said = (status: Delivery['status'], more: object = {}, ...actions: string[]) =>
    describeDelivery(
      situatedDelivery({
        ...{ status, hasLaundry: false, pickup: null },
        exceptions: actions.map((action) => ({ action })),
        ...more,
      }),
    );
  for (const status of DELIVERY_STATUSES) expect(said(status)).toMatch(/\.$/);
  expect(said('Failed', {}, 'pickup-failed')).toBe('The laundry was not collected.');
  expect(said('Failed', { hasLaundry: true }, 'drop-failed')).toContain('The Duber still has it.');
  expect(said('Failed', { hasLaundry: true }, 'report-lost')).toBe('The laundry is reported as lost.');
  expect(said('Accepted', {}, 'relay')).toContain('is with a Duber who could not continue');
  expect(said('Pending', { pickup: { latitude: 1, longitude: 2 } })).toBe(said('Pending', {}, 'relay'));
  const relayed = { status: 'Accepted', pickup: { latitude: 1, longitude: 2 } } as const;
  expect(describeDelivery(relayed, 'holder')).toBe('You have the laundry: continue.');
  // It went to the one who gave it first, and was perhaps collected from another Duber.
  expect(said('Returned', {}, 'relay', 'brought-back')).toBe('The laundry was brought back.');
  expect(said('Called_Off', {}, 'call-off')).toBe('This delivery was called off.');
});

test('the Duber of a delivery is spoken to, and not about', () => {
  const at = (status: Delivery['status'], hasLaundry = false, ...actions: string[]) =>
    describeDelivery(
      situatedDelivery({ status, hasLaundry, pickup: null, exceptions: actions.map((action) => ({ action })) }),
      'recipient',
      true,
    );
  expect(at('Accepted')).toBe('You accepted this delivery. Tap the button when you set out.');
  expect(at('Way_To_Drop', true)).toBe('You are on the way to the drop-off.');
  expect(at('Failed', true, 'drop-failed')).toBe('You could not hand the laundry over, and still have it.');
  expect(at('Called_Off')).toBe('This delivery was called off.');
});

test('nobody is said to set out soon who cannot work now, and laundry at a door has not arrived', () => {
  const accepted = { status: 'Accepted', situation: 'coming', pickup: null } as const;
  expect(describeDelivery({ ...accepted, isDuberAway: false })).toBe('A Duber has accepted it and will set out soon.');
  expect(describeDelivery({ ...accepted, isDuberAway: true })).toBe(
    'We do not know yet when the trip continues. We will tell you.',
  );
  const delivered = {
    ...accepted,
    status: 'Delivered',
    situation: 'delivered',
    leftAtDoorAt: '2026-01-05T10:00:00.000Z',
  } as const;
  expect(describeDelivery(delivered)).toMatch(/^The laundry stands at the door since /);
});
