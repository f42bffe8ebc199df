import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../testing/propertyRuns.ts';
import {
  earlierEmailKey,
  findPasswordProblem,
  homePathOf,
  isEmailAddress,
  normalizeEmail,
  PASSWORD_SPECIALS,
  parseEmail,
  ROLES,
  wasEmailAddress,
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

const isAscii = (text: string) => [...text].every((character) => (character.codePointAt(0) ?? 0) < 0x80);
const codePoints = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);

describe('an e-mail address', () => {
  test.each([
    'a@b.c',
    'ada.byron+wash@example.co.uk',
    "o'neil@example.org",
    'ada@exämple.org',
    'A@B.C',
    'ada@例え.テスト',
  ])('%s is valid', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

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
    'mi\u212Ae@example.org',
    'ad\u00ADa@example.org',
    '\uFF41da@example.org',
    'jos\u00E9@example.org',
    'ada.@example.org',
    'a..da@example.org',
    `${'a'.repeat(65)}@example.org`,
    'ada@example..org',
    'ada@-example.org',
    `ada@${'a'.repeat(64)}.org`,
    'ada@127.0.0.1',
    'ada@\uFF11\uFF12\uFF17.0.0.1',
    'ada@1.0x7f',
    'ada@[::1]',
    'ada@example.org:25',
    'ada@example.org%2e',
    'ada@ex%61mple.org',
    'ada@example.org/x',
    'ada@\uFF05\uFF12\uFF25.org',
    'ada\uFF20example.org',
  ])('%j is not valid', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });

  test.each([
    '  Ada@Example.ORG ',
    'ada@example.org.',
    'ada@\uFF45xample.org',
    'ada@ex\u00ADample.org',
    'ada@example\u3002org',
    'ada@examp\u2113e.org',
  ])('%j is ada@example.org', (text) => {
    expect(normalizeEmail(text)).toBe('ada@example.org');
  });

  test('is shown in the case that was typed, with the domain that mails go to', () => {
    expect(parseEmail(' Ada.Byron@\uFF25x\u00C4mple.org ')?.shown).toBe('Ada.Byron@xn--exmple-cua.org');
  });

  test('has one canonical form, in ASCII, that is its own canonical form', () => {
    const text = fc.stringMatching(/^[\w.+-]{1,8}@[\wäßKｅ\u00ad。.-]{1,12}\.[a-zé.]{1,4}$/u);
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          fc.string({ unit: 'binary' }).map((local) => `${local}@example.org`),
        ),
        (typed) => {
          const email = parseEmail(typed);
          if (!email) return;
          expect(email.canonical).toMatch(/^[!-?A-~]+@[a-z0-9.-]+$/);
          expect(parseEmail(email.canonical)).toEqual({ canonical: email.canonical, shown: email.canonical });
          expect(parseEmail(email.shown)?.canonical).toBe(email.canonical);
        },
      ),
      propertyRuns(2_000),
    );
  });

  test('with another character of Unicode in its local part is refused', () => {
    for (const code of codePoints) {
      const character = String.fromCodePoint(code);
      if (!isAscii(character) && parseEmail(`mi${character}e@example.org`)) expect.fail(`U+${code.toString(16)}`);
    }
  });

  test('with a look-alike or invisible character in its domain is refused, or mails go to the domain of its account', () => {
    const isConfusable = (character: string) =>
      [character.toLowerCase(), character.toUpperCase(), character.normalize('NFKC')].some(isAscii) ||
      /\p{Default_Ignorable_Code_Point}/u.test(character);
    let count = 0;
    for (const character of codePoints.map((code) => String.fromCodePoint(code))) {
      if (isAscii(character) || !isConfusable(character)) continue;
      count += 1;
      const email = parseEmail(`mike@exa${character}mple.org`);
      if (email && !isAscii(email.canonical)) expect.fail(`U+${character.codePointAt(0)?.toString(16)}`);
    }
    expect(count).toBeGreaterThan(5_000);
  });
});

describe('an address of an account from before', () => {
  test.each(['jos\u00E9@example.org', 'a..da@example.org', 'ada@ex_ample.org', 'mi\u212Ae@example.org'])(
    '%j is still known, but nobody can sign up with it',
    (text) => {
      expect([wasEmailAddress(text), isEmailAddress(text)]).toEqual([true, false]);
    },
  );

  test.each(['ada', '@example.org', 'ada@example', 'ada@.org', 'ada@org.', 'a@b@example.org', 'ada@example.org,x'])(
    '%j never was one',
    (text) => {
      expect(wasEmailAddress(text)).toBe(false);
    },
  );

  test('has the key in lower case that it was stored under, which is never the key of an address in ASCII', () => {
    expect(normalizeEmail(' JOS\u00C9@Example.org ')).toBe('jos\u00E9@example.org');
    expect(normalizeEmail('mi\u212Ae@example.org')).toBe('mi\u212Ae@example.org');
    for (const code of codePoints) {
      const character = String.fromCodePoint(code);
      if (isAscii(earlierEmailKey(character)) && !isAscii(character) && character.trim() !== '')
        expect.fail(`U+${code.toString(16)} becomes ASCII`);
    }
  });
});

test('each role has its own dashboard route', () => {
  expect(ROLES.map(homePathOf)).toEqual(['/bud/dashboard', '/scrub/dashboard', '/duber/dashboard']);
});
