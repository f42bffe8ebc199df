import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../testing/propertyRuns.ts';
import { toCsvCell } from './csv.ts';

const codePoints = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
const characters = codePoints.map((code) => String.fromCodePoint(code));
const isFormulaStart = (character: string) => /^[=+\-@\u2212]$/.test(character.normalize('NFKC'));
const FORMULA_STARTS = characters.filter(isFormulaStart);
const INVISIBLE = characters.filter((one) => /^[\s\p{Cf}\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}]$/u.test(one));

test.each([
  ['Ada Byron', '"Ada Byron"'],
  ['say "hi"', '"say ""hi"""'],
  ['=1+1', `"'=1+1"`],
  ['\uFF1D1+1', `"'\uFF1D1+1"`],
  [' \u200B\uFF0B1', `"' \u200B\uFF0B1"`],
  ['@SUM(1)', `"'@SUM(1)"`],
  ['\tx', `"'\tx"`],
  ['a\r\n=1', '"a =1"'],
  ['-12.50', '"-12.50"'],
  ['+12025550123', '"+12025550123"'],
  ['-12.50+cmd', `"'-12.50+cmd"`],
  ['', '""'],
  ['a; b', '"a; b"'],
  ["Bo;=1+cmd|'/C calc'!A0;", `"Bo;'=1+cmd|'/C calc'!A0;"`],
  ['a;b\t \uFF0B1', `"a;b\t' \uFF0B1"`],
  ['a;-1', `"a;'-1"`],
  ['a;"=1"', `"a;'""=1"""`],
])('%j is the cell %s', (text, cell) => {
  expect(toCsvCell(text)).toBe(cell);
});

test('no cell that starts like a formula, in any form that Unicode has for it, is run by a spreadsheet', () => {
  expect(FORMULA_STARTS.length).toBeGreaterThan(12);
  for (const start of FORMULA_STARTS) expect(toCsvCell(`${start}cmd`), JSON.stringify(start)).toBe(`"'${start}cmd"`);
  const before = fc.array(fc.constantFrom(...INVISIBLE), { maxLength: 5 }).map((list) => list.join(''));
  fc.assert(
    fc.property(before, fc.constantFrom(...FORMULA_STARTS), fc.string({ unit: 'binary' }), (space, start, rest) => {
      expect(toCsvCell(`${space}${start}x${rest}`)).toMatch(/^"'/);
    }),
    propertyRuns(2_000),
  );
});

test('nor is a part of one that follows a semicolon or a tab, which separate cells in some countries', () => {
  const spaces = ['"', ...INVISIBLE.filter((one) => one !== '\t')];
  const before = fc.array(fc.constantFrom(...spaces), { maxLength: 5 }).map((list) => list.join(''));
  const words = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(
      words,
      fc.constantFrom(';', '\t'),
      before,
      fc.constantFrom(...FORMULA_STARTS),
      (word, between, space, start) => {
        expect(toCsvCell(`${word}${between}${space}${start}1`)).toContain(`${between}'`);
      },
    ),
    propertyRuns(2_000),
  );
});

test('every other text and every number is read back unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.double().map(String)), (text) => {
      fc.pre(!/[;\t]/.test(text));
      const cell = toCsvCell(text);
      expect(cell).toMatch(/^"(?:[^"]|"")*"$/);
      const read = cell.slice(1, -1).replaceAll('""', '"');
      expect([text, `'${text}`]).toContain(read);
      if (/^-?[\d.]+$/.test(text)) expect(read).toBe(text);
      if (/^[\p{L}\p{N}]/u.test(text)) expect(read).toBe(text);
    }),
    propertyRuns(2_000),
  );
});
