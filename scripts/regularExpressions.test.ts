import { expect, test } from 'vitest';
import { findSlowRegularExpressions } from './regularExpressions.ts';

const check = (path: string, text: string) => findSlowRegularExpressions(new Map([[path, text]]));

test.each([
  String.raw`export const isOneClick = (form: string) => /List-Unsubscribe\s*(?:=|"\s+)\s*One-Click/i.test(form);`,
  String.raw`const trimmed = text.replace(/\/+$/, '');`,
  String.raw`const pattern = new RegExp('^(\\w+\\s?)*$');`,
  `const pattern = RegExp('<(https?:[^>]+)>', 'g');`,
  `const pattern = z.string().regex(/^(?:a|a)*$/);`,
  `const pattern = /(a?){40}a{40}/;`,
])('%s fails the check', (text) => {
  const [problem, ...others] = check('server/orders/orders.ts', `\n${text}`);
  expect(problem).toMatch(/^server\/orders\/orders\.ts:2: .* is slow for some texts/);
  expect(others).toEqual([]);
});

test.each([
  String.raw`const isNumber = /^-?\d+(\.\d+)?$/.test(text);`,
  `const pattern = new RegExp('^[a-z]+$', 'i');`,
  `const division = total / count / /[a-z]+/.exec(name)!.length;`,
  `const text = '/(a+)+$/';`,
])('%s passes', (text) => {
  expect(check('web/ui/format.ts', text)).toEqual([]);
});

test('an expression that is only known when the program runs cannot be checked', () => {
  expect(check('server/x.ts', 'export const find = (name: string) => new RegExp(name);')).toEqual([
    expect.stringMatching(/^server\/x\.ts:1: .* cannot be checked: write it as a literal$/),
  ]);
});

test('tests may use any expression, because they choose the text as well', () => {
  expect(check('server/x.test.ts', 'const pattern = /(a+)+$/;')).toEqual([]);
});
