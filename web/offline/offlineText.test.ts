import { expect, test } from 'vitest';
import { describeOffline } from './OfflineBanner.tsx';

test('only a page that misses its data is said to be new on this device', () => {
  expect(describeOffline('none')).toBe('You are offline.');
  expect(describeOffline(undefined)).toBe('You are offline. You have not opened this page on this device before.');
  expect(describeOffline(Date.UTC(2026, 0, 5, 10))).toMatch(/^You are offline. Last updated /);
});
