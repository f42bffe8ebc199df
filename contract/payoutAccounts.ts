import { z } from 'zod';
import { hasBankLetters } from '../domain/nacha.ts';
import { isIban, isRoutingNumber, normalizeIban, PAYOUT_METHODS } from '../domain/payoutAccounts.ts';
import { withoutSeparators } from '../domain/typed.ts';
import { call } from './call.ts';
import { currentPassword, oneOf, personName, strict, time } from './fields.ts';

const StoredAccount = z
  .object({
    method: z.enum(PAYOUT_METHODS),
    last4: z.string().describe('the end of the account number'),
    changedAt: time,
    paysFrom: time.describe('payouts wait until then, so that a change that the owner did not make can be stopped'),
  })
  .meta({ id: 'PayoutAccount' });

export const PayoutAccountAnswer = z.object({ account: StoredAccount.nullable().describe('null without one') });
export type PayoutAccountAnswer = z.output<typeof PayoutAccountAnswer>;

const holder = personName({ required: 'The name of the holder is required', name: 'The name', max: 70 });
const digits = (name: string, pattern: RegExp, message: string) =>
  z
    .string({ error: `${name} is required` })
    .transform(withoutSeparators)
    .refine((value) => pattern.test(value), { error: message, params: { constraint: 'isAccountNumber' } });

export const routingNumber = digits('The routing number', /^\d{9}$/, 'The routing number has 9 digits').refine(
  isRoutingNumber,
  {
    error: 'This is not a routing number. Please check its digits',
    params: { constraint: 'isRoutingNumber' },
  },
);

export const iban = z
  .string({ error: 'The IBAN is required' })
  .max(60, { error: 'This is not an IBAN' })
  .transform(normalizeIban)
  .refine(isIban, {
    error: 'This is not an IBAN. Please check its letters and digits',
    params: { constraint: 'isIban' },
  });

/** Banks of the USA read Latin letters only. What has none of them would be paid to a blank name. */
export const inBankLetters = (field: z.ZodType<string>, name: string) =>
  field.refine(hasBankLetters, {
    error: `${name} needs Latin letters, as the bank writes it`,
    params: { constraint: 'isLatin' },
  });

const AmericanAccount = strict({
  method: z.literal('us-bank'),
  holder: inBankLetters(holder, 'The name'),
  routingNumber,
  accountNumber: digits('The account number', /^\d{4,17}$/, 'The account number has 4 to 17 digits'),
  accountType: oneOf(['checking', 'savings'], 'Choose checking or savings'),
});

const IbanAccount = strict({
  method: z.literal('iban'),
  holder,
  iban,
});

export const readPayoutAccount = call({
  method: 'GET',
  path: '/earnings/account',
  who: ['Scrub', 'Duber'],
  answer: PayoutAccountAnswer,
  status: 200,
  failures: [],
  summary: "Where the caller's payouts go. Only the end of the number is ever shown again",
  spec: '9',
});

export const changePayoutAccount = call({
  method: 'POST',
  path: '/earnings/account',
  who: ['Scrub', 'Duber'],
  body: strict({
    password: currentPassword,
    account: z.discriminatedUnion('method', [AmericanAccount, IbanAccount], { error: 'Choose an account' }),
  }),
  answer: PayoutAccountAnswer,
  status: 200,
  failures: ['tooMany'],
  summary:
    "Add the bank account for the caller's payouts, or change it. Payouts wait for 7 days then, and the caller is mailed",
  spec: '9',
  example: {
    body: {
      password: 'Rubadub1!',
      account: { method: 'iban', holder: 'Sid Soap', iban: 'DE89370400440532013000' },
    },
  },
});
