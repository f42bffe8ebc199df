import { expect, test } from 'vitest';
import { formatPhone } from './formatPhone.ts';

test('a phone number is shown in the groups of its country', () => {
  expect(formatPhone('+12025550143')).toBe('+1 202 555 0143');
  expect(formatPhone('+442079460958')).toBe('+44 20 7946 0958');
  expect(formatPhone('12')).toBe('12');
});
