import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyRate, splitDeliveryPrice, toCents, toDollars } from './payments.ts';

const cents = fc.integer({ min: 0, max: 10_000_000 });
const rate = fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 10);

describe('a share of an amount', () => {
  test('rounds half a cent up', () => {
    expect(applyRate(5, 1000)).toBe(1);
    expect(applyRate(4, 1000)).toBe(0);
    expect(applyRate(15, 1000)).toBe(2);
    expect(applyRate(1250, 1000)).toBe(125);
    expect(applyRate(13_750, 887.5)).toBe(1220);
    expect(applyRate(50_000, 0.3)).toBe(2);
  });

  test('is the nearest whole cent', () => {
    fc.assert(
      fc.property(cents, rate, (amount, of) => {
        // In integers, where nothing is rounded by itself.
        const exact = BigInt(amount) * BigInt(Math.round(of * 10));
        const off = BigInt(applyRate(amount, of)) * 100_000n - exact;
        expect(off > -50_000n && off <= 50_000n).toBe(true);
      }),
    );
  });
});

describe('the displayed parts of a delivery price', () => {
  test('are 80 % base, 15 % distance and 5 % service', () => {
    expect(splitDeliveryPrice(10_000)).toEqual({ base: 8000, distance: 1500, service: 500 });
    expect(splitDeliveryPrice(599)).toEqual({ base: 479, distance: 90, service: 30 });
  });

  test('add up to any price, and the base is within a cent of 80 %', () => {
    fc.assert(
      fc.property(cents, (price) => {
        const { base, distance, service } = splitDeliveryPrice(price);
        expect(base + distance + service).toBe(price);
        expect(Math.abs(base - price * 0.8)).toBeLessThanOrEqual(1);
        expect(Math.min(base, distance, service)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

test('cents survive the conversion to dollars and back, with two decimals at most', () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(toCents(toDollars(amount))).toBe(amount);
      expect(String(toDollars(amount))).toMatch(/^\d+(\.\d{1,2})?$/);
    }),
  );
});
