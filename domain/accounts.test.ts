import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findPasswordProblem,
  homePathOf,
  isEmailAddress,
  normalizeEmail,
  PASSWORD_SPECIALS,
  ROLES,
} from './accounts.ts';

describe('a new password', () => {
  test.each([
    ['', 'short'],
    ['Aa1!aaa', 'short'],
    ['aaaaaaaa', 'no-uppercase'],
    ['AAAAAAAA', 'no-digit'],
    ['AAAAAAA1', 'no-lowercase'],
    ['AAAAAAa1', 'no-special'],
    ['AAAAAa1~', 'no-special'],
    ['AAAAAa1 ', 'no-special'],
    ['AAAAAa1!', undefined],
    ['ÄÖÜäöü1!', 'no-uppercase'],
  ])('%s', (password, fault) => {
    expect(findPasswordProblem(password)).toBe(fault);
  });

  test('may take any of the special characters', () => {
    expect(PASSWORD_SPECIALS).toBe('!@#$%^&*()-_=+{};:,<.>');
    for (const special of PASSWORD_SPECIALS) expect(findPasswordProblem(`Rubadub1${special}`)).toBeUndefined();
  });

  test('is named by the first rule it breaks, in the order of the spec', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (password) => {
        const broken = [
          password.length < 8 && 'short',
          !/[A-Z]/.test(password) && 'no-uppercase',
          !/\d/.test(password) && 'no-digit',
          !/[a-z]/.test(password) && 'no-lowercase',
          !/[!@#$%^&*()\-_=+{};:,<.>]/.test(password) && 'no-special',
        ].filter(Boolean);
        expect(findPasswordProblem(password)).toBe(broken[0]);
      }),
    );
  });
});

describe('an e-mail address', () => {
  test.each(['a@b.c', 'ada.byron+wash@example.co.uk', "o'neil@example.org", 'ada@exämple.org', 'A@B.C'])(
    '%s',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );

  test.each([
    '',
    'ada',
    'ada@example',
    '@example.org',
    'ada@',
    'a b@example.org',
    'a@b@example.org',
    'ada@example.org,eve@example.org',
    'ada@example.org>',
    '"ada"@example.org',
    'ada@.',
    `${'a'.repeat(250)}@b.co`,
    'ada@example.org\nBcc: eve@example.org',
  ])('is not %j', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });

  test('is the same in another case, or with spaces around it', () => {
    expect(normalizeEmail('  Ada@Example.ORG ')).toBe(normalizeEmail('ada@example.org'));
  });
});

test('each role has its own home', () => {
  expect(ROLES.map(homePathOf)).toEqual(['/bud/dashboard', '/scrub/dashboard', '/duber/dashboard']);
});
