import { expect, test } from 'vitest';
import { DELIVERY_STATUSES, type DeliveryStatus, type DeliveryType } from '../../../domain/deliveries.ts';
import type { OrderStatus } from '../../../domain/orders.ts';
import { describeLiveOrder, holderOf, type LiveOrder, PART_NAMES, partOf, sortByProgress } from './liveOrder.ts';

const address = { id: 'a', label: 'Home', address: '12 Heron Street', latitude: 24, longitude: 67 };
const at = (minute: number) => `2026-01-05T10:${String(minute).padStart(2, '0')}:00.000Z`;

function liveOrder(status: OrderStatus, more: Partial<LiveOrder> = {}): LiveOrder {
  return {
    id: 'an-order',
    status,
    statusHistory: [{ status, createdAt: at(0), orderId: 'an-order' }],
    selfDelivery: false,
    selfPickup: false,
    price: { loadPrice: 12.5 },
    budAddress: address,
    scrub: { fullname: 'Sam Suds', addresses: [address] },
    deliveries: [],
    ...more,
  };
}

const leg = (deliveryType: DeliveryType, status: DeliveryStatus, minute = 0): LiveOrder['deliveries'][number] => ({
  id: `${deliveryType}-${status}`,
  deliveryType,
  status,
  statusHistory: [{ status, createdAt: at(minute), takenAt: null, deliveryId: 'a-delivery' }],
  duber: status === 'Pending' ? null : { fullname: 'Dana Reyes' },
});
const toScrub = (status: DeliveryStatus) => liveOrder('Accepted', { deliveries: [leg('Bud_To_Scrub', status)] });
const toBud = (status: DeliveryStatus) =>
  liveOrder('Completed', { deliveries: [leg('Bud_To_Scrub', 'Delivered'), leg('Scrub_To_Bud', status)] });

/** Every stage of an order, in the order in which it passes them: its part, who has the laundry, and a word of the sentence. */
const STAGES: readonly [stage: LiveOrder, part: (typeof PART_NAMES)[number], holder: string, now: string][] = [
  [liveOrder('Requested'), 'Answer', 'You', 'Sam Suds has not answered yet.'],
  [toScrub('Pending'), 'Pickup', 'You', 'Sam Suds has accepted'],
  [toScrub('Accepted'), 'Pickup', 'You', 'Dana will collect'],
  [toScrub('Way_To_Pick'), 'Pickup', 'You', 'Dana is on the way to you.'],
  [toScrub('Collected'), 'Pickup', 'Dana Reyes', 'Dana has the laundry.'],
  [toScrub('Way_To_Drop'), 'Pickup', 'Dana Reyes', 'Dana is bringing the laundry to Sam.'],
  [toScrub('Delivered'), 'Wash', 'Sam Suds', 'with Sam Suds, who will start soon'],
  [liveOrder('In_Progress'), 'Wash', 'Sam Suds', 'is doing your laundry'],
  [toBud('Pending'), 'Return', 'Sam Suds', 'is done'],
  [toBud('Accepted'), 'Return', 'Sam Suds', 'Dana will bring it back'],
  [toBud('Way_To_Pick'), 'Return', 'Sam Suds', 'Dana is on the way to Sam.'],
  [toBud('Collected'), 'Return', 'Dana Reyes', 'Dana has the laundry.'],
  [toBud('Way_To_Drop'), 'Return', 'Dana Reyes', 'Dana is bringing the laundry to you.'],
];

test.each(STAGES)('stage %#: the part, who has the laundry, and one sentence', (stage, part, holder, now) => {
  const { now: sentence, next } = describeLiveOrder(stage);
  expect([PART_NAMES[partOf(stage)], holderOf(stage)]).toEqual([part, holder]);
  expect(sentence).toContain(now);
  expect(sentence.match(/\./g), 'it is one sentence').toHaveLength(1);
  expect(next).toMatch(/\.$/);
});

test('the stages have all statuses of both deliveries while they last', () => {
  const statuses = STAGES.flatMap(([{ deliveries }]) => deliveries.at(-1)?.status ?? []);
  const planned = DELIVERY_STATUSES.slice(0, DELIVERY_STATUSES.indexOf('Delivered') + 1);
  expect(statuses).toEqual([...planned, ...planned.slice(0, -1)]);
});

test('a delivery that does not go as planned says so, and who has the laundry', () => {
  const now = (status: DeliveryStatus) => describeLiveOrder(toScrub(status)).now;
  expect(now('Failed')).toBe('The delivery did not work out.');
  expect(now('Way_Back')).toBe('Dana is bringing the laundry back.');
  expect(now('Returned')).toBe('The laundry was brought back.');
  expect(now('Called_Off')).toBe('The delivery was called off.');
  expect([holderOf(toScrub('Way_Back')), holderOf(toScrub('Returned'))]).toEqual(['Dana Reyes', 'You']);
});

test('a Bud who carries the laundry is told to', () => {
  expect(describeLiveOrder(liveOrder('Accepted', { selfDelivery: true })).next).toBe('You bring it to Sam Suds.');
  for (const status of ['In_Progress', 'Completed'] as const)
    expect(describeLiveOrder(liveOrder(status, { selfPickup: true })).next).toBe('You pick it up from Sam Suds.');
});

test('laundry that goes back unwashed is never described as done or being done', () => {
  const price = { loadPrice: 0 };
  for (const selfPickup of [true, false])
    for (const status of ['In_Progress', 'Completed'] as const) {
      const { now } = describeLiveOrder(liveOrder(status, { price, selfPickup }));
      expect(now).not.toMatch(/is done|is doing/);
      expect(now).toMatch(/not washed|unwashed/);
    }
  const coming = describeLiveOrder({ ...toBud('Accepted'), price });
  expect(coming.now).toBe('Your laundry was not washed, and Dana will bring it back.');
});

test('a laundry that is started before its delivery is marked as collected is still with the Duber', () => {
  const early = liveOrder('In_Progress', { deliveries: [leg('Bud_To_Scrub', 'Way_To_Drop')] });
  expect(holderOf(early)).toBe('Dana Reyes');
});

test('the order that is furthest along comes first; of equals, the one that changed last', () => {
  const stages = STAGES.map(([stage]) => stage);
  // Arrived and being washed are the same part, and neither has a delivery to come.
  const different = stages.filter(({ status }) => status !== 'In_Progress');
  expect(sortByProgress(different)).toEqual(different.toReversed());
  const [early, late] = [1, 9].map((minute) =>
    liveOrder('Accepted', { id: `at ${minute}`, deliveries: [leg('Bud_To_Scrub', 'Accepted', minute)] }),
  );
  if (!early || !late) throw new Error('an order is missing');
  expect(sortByProgress([early, late])).toEqual([late, early]);
});
