import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Card, Payments } from './squareTypes.ts';
import { billingContactOf, tokenize } from './tokenize.ts';

/** The SDK needs a browser and the card network; these are its documented answers. */
const fakeCard = (tokenizes: Card['tokenize']) => ({ tokenize: tokenizes }) as Card;
const fakePayments = (verifyBuyer: Payments['verifyBuyer']) => ({ verifyBuyer }) as Payments;
const validCard = fakeCard(async () => ({ status: 'OK', token: 'cnon:one' }));
const verifyingPayments = fakePayments(async () => ({ token: 'verf:one', userChallenged: false }));
const payment = (dollars = 10, saveCard = false) => ({ dollars, billingContact: { givenName: 'Ada' }, saveCard });

const warnings: unknown[] = [];
beforeEach(() => {
  warnings.length = 0;
  vi.spyOn(console, 'warn').mockImplementation((...words) => warnings.push(words));
});
afterEach(() => vi.restoreAllMocks());

test('a valid card becomes a token that the bank verified for the amount', async () => {
  const asked: unknown[] = [];
  const payments = fakePayments(async (source, details) => {
    asked.push(source, details);
    return { token: 'verf:one', userChallenged: false };
  });
  const token = await tokenize({ payments, card: validCard }, payment(26.8));
  expect(token).toEqual({ paymentSourceId: 'cnon:one', verificationToken: 'verf:one' });
  expect(asked).toEqual([
    'cnon:one',
    { amount: '26.80', currencyCode: 'USD', intent: 'CHARGE', billingContact: { givenName: 'Ada' } },
  ]);
});

test('a card that is saved with the payment is verified for both, and the token says so', async () => {
  const intents: string[] = [];
  const payments = fakePayments(async (_source, { intent }) => {
    intents.push(intent);
    return { token: 'verf:one' };
  });
  const token = await tokenize({ payments, card: validCard }, payment(10, true));
  expect(token).toEqual({ paymentSourceId: 'cnon:one', verificationToken: 'verf:one', saveCard: true });
  expect(intents).toEqual(['CHARGE_AND_STORE']);
});

test('a bank without verification leaves the token as it is', async () => {
  const token = await tokenize({ payments: fakePayments(async () => null), card: validCard }, payment());
  expect(token).toEqual({ paymentSourceId: 'cnon:one' });
});

test('a card that cannot be tokenized is only logged, whether refused or thrown', async () => {
  const refused = fakeCard(async () => ({ status: 'Invalid', errors: [] }));
  const broken = fakeCard(async () => {
    throw new Error('The card could not be sent');
  });
  expect(await tokenize({ payments: verifyingPayments, card: refused }, payment())).toBe('invalid');
  expect(await tokenize({ payments: verifyingPayments, card: broken }, payment())).toBe('invalid');
  expect(warnings).toHaveLength(2);
});

test('a buyer that the bank does not confirm has its own result', async () => {
  const refuses = fakePayments(async () => {
    throw new Error('challenge failed');
  });
  expect(await tokenize({ payments: refuses, card: validCard }, payment())).toBe('unverified');
});

test('the billing contact contains what the profile has', () => {
  const user = { fullname: ' Ada  King Byron ', email: 'ada@example.org', phone: null };
  expect(billingContactOf(user, undefined)).toEqual({
    givenName: 'Ada',
    familyName: 'King Byron',
    email: 'ada@example.org',
  });
  expect(billingContactOf({ ...user, fullname: 'Ada', phone: '+12025550123' }, '12 Heron Street')).toEqual({
    givenName: 'Ada',
    email: 'ada@example.org',
    phone: '+12025550123',
    addressLines: ['12 Heron Street'],
  });
});
