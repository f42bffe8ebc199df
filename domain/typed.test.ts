import { describe, expect, test } from 'vitest';
import { digitsOfCode, parseTypedNumber, toAsciiDigits, withoutSeparators } from './typed.ts';

test.each([
  ['4821', '4821'],
  ['٤٨٢١', '4821'],
  ['۴۸۲۱', '4821'],
  ['４８２１', '4821'],
  ['४८२१', '4821'],
  ['𝟒𝟖𝟐𝟏', '4821'],
  ['Tag ٧', 'Tag 7'],
  ['½', '½'],
])('%s has the digits %s', (typed, digits) => {
  expect(toAsciiDigits(typed)).toBe(digits);
});

describe('a code of six digits', () => {
  test.each([
    ['509 975', '509975'],
    ['509\u00a0975', '509975'],
    ['509-975', '509975'],
    [' 5 0 9 9 7 5 ', '509975'],
    ['G-509975', '509975'],
    ['Your code: ٥٠٩٩٧٥.', '509975'],
    ['\u200e509975\u200e', '509975'],
    ['5099751', '509975'],
    ['50997', '50997'],
  ])('%s is read as %s', (typed, code) => {
    expect(digitsOfCode(typed, 6)).toBe(code);
  });

  test.each([
    ['509 975', '509975'],
    ['509–975', '509975'],
    ['\u2066٥٠٩٩٧٥\u2069', '509975'],
    ['50997x', '50997x'],
    ['-509975', '509975'],
  ])('that is sent as %s is %s', (sent, code) => {
    expect(withoutSeparators(sent)).toBe(code);
  });
});

describe('an amount', () => {
  const read = (typed: string, decimalMark: '.' | ',') => parseTypedNumber(typed, { decimalMark, hasGroups: true });

  test.each([
    ['39.90', 39.9],
    ['39,90', 39.9],
    ['2,75', 2.75],
    ['12', 12],
    [' $ 12.50 ', 12.5],
    ['12,50 €', 12.5],
    ['.5', 0.5],
    ['5,', 5],
    ['0,500', 0.5],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1 234,50', 1234.5],
    ['1\u202f234,50', 1234.5],
    ['1’234.50', 1234.5],
    ['1,23,456.5', 123_456.5],
    ['1.234.567', 1_234_567],
    ['٣٩٫٩٠', 39.9],
    ['١٬٢٣٤٫٥', 1234.5],
    ['۳۹٫۹', 39.9],
    ['３９．９０', 39.9],
    ['-4', -4],
    ['−4,5', -4.5],
  ])('of “%s” is %s for everybody', (typed, amount) => {
    for (const mark of ['.', ','] as const) expect(read(typed, mark)).toBe(amount);
  });

  test('with three digits after its only mark is read as people write where they live', () => {
    expect([read('1,234', '.'), read('1.234', ',')]).toEqual([1234, 1234]);
    expect([read('1.234', '.'), read('1,234', ',')]).toEqual([1.234, 1.234]);
  });

  test.each([
    '',
    ' ',
    '.',
    ',',
    '-',
    'abc',
    '12 lbs',
    '1e3',
    '0x10',
    'Infinity',
    '1,2,3',
    '1.2.3',
    '12,34.5',
    '1.234,5.6',
    '5 5',
    '½',
  ])('of “%s” is none', (typed) => {
    for (const mark of ['.', ','] as const) expect(read(typed, mark)).toBeUndefined();
  });
});

test('a rate or a weight has no groups, so its only mark is the decimal mark', () => {
  expect([parseTypedNumber('8,875'), parseTypedNumber('8.875'), parseTypedNumber('٨٫٨٧٥')]).toEqual([
    8.875, 8.875, 8.875,
  ]);
  expect(parseTypedNumber('1.234,5')).toBeUndefined();
});
