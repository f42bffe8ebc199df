import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isIban, isRoutingNumber, lastDigitsOf, normalizeIban } from './payoutAccounts.ts';

test('routing numbers and IBANs are checked by their digits', () => {
  expect(['021000021', '011401533', '091000019'].map(isRoutingNumber)).toEqual([true, true, true]);
  expect(['021000022', '02100002', '000000000', '02100002a', ''].map(isRoutingNumber)).not.toContain(true);
  expect(['DE89 3704 0044 0532 0130 00', 'gb82 west 1234 5698 7654 32'].map(normalizeIban).map(isIban)).toEqual([
    true,
    true,
  ]);
  expect(['DE88370400440532013000', 'DE89', '', 'XX00', 'DE893704004405320130001'].map(isIban)).not.toContain(true);
});

test('a wrong digit of an IBAN is noticed', () => {
  const iban = 'DE89370400440532013000';
  fc.assert(
    fc.property(fc.integer({ min: 2, max: iban.length - 1 }), fc.integer({ min: 1, max: 9 }), (place, add) => {
      const digit = (Number(iban[place]) + add) % 10;
      expect(isIban(`${iban.slice(0, place)}${digit}${iban.slice(place + 1)}`)).toBe(false);
    }),
  );
});

test('only the end of an account is shown', () => {
  expect(lastDigitsOf({ method: 'iban', holder: 'Sid', iban: 'DE89370400440532013000' })).toBe('3000');
});
