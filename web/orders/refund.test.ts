import { expect, test } from 'vitest';
import { describeChange } from './changes/orderChanges.ts';
import { describeStatus } from './page/statusText.ts';
import { calledOffText } from './refund.ts';

const NOW = '2026-11-22T12:00:00.000Z';
const cancelled = (deliveries: readonly object[], more: object = {}) =>
  ({
    ...{ status: 'Cancelled', selfDelivery: false, selfPickup: false, round: 1, isHandedOver: false, exceptions: [] },
    ...{
      scrub: { fullname: 'Sam Suds' },
      bud: { fullname: 'Ada Byron' },
      price: { loadPrice: 8.5, totalPrice: 18.92 },
    },
    ...{ statusHistory: [{ status: 'Accepted', createdAt: NOW, orderId: 'o' }], promo: { code: 'ONE', discount: 1 } },
    ...{ deliveries, ...more },
  }) as unknown as Parameters<typeof describeStatus>[0];
const leg = (status: string, paid: number | null = null) => ({
  ...{ status, deliveryType: 'Bud_To_Scrub', round: 1, hasLaundry: false, exceptions: [], paid },
});
const texts = (order: ReturnType<typeof cancelled>) => [describeStatus(order, 'Bud'), calledOffText(order)];

test('a Bud who cancels for nothing reads the amount that comes back, and of no Duber', () => {
  for (const deliveries of [[], [leg('Called_Off', 0)]])
    expect(texts(cancelled(deliveries))).toEqual([
      'This order was cancelled. In all, $17.92 goes back to your card.',
      'Given back: $17.92',
    ]);
});

test('a Bud whose order paid a Duber reads how much, what comes back, and what the card pays beside a promo code', () => {
  expect(texts(cancelled([leg('Called_Off', 5.99)]))).toEqual([
    'This order was cancelled. A Duber was paid $5.99. In all, $12.24 goes back to your card.',
    'Given back: $12.24. Paid for a Duber: $5.68',
  ]);
});

test('without a promo code, the card pays all that a Duber was paid', () => {
  const order = (more: object) => cancelled([leg('Called_Off', 5.99)], { promo: null, ...more });
  expect(calledOffText(order({}))).toBe('Given back: $12.93. Paid for a Duber: $5.99');
  expect(calledOffText(order({ ceilingSize: 'Large' }))).toBe('Not paid, except $5.99 for a Duber');
});

test('where it is not known what was earned, no amount is said', () => {
  for (const order of [cancelled([leg('Delivered')]), cancelled([leg('Called_Off')])])
    expect(texts(order)).toEqual([
      'This order was cancelled. What nobody has earned is on its way back to your card.',
      'Given back, less what a Duber was paid',
    ]);
});

test('an order that was to be weighed and paid no Duber costs nothing, and nothing is promised back', () => {
  const weighed = { ceilingSize: 'Large' };
  expect(texts(cancelled([leg('Called_Off', 0)], weighed))).toEqual([
    'This order was cancelled. You pay nothing.',
    'Not paid',
  ]);
  expect(texts(cancelled([leg('Called_Off', 5.99)], weighed))).toEqual([
    'This order was cancelled. You pay $5.68 for a Duber, and nothing else.',
    'Not paid, except $5.68 for a Duber',
  ]);
});

test('an order that was never accepted was not charged', () => {
  const order = cancelled([], { statusHistory: [] });
  expect(texts(order)).toEqual([
    'This order was cancelled. You were not charged, and the hold on your card is released.',
    'Released, not charged',
  ]);
});

test('a Bud does not read about themselves as of the customer', () => {
  const step = { action: 'cancel-accepted', by: 'Bud' } as const;
  expect(describeChange(step, 'Bud')).toBe('Cancelled by you');
  expect(describeChange(step, 'Scrub')).toBe('Cancelled by the customer');
});
