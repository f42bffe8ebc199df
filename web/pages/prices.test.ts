import { expect, test } from 'vitest';
import { describePrices } from './prices.tsx';

const PRICES = {
  perPound: { washAndFold: 2.5, dryCleaning: 8, delicate: 4 },
  pickup: 5.99,
  delivery: 5.99,
  platformFeePercent: 10,
  taxPercent: 8,
};

test('the FAQ names the prices in force', () => {
  expect(describePrices(PRICES)).toBe(
    'Wash and fold starts from $2.50 per lb, dry cleaning from $8.00 per lb, and delicate care from $4.00 per lb. Delivery adds $5.99 each way. You see the full price before you pay.',
  );
});

test('the FAQ names both legs when they cost different amounts', () => {
  expect(describePrices({ ...PRICES, pickup: 4.5 })).toContain('Pickup adds $4.50 and delivery adds $5.99.');
});

test('the FAQ names no price before the prices are known', () => {
  expect(describePrices(undefined)).not.toMatch(/\d/);
});
