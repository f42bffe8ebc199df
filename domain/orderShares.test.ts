import { describe, expect, test } from 'vitest';
import { sharesOfOrder, USUAL_CARD_FEE } from './orderShares.ts';
import { ORDER_SIZES } from './orders.ts';
import type { Tariff } from './payments.ts';

const TARIFF: Tariff = {
  perPound: 250,
  pickup: 599,
  delivery: 599,
  platformFeeRate: 1000,
  taxRate: 800,
  largerSizes: { XL: 15, XXL: 25, Family: 40 },
};

describe('the shares of an order', () => {
  test('are the lines of its price, and the town keeps the platform fee without the card fee', () => {
    expect(sharesOfOrder('Medium', TARIFF, USUAL_CARD_FEE)).toEqual({
      bud: 2683,
      scrub: 1250,
      dubers: 1198,
      taxes: 110,
      platformFee: 125,
      // 2.9 % of 26.83, and 30 cents.
      cardFee: 108,
      town: 17,
    });
  });

  test('say that the town pays for a small order', () => {
    expect(sharesOfOrder('Small', TARIFF, USUAL_CARD_FEE)).toMatchObject({ bud: 1792, cardFee: 82, town: -32 });
  });

  test.each(ORDER_SIZES)('of %s add up to what the Bud pays', (size) => {
    for (const cardFee of [USUAL_CARD_FEE, { rate: 0, fixed: 0 }, { rate: 175, fixed: 25 }]) {
      const { bud, scrub, dubers, taxes, cardFee: kept, town } = sharesOfOrder(size, TARIFF, cardFee);
      expect(scrub + dubers + taxes + kept + town).toBe(bud);
    }
  });

  test('of an order that costs nothing have no card fee', () => {
    const free = { ...TARIFF, perPound: 0, pickup: 0, delivery: 0 };
    expect(sharesOfOrder('Large', free, USUAL_CARD_FEE)).toMatchObject({ bud: 0, cardFee: 0, town: 0 });
  });
});
