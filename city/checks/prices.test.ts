import { expect, test } from 'vitest';
import { expectedDiscount, expectedPrice, type PromoTerms } from './prices.ts';

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
  ['an amount', TERMS, 26.83, 5],
  ['a percentage, rounded to the cent', percent(15), 19.9, 2.99],
  ['a percentage with a highest amount', percent(50, 6), 26.83, 6],
  ['everything but the dollar that the card pays', percent(100, 30), 17.92, 16.92],
  ['nothing of what costs a dollar', TERMS, 1, 0],
])('a promo code takes off %s', (_what, terms, total, off) => {
  expect(expectedDiscount(terms, total)).toBe(off);
});
