import { expect, test } from 'vitest';
import { describeCard, describeExpiry } from './cardText.ts';

test('a card has its brand in words, and its last digits if the card network tells them', () => {
  expect(describeCard({ brand: 'VISA', last4: '1111' })).toBe('Visa ending in 1111');
  expect(describeCard({ brand: 'AMERICAN_EXPRESS', last4: '0005' })).toBe('American Express ending in 0005');
  expect(describeCard({ brand: 'OTHER_BRAND', last4: '4242' })).toBe('Card ending in 4242');
  expect(describeCard({ brand: null, last4: null })).toBe('Card');
});

test('a card that expires soon or has expired says so', () => {
  const date = { expMonth: 3, expYear: 2031 };
  expect(describeExpiry({ ...date, expiry: 'fine' })).toBe('Expires 03/31');
  expect(describeExpiry({ ...date, expiry: 'soon' })).toBe('Expires soon: 03/31');
  expect(describeExpiry({ ...date, expiry: 'over' })).toBe('Expired 03/31');
  expect(describeExpiry({ expMonth: null, expYear: null, expiry: 'fine' })).toBeUndefined();
});
