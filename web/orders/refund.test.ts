import { describe, expect, test } from 'vitest';
import { situated } from '../../testing/situated.ts';
import { describeChange } from './orderChanges.ts';
import { describeStatus } from './page/statusText.ts';
import { calledOffText, cancellingCost, endingText } from './refund.ts';
import { hintFor } from './stepHints.ts';
import { doneTextOf } from './steps.ts';

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
const delivery = (status: string, paid: number | null = null) => ({
  ...{ status, deliveryType: 'Bud_To_Scrub', round: 1, hasLaundry: false, exceptions: [], paid },
});
type Known = Parameters<typeof situated>[1];
const describeSent = (order: ReturnType<typeof cancelled>, known?: Known) =>
  describeStatus(situated(order, known) as typeof order, 'Bud');
const texts = (order: ReturnType<typeof cancelled>) => [describeSent(order), calledOffText(order)];

test('a Bud who cancels for nothing reads the amount that comes back, and of no Duber', () => {
  for (const deliveries of [[], [delivery('Called_Off', 0)]])
    expect(texts(cancelled(deliveries))).toEqual([
      'This order was cancelled. In all, $17.92 goes back to your card.',
      'Given back: $17.92',
    ]);
});

test('a Bud whose order paid a Duber reads how much, what comes back, and what the card pays beside a promo code', () => {
  expect(texts(cancelled([delivery('Called_Off', 5.99)]))).toEqual([
    'This order was cancelled. A Duber was paid $5.99. In all, $12.24 goes back to your card.',
    'Given back: $12.24. Paid for a Duber: $5.68',
  ]);
});

test('without a promo code, the card pays all that a Duber was paid', () => {
  const order = (more: object) => cancelled([delivery('Called_Off', 5.99)], { promo: null, ...more });
  expect(calledOffText(order({}))).toBe('Given back: $12.93. Paid for a Duber: $5.99');
  expect(calledOffText(order({ ceilingSize: 'Large' }))).toBe('Not paid, except $5.99 for a Duber');
});

test('where it is not known what was earned, no amount is said', () => {
  for (const order of [cancelled([delivery('Delivered')]), cancelled([delivery('Called_Off')])])
    expect(texts(order)).toEqual([
      'This order was cancelled. The rest is on its way back to your card.',
      'Given back, less what a Duber was paid',
    ]);
});

test('an order that was to be weighed and paid no Duber costs nothing, and nothing is promised back', () => {
  const weighed = { ceilingSize: 'Large' };
  expect(texts(cancelled([delivery('Called_Off', 0)], weighed))).toEqual([
    'This order was cancelled. You pay nothing.',
    'Not paid',
  ]);
  expect(texts(cancelled([delivery('Called_Off', 5.99)], weighed))).toEqual([
    'This order was cancelled. You pay $5.68 for a Duber, and nothing else.',
    'Not paid, except $5.68 for a Duber',
  ]);
});

describe('an order that its Scrub gave back', () => {
  const givenBack = (paid: number | null, more: object = {}) =>
    cancelled([delivery('Called_Off', paid)], { status: 'Requested', round: 2, situation: 'given-back', ...more });
  const weighed = { ceilingSize: 'Large' };
  const readBefore = (paid: number | null, more: object = {}) => [
    describeSent(givenBack(paid, more), { givenBackBy: 'scrub' }),
    hintFor('cancel-order', givenBack(paid, more) as never),
    describeSent(givenBack(paid, more)),
  ];
  const toast = (paid: number, more: object = {}) => doneTextOf('cancel-order', givenBack(paid, more) as never);

  test.each([
    ['weighed', weighed, 'pay nothing', 'pay only for the Duber who came'],
    ['charged', {}, 'get everything back', 'get back everything but the fee of the Duber who came'],
  ])('tells its Bud before what cancelling costs, when it is %s', (_how, more, nothing, something) => {
    for (const [paid, words] of [
      [0, nothing],
      [5.99, something],
    ] as const)
      expect(readBefore(paid, more)).toEqual([
        `Sam Suds gave your order back. Choose another Scrub, or cancel and ${words}.`,
        `You can also cancel and ${words}.`,
        expect.stringMatching(new RegExp(`the order is cancelled and you ${words}\\.$`)),
      ]);
  });

  test('says after it is cancelled what it costs, and not that a hold is released', () => {
    const title = 'Order Cancelled';
    expect(toast(5.99)).toEqual({
      title,
      description: 'A Duber was paid $5.99. In all, $12.24 goes back to your card.',
    });
    expect(toast(0)).toEqual({ title, description: 'In all, $17.92 goes back to your card.' });
    expect(toast(5.99, weighed)).toEqual({ title, description: 'You pay $5.68 for a Duber, and nothing else.' });
    expect(toast(0, weighed)).toEqual({ title, description: 'You pay nothing.' });
    expect(toast(0, { statusHistory: [] }).description).toBe('The hold on your card is released');
  });

  test('promises nothing that is not known', () => {
    expect(endingText(givenBack(null, weighed))).toBe('pay only for a Duber who came');
    expect(endingText(givenBack(null))).toBe('get back everything but the fee of a Duber who came');
  });

  test('costs nothing when nobody had accepted it, or when a promo code pays all of it', () => {
    expect(endingText(givenBack(0, { statusHistory: [] }))).toBe('pay nothing');
    expect(endingText(givenBack(5.99, { promo: { code: 'ALL', discount: 18.92 } }))).toBe('get everything back');
  });
});

describe('before an accepted order is cancelled', () => {
  const accepted = (more: object = {}, hasPaidDuber = false) =>
    cancelled([delivery('Failed')], { status: 'Accepted', hasPaidDuber, ...more });
  const weighed = { ceilingSize: 'Large' };
  const free = { fee: 0, refund: 17.92 };
  const afterTrip = { fee: 0, refund: 12.24 };

  test('its Bud reads that nothing is paid while no Duber was paid', () => {
    expect(cancellingCost(free, accepted())).toBe('It costs nothing: you get $17.92 back.');
    expect(cancellingCost(free, accepted(weighed))).toBe('It costs nothing.');
  });

  test('its Bud reads what the Duber is paid who has come already', () => {
    expect(cancellingCost(afterTrip, accepted({}, true))).toBe('It costs nothing more: you get $12.24 back.');
    expect(cancellingCost(afterTrip, accepted(weighed, true))).toBe(
      'You pay $5.68 for the Duber who came, and nothing else.',
    );
  });

  test('a Duber who was not paid by the order, or whose step was taken back, costs nothing', () => {
    expect(cancellingCost(free, accepted({}, true))).toBe('It costs nothing: you get $17.92 back.');
    expect(cancellingCost(free, accepted(weighed, true))).toBe('It costs nothing.');
  });

  test('a Duber on the way is paid, beside one who has come already', () => {
    const fee = { fee: 2, refund: 15.92 };
    expect(cancellingCost(fee, accepted())).toBe(
      'A Duber is on the way to you and is paid $2.00. You get $15.92 back.',
    );
    expect(cancellingCost(fee, accepted(weighed))).toBe(
      'A Duber is on the way to you and is paid $2.00. You pay nothing else.',
    );
    expect(cancellingCost({ fee: 2, refund: 12 }, accepted(weighed, true))).toBe(
      'A Duber is on the way to you and is paid $2.00. You pay $3.92 for the Duber who came, and nothing else.',
    );
  });

  test('what a bank gave back is not called the pay of a Duber', () => {
    expect(cancellingCost({ fee: 0, refund: 0 }, accepted(weighed))).toBe('It costs nothing.');
  });
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
