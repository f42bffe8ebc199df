import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countShirts, LOAD_POUNDS, LOAD_SIZES, loadSizeOf } from '../../domain/orders.ts';
import { TAX_ROUNDINGS, type Tariff, toDollars } from '../../domain/payments.ts';
import { computePrice, percentOf } from '../../domain/prices.ts';
import { DEFAULT_PRICES } from '../../testing/defaultPrices.ts';
import { describeTotals, estimatePrice } from './priceEstimate.ts';

/** The prices of a tariff as the server publishes them. */
const publish = ({ perPound, pickup, delivery, platformFeeRate, taxRate, taxRounding }: Tariff) => ({
  perPound: { ...DEFAULT_PRICES.perPound, washAndFold: toDollars(perPound) },
  pickup: toDollars(pickup),
  delivery: toDollars(delivery),
  platformFeePercent: percentOf(platformFeeRate),
  taxPercent: percentOf(taxRate),
  ...(taxRounding ? { taxRounding } : {}),
});

test('the slider shows to the cent what an order will cost, whatever the prices are', () => {
  const cents = fc.integer({ min: 0, max: 100_000 });
  const rate = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 10);
  const tariffs = fc.record({
    ...{ perPound: cents, pickup: cents, delivery: cents, platformFeeRate: rate, taxRate: rate },
    taxRounding: fc.constantFrom(...TAX_ROUNDINGS),
  });
  fc.assert(
    fc.property(tariffs, fc.constantFrom(...LOAD_SIZES), (tariff, loadSize) => {
      const order = computePrice({ loadSize, selfDelivery: false, selfPickup: false }, tariff);
      const shown = estimatePrice(loadSize, publish(tariff));
      for (const [part, amount] of Object.entries(order)) expect(shown).toHaveProperty(part, toDollars(amount));
    }),
  );
});

test('every weight belongs to the load size that covers it', () => {
  for (const size of LOAD_SIZES)
    for (let pounds = LOAD_POUNDS[size].from; pounds <= LOAD_POUNDS[size].to; pounds += 1)
      expect(loadSizeOf(pounds)).toBe(size);
  expect(countShirts(4)).toBe(8);
});

test('one sentence names the total of each load', () => {
  expect(describeTotals(DEFAULT_PRICES)).toBe(
    'In total, Small (1-2 lbs) is $17.92, Medium (3-5 lbs) is $26.83 and Large (6-8 lbs) is $35.74, with the drive both ways, the platform fee and taxes.',
  );
});

test('the sentence names no amount before the prices are known', () => {
  expect(describeTotals(undefined)).toBe(
    'One price for each load: Small (1-2 lbs), Medium (3-5 lbs) or Large (6-8 lbs). It covers the wash by the pound, the drive both ways, the platform fee and taxes.',
  );
});
