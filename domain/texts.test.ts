import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../testing/propertyRuns.ts';
import { findTextProblem, normalizeText, toSafeLine } from './texts.ts';

const NAME = { lines: 'one', isName: true } as const;
const LINE = { lines: 'one' } as const;
const LINES = { lines: 'many' } as const;
const problemOf = (text: string, rule: Parameters<typeof findTextProblem>[1]) =>
  findTextProblem(normalizeText(text, rule), rule);

describe('a name may be', () => {
  test.each([
    'Ada Byron',
    'J.R.R. Tolkien',
    'J.R.R.Tolkien',
    'St. John',
    'Sammy Davis Jr.',
    "O'Neil-Müller",
    'Nguyễn Thị Minh Khai',
    'José',
    '葛\u{E0100}城',
    'اُمید\u200Cوار',
    'क्\u200Dष',
    'নিতা',
    'אָדָם',
    '김철수',
    'Ada 😀',
    'Fire 👩🏽\u200D🚒 ❤\uFE0F\u200D🔥',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} #1\uFE0F\u20E3',
    '<b>Ada</b>',
    "Robert'); drop table users; --",
    'Ada 2.0',
    'a...b',
  ])('%s', (name) => {
    expect(problemOf(name, NAME)).toBeUndefined();
  });
});

describe('a name may not be', () => {
  test.each([
    ['Ada\nByron', 'several-lines'],
    ['Ada\r\nBcc: eve@example.org', 'several-lines'],
    ['Ada\u2028Byron', 'several-lines'],
    ['Ada\u0085Byron', 'several-lines'],
    ['Ada\tByron', 'control'],
    ['Ada\u0000', 'control'],
    ['Ada\u009B31m', 'control'],
    ['Ada\uFFFE', 'control'],
    ['Ada\uFFFF', 'control'],
    ['Ada\uFDD0', 'control'],
    ['Ada\u{1FFFF}', 'control'],
    ['Ada\uD800', 'control'],
    ['Ada\u202Eb', 'invisible'],
    ['Ada\u2066b', 'invisible'],
    ['Ada\u200Fb', 'invisible'],
    ['Ada\u061Cb', 'invisible'],
    ['Ad\u00ADa', 'invisible'],
    ['Ad\u200Ba', 'invisible'],
    ['Ad\u200Da', 'invisible'],
    ['Ad\u200C\u200Ca', 'invisible'],
    ['Ad\uFE0Fa', 'invisible'],
    ['Ada\u{E0041}', 'invisible'],
    ['Ada\u3164', 'invisible'],
    ['\u2800', 'empty'],
    ['\u0301', 'empty'],
    ['https://evil.example', 'web-address'],
    ['See www.evil', 'web-address'],
    ['evil.com', 'web-address'],
    ['Ada (evil.com/pay)', 'web-address'],
    ['\uFF45vil\uFF0Ecom', 'web-address'],
    ['t.me/x', 'web-address'],
    ['ada@evil.org', 'web-address'],
    ['Evil.Com', 'web-address'],
    ['EVIL.ORG', 'web-address'],
  ])('%j, because of %s', (name, problem) => {
    expect(problemOf(name, NAME)).toBe(problem);
  });
});

test.each(['St.John', 'Mr.Smith', 'Wash & Co.Ltd', 'Main St.Laundry', 'J.R.R.Tolkien'])('%s is a name', (name) => {
  expect(problemOf(name, NAME)).toBeUndefined();
});

test('an address or an instruction may contain a web address', () => {
  expect(problemOf('See https://example.org/door', LINE)).toBeUndefined();
  expect(problemOf('See https://example.org/door\n\tand ring', LINES)).toBeUndefined();
});

test('a text of several lines has one kind of line break', () => {
  expect(normalizeText(' a\r\nb\rc\u2028d\u0085', LINES)).toBe('a\nb\nc\nd');
  expect(problemOf('a\u000Bb', LINES)).toBe('control');
});

test('a text is normalized once and for all, and its rules do not depend on how it is composed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(NAME, LINE, LINES), (text, rule) => {
      const normal = normalizeText(text, rule);
      expect(normalizeText(normal, rule)).toBe(normal);
      expect(normalizeText(normal.normalize('NFD'), rule)).toBe(normal);
      if (findTextProblem(normal, LINE) === undefined) expect(toSafeLine(normal)).toBe(normal);
    }),
    propertyRuns(2_000),
  );
});

test('a text from before the rules becomes one line that reads from start to end', () => {
  expect(toSafeLine('Ada\r\nBcc: eve\u0000 \u202Egnp.exe\u2069')).toBe('Ada Bcc: eve  gnp.exe');
});

test('direction marks around a text that was pasted are removed, and those inside it are refused', () => {
  const rule = { lines: 'one' } as const;
  expect(normalizeText('\u202a+1 202 555 0123\u202c \u200f', rule)).toBe('+1 202 555 0123');
  expect(findTextProblem(normalizeText('call \u202a+1 202\u202c now', rule), rule)).toBe('invisible');
});
