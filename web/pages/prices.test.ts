import { expect, test } from 'vitest';
import { DEFAULT_PRICES } from '../../testing/defaultPrices.ts';
import { describePrices, describeServices } from './prices.tsx';

test('the FAQ names the prices in force', () => {
  expect(describePrices(DEFAULT_PRICES)).toBe(
    'Wash and fold starts from $2.50 per lb, dry cleaning from $8.00 per lb, and delicate care from $4.00 per lb. Delivery adds $5.99 each way. You see the full price before you pay.',
  );
});

test('the FAQ names both deliveries when they cost different amounts', () => {
  expect(describePrices({ ...DEFAULT_PRICES, pickup: 4.5 })).toContain('Pickup adds $4.50 and delivery adds $5.99.');
});

test('the FAQ names no price before the prices are known', () => {
  expect(describePrices(undefined)).not.toMatch(/\d/);
});

test('the FAQ does not advertise what a town does not offer', () => {
  expect(describeServices()).toBe('Wash and fold, dry cleaning, delicate care and specialty.');
  expect(describeServices(['dry-cleaning'])).toBe(
    'Wash and fold, delicate care and specialty. Dry cleaning is not offered here.',
  );
  expect(describeServices(['dry-cleaning', 'delicate', 'specialty'])).toBe(
    'Wash and fold. Dry cleaning, delicate care and specialty are not offered here.',
  );
  expect(describePrices(DEFAULT_PRICES, ['specialty'])).toBe(describePrices(DEFAULT_PRICES));
  expect(describePrices(DEFAULT_PRICES, ['dry-cleaning', 'specialty'])).toBe(
    'Wash and fold starts from $2.50 per lb, and delicate care from $4.00 per lb. Dry cleaning is not offered here. Delivery adds $5.99 each way. You see the full price before you pay.',
  );
  expect(describePrices(DEFAULT_PRICES, ['dry-cleaning', 'delicate'])).toContain(
    'Wash and fold starts from $2.50 per lb. Dry cleaning and delicate care are not offered here. Delivery',
  );
});
