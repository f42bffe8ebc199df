import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COUNTRIES } from './countries.ts';
import { last4Of } from './last4.ts';
import { formatTaxNumber, isTaxNumber, normalizeTaxNumber, reportedFrom, TAX_ID_KINDS } from './taxIds.ts';

const areNumbers = (kind: (typeof TAX_ID_KINDS)[number], texts: readonly string[]) =>
  texts.map((text) => isTaxNumber(kind, normalizeTaxNumber(text)));

test('an SSN has no area 000, 666 or from 900 on, and no group or serial of zeros', () => {
  expect(areNumbers('ssn', ['536-22-1234', '001 01 0001', '899991234', '665–99–9999'])).not.toContain(false);
  const wrong = ['000-22-1234', '666-22-1234', '900-22-1234', '999-22-1234', '536-00-1234', '536-22-0000'];
  expect(areNumbers('ssn', [...wrong, '53622123', '5362212345', '53622123a', ''])).not.toContain(true);
  // Everybody has read these in an advertisement.
  expect(areNumbers('ssn', ['078-05-1120', '219-09-9999'])).not.toContain(true);
});

test('an ITIN begins with 9 and has one of the groups that are in use', () => {
  const groups = ['50', '65', '70', '88', '90', '92', '94', '99'];
  expect(
    areNumbers(
      'itin',
      groups.map((group) => `912-${group}-3456`),
    ),
  ).not.toContain(false);
  const others = ['00', '49', '66', '69', '89', '93'].map((group) => `912-${group}-3456`);
  expect(areNumbers('itin', [...others, '812-70-3456', '912-70-345'])).not.toContain(true);
});

test('an EIN begins with two digits that are in use', () => {
  const inUse =
    '01 02 03 04 05 06 10 11 12 13 14 15 16 20 21 22 23 24 25 26 27 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 71 72 73 74 75 76 77 80 81 82 83 84 85 86 87 88 90 91 92 93 94 95 98 99';
  const all = Array.from({ length: 100 }, (_, prefix) => String(prefix).padStart(2, '0'));
  expect(all.filter((prefix) => isTaxNumber('ein', `${prefix}3456789`)).join(' ')).toBe(inUse);
  expect(areNumbers('ein', ['12-3456789', '12-0000000', '12-345678'])).toEqual([true, false, false]);
});

test('a number is an SSN or an ITIN, never both', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{9}$/), (number) => {
      expect(isTaxNumber('ssn', number) && isTaxNumber('itin', number)).toBe(false);
    }),
  );
});

test('numbers of other countries are taken as they are there', () => {
  const numbers = [
    '86 095 742 719',
    '1234567T',
    'RSSMRA85T10A562S',
    '131052-308T',
    'ABCPD1234E',
    'GÑA990101XY3',
    '12.345.678-9',
  ];
  expect(areNumbers('tin', numbers)).not.toContain(false);
  expect(areNumbers('tin', ['', '1234', 'PASSPORT', '0000000000', '123456789012345678901', '12345<b>'])).not.toContain(
    true,
  );
});

test('a number is written with its dashes, and never loses a sign', () => {
  expect(formatTaxNumber({ kind: 'ssn', number: '001010001' })).toBe('001-01-0001');
  expect(formatTaxNumber({ kind: 'itin', number: '912703456' })).toBe('912-70-3456');
  expect(formatTaxNumber({ kind: 'ein', number: '012345678' })).toBe('01-2345678');
  expect(formatTaxNumber({ kind: 'tin', number: '08609574271' })).toBe('08609574271');
  fc.assert(
    fc.property(fc.constantFrom(...TAX_ID_KINDS), fc.stringMatching(/^\d{9}$/), (kind, number) => {
      expect(normalizeTaxNumber(formatTaxNumber({ kind, number }))).toBe(number);
    }),
  );
});

test('the last four characters are shown, and never more than half of a number', () => {
  expect(['536221234', '12345678', '1234567', '12345'].map(last4Of)).toEqual(['1234', '5678', '567', '45']);
});

test('payments of a year are reported from $600 on, and from $2,000 since 2026', () => {
  expect([2020, 2025, 2026, 2030].map(reportedFrom)).toEqual([60_000, 60_000, 200_000, 200_000]);
});

test('every country has a name', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(new Set(COUNTRIES).size).toBe(COUNTRIES.length);
  expect(COUNTRIES.filter((country) => names.of(country) === undefined)).toEqual([]);
  expect(COUNTRIES).toHaveLength(250);
});
