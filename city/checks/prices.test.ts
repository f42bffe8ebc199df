import { expect, test } from 'vitest';
import { expectedDiscount, expectedPrice, type PromoTerms, surchargeOf } from './prices.ts';

const TERMS: PromoTerms = {
  ...{ code: 'CITY-1-1', kind: 'amount', value: 5, minTotal: 0, firstOrderOnly: false, maxUses: 2 },
};
const percent = (value: number, maxDiscount?: number): PromoTerms => ({
  ...{ ...TERMS, kind: 'percent', value, ...(maxDiscount === undefined ? {} : { maxDiscount }) },
});

test('a medium load that is fetched and brought back costs what the spec says', () => {
  const order = { loadSize: 'Medium', selfDelivery: false, selfPickup: false };
  expect(expectedPrice(order)).toEqual({
    ...{ loadPrice: 12.5, delivery: 5.99, pickup: 5.99, platformFee: 1.25, taxes: 1.1, totalPrice: 26.83 },
  });
});

test.each([
  ['on the day of its pickup', '2026-12-31T09:00:00.000Z', '2026-12-31T18:00:00.000Z', 40],
  ['on the next day, in another year', '2026-12-31T09:00:00.000Z', '2027-01-01T09:00:00.000Z', 20],
  ['two days later', '2026-12-31T09:00:00.000Z', '2027-01-02T09:00:00.000Z', 0],
])('laundry that is back %s costs more by the dates of its windows', (_what, pickup, back, percent) => {
  expect(surchargeOf({ pickup: { from: pickup }, return: { from: back } })).toBe(percent);
});

test('a surcharge is a part of the load, with the fee and the taxes on it', () => {
  const order = { loadSize: 'Medium', selfDelivery: true, selfPickup: true };
  expect(surchargeOf(undefined)).toBe(0);
  expect(expectedPrice(order, 40)).toEqual({
    ...{ loadPrice: 17.5, delivery: 0, pickup: 0, platformFee: 1.75, taxes: 1.54, totalPrice: 20.79 },
  });
});

test.each([
  ['an amount', TERMS, 26.83, 5],
  ['a percentage, rounded to the cent', percent(15), 19.9, 2.99],
  ['a percentage with a highest amount', percent(50, 6), 26.83, 6],
  ['everything but the dollar that the card pays', percent(100, 30), 17.92, 16.92],
  ['nothing of what costs a dollar', TERMS, 1, 0],
])('a promo code takes off %s', (_what, terms, total, off) => {
  expect(expectedDiscount(terms, total)).toBe(off);
});
