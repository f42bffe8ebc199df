import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ORDER_SIZES, SIZE_POUNDS } from './orders.ts';
import { chargedPounds, soldSizes, type Tariff } from './payments.ts';
import { capLines, computePrice, linesOfOrder, linesOfTrips, priceOfLines } from './prices.ts';
import { decidingWeight, judgeWeight, sizeOfWeight, toGrams } from './weighing.ts';

const TARIFF: Tariff = { perPound: 250, pickup: 599, delivery: 599, platformFeeRate: 1000, taxRate: 825 };
const WITH_XL: Tariff = { ...TARIFF, largerSizes: { XL: 15, Family: 0 } };

describe('sizes', () => {
  test("without rows of the price list only the specification's three are sold", () => {
    expect(soldSizes(TARIFF)).toEqual(['Small', 'Medium', 'Large']);
    expect(chargedPounds('XL', TARIFF)).toBe(0);
  });
  test('a row sells its size for its pounds, and 0 does not', () => {
    expect(soldSizes(WITH_XL)).toEqual(['Small', 'Medium', 'Large', 'XL']);
    const price = computePrice({ loadSize: 'XL', selfDelivery: true, selfPickup: true }, WITH_XL);
    expect(price.loadPrice).toBe(15 * 250);
  });
});

describe('which scale counts', () => {
  test.each([
    [{ scrub: 2000, duber: undefined }, 2000, false],
    [{ scrub: 2200, duber: 2000 }, 2200, false],
    [{ scrub: 2201, duber: 2000 }, 2000, true],
    [{ scrub: 2000, duber: 2200 }, 2000, false],
    [{ scrub: 2000, duber: 2201 }, 2000, true],
  ])('%j', (weights, grams, doScalesDisagree) => {
    expect(decidingWeight(weights)).toEqual({ grams, doScalesDisagree });
  });

  test('of two scales that disagree the lower one, whichever it is', () => {
    const weight = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(weight, weight, (scrub, duber) => {
        const { grams, doScalesDisagree } = decidingWeight({ scrub, duber });
        expect(grams).toBe(doScalesDisagree ? Math.min(scrub, duber) : scrub);
        expect(doScalesDisagree).toBe(decidingWeight({ scrub: duber, duber: scrub }).doScalesDisagree);
      }),
    );
  });
});

describe('what a weight means', () => {
  const judge = (pounds: number, size: 'Small' | 'Medium' | 'Large', limit: (typeof ORDER_SIZES)[number] = size) =>
    judgeWeight(toGrams(pounds), { size, limit, sold: soldSizes(WITH_XL) });

  test.each([
    [4, 'Medium', undefined, { kind: 'same' }],
    [5.49, 'Medium', undefined, { kind: 'same' }],
    [5.51, 'Medium', undefined, { kind: 'beyond', size: 'Large' }],
    [5.51, 'Medium', 'Large', { kind: 'heavier', size: 'Large' }],
    [2.4, 'Medium', 'Large', { kind: 'lighter', size: 'Small' }],
    [9, 'Medium', 'Large', { kind: 'beyond', size: 'XL' }],
    [15.4, 'Large', 'XL', { kind: 'heavier', size: 'XL' }],
    [15.6, 'Large', 'XL', { kind: 'beyond', size: undefined }],
  ] as const)('%d pounds of %s up to %s', (pounds, size, limit, verdict) => {
    expect(judge(pounds, size, limit)).toEqual(verdict);
  });

  test('a size takes every weight that it says, and the next one begins after the tolerance', () => {
    for (const size of ORDER_SIZES) {
      for (const pounds of [SIZE_POUNDS[size].from, SIZE_POUNDS[size].to])
        expect(sizeOfWeight(toGrams(pounds), ORDER_SIZES)).toBe(size);
    }
    expect(sizeOfWeight(toGrams(40.6), ORDER_SIZES)).toBeUndefined();
  });
});

test('laundry that goes back unwashed costs its ways', () => {
  const lines = linesOfOrder({ loadSize: 'Medium', selfDelivery: false, selfPickup: true }, TARIFF);
  expect(priceOfLines(linesOfTrips(lines))).toEqual({
    loadPrice: 0,
    pickup: 599,
    delivery: 0,
    platformFee: 0,
    taxes: 0,
    totalPrice: 599,
  });
});

test('a price above the hold is the hold: the load is cheaper, then its fees, then the ways', () => {
  const lines = linesOfOrder({ loadSize: 'Medium', selfDelivery: false, selfPickup: false }, TARIFF);
  const price = priceOfLines(lines);
  const cap = (most: number) => priceOfLines(capLines(lines.toReversed(), most));
  expect(cap(price.totalPrice)).toEqual(price);
  expect(cap(price.totalPrice - 100)).toEqual({
    ...price,
    loadPrice: price.loadPrice - 100,
    totalPrice: price.totalPrice - 100,
  });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 * price.totalPrice }), (most) => {
      const { totalPrice, ...parts } = cap(most);
      expect(totalPrice).toBe(Math.min(price.totalPrice, most));
      expect(Object.values(parts).reduce((sum, part) => sum + part)).toBe(totalPrice);
      expect(Math.min(...Object.values(parts))).toBeGreaterThanOrEqual(0);
    }),
  );
});
