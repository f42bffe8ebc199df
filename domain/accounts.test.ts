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

describe('a new password is checked against the rules', () => {
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
  ])('the first problem of %j is %s', (password, problem) => {
    expect(findPasswordProblem(password)).toBe(problem);
  });

  test('each special character of the specification is accepted', () => {
    expect(PASSWORD_SPECIALS).toBe('!@#$%^&*()-_=+{};:,<.>');
    for (const special of PASSWORD_SPECIALS) expect(findPasswordProblem(`Rubadub1${special}`)).toBeUndefined();
  });

  test('the problem is the first rule that is broken, in the order of the specification', () => {
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
    '%s is valid',
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
  ])('%j is not valid', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });

  test('upper case and spaces around it make no difference', () => {
    expect(normalizeEmail('  Ada@Example.ORG ')).toBe(normalizeEmail('ada@example.org'));
  });
});

test('each role has its own dashboard route', () => {
  expect(ROLES.map(homePathOf)).toEqual(['/bud/dashboard', '/scrub/dashboard', '/duber/dashboard']);
});
