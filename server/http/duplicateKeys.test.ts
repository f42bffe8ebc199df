import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findDuplicateKey } from './duplicateKeys.ts';

test.each([
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"b":{"c":1,"c":2}}', 'c'],
  ['[1,{"x":[],"y":{},"x":"}"}]', 'x'],
  // The same key in two spellings.
  [String.raw`{"email":1,"em\u0061il":2}`, 'email'],
  [String.raw`{"a\"":1,"b":"\\","a\"":2}`, 'a"'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('%s has the key %s twice', (json, key) => {
  expect(findDuplicateKey(json)).toBe(key);
});

test.each([
  '{"a":1,"A":1,"á":1}',
  '{"a":{"a":{"a":"a"}},"b":["a","a",{"a":1},{"a":1}]}',
  String.raw`{"a":"\"a\":1","b":"\\\",{\"a\":1","c":",\"a\":"}`,
  '["a","a"]',
  '"a"',
  '1',
  'null',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
])('%s has no key twice', (json) => {
  expect(findDuplicateKey(json)).toBeUndefined();
});

test('output of JSON.stringify never has a key twice, and always has when one member is written again', () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), fc.jsonValue(), (json, key, value) => {
      expect(findDuplicateKey(json)).toBeUndefined();
      const [name, nested] = [JSON.stringify(key), JSON.stringify(value)];
      expect(findDuplicateKey(`[${json},{${name}:${nested},"other than ${name.slice(1)}:${json},${name}:0}]`)).toBe(
        key,
      );
    }),
  );
});
