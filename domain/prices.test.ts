import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOAD_SIZES } from './orders.ts';
import { TAX_ROUNDINGS } from './payments.ts';
import { computePrice, linesOfOrder } from './prices.ts';

const cents = fc.integer({ min: 0, max: 10_000_000 });
const rate = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 10);
const tariff = fc.record({
  ...{ perPound: cents, pickup: cents, delivery: cents, platformFeeRate: rate, taxRate: rate },
  taxRounding: fc.constantFrom(...TAX_ROUNDINGS),
});
const what = fc.record({
  loadSize: fc.constantFrom(...LOAD_SIZES),
  selfDelivery: fc.boolean(),
  selfPickup: fc.boolean(),
});

// spec 1
const SPEC_TARIFF = { perPound: 250, pickup: 599, delivery: 599, platformFeeRate: 1000, taxRate: 800 };

describe('the price of an order', () => {
  test.each([
    ['Small', false, false, [500, 599, 599, 50, 44, 1792]],
    ['Medium', false, false, [1250, 599, 599, 125, 110, 2683]],
    ['Large', false, false, [2000, 599, 599, 200, 176, 3574]],
    ['Small', true, false, [500, 599, 0, 50, 44, 1193]],
    ['Medium', false, true, [1250, 0, 599, 125, 110, 2084]],
    ['Large', true, true, [2000, 0, 0, 200, 176, 2376]],
  ] as const)(
    'of size %s is as specified when selfDelivery is %s and selfPickup is %s',
    (loadSize, selfDelivery, selfPickup, expected) => {
      const order = { loadSize, selfDelivery, selfPickup };
      const { loadPrice, delivery, pickup, platformFee, taxes, totalPrice } = computePrice(order, SPEC_TARIFF);
      expect([loadPrice, delivery, pickup, platformFee, taxes, totalPrice]).toEqual(expected);
    },
  );

  test('has parts in whole cents that add up to the total, under any tariff', () => {
    fc.assert(
      fc.property(what, tariff, (order, charged) => {
        const { totalPrice, ...parts } = computePrice(order, charged);
        const all = Object.values(parts);
        expect(all.every((part) => Number.isInteger(part) && part >= 0)).toBe(true);
        expect(all.reduce((sum, part) => sum + part, 0)).toBe(totalPrice);
        expect(parts.pickup).toBe(order.selfDelivery ? 0 : charged.pickup);
        expect(parts.delivery).toBe(order.selfPickup ? 0 : charged.delivery);
      }),
    );
  });

  test('has one line for each item that costs something, with who earns it and whether it is taxed', () => {
    const order = { loadSize: 'Medium', selfDelivery: true, selfPickup: false } as const;
    expect(linesOfOrder(order, SPEC_TARIFF)).toEqual([
      { item: 'load', cents: 1250, earner: 'scrub', isTaxed: true },
      { item: 'platform-fee', cents: 125, earner: 'platform', isTaxed: true },
      { item: 'taxes', cents: 110, earner: 'state', isTaxed: false },
      { item: 'delivery', cents: 599, earner: 'delivery-duber', isTaxed: false },
    ]);
  });
});
