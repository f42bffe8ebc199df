import { z } from 'zod';
import { BANK_FILES } from '../../domain/bankFiles.ts';
import { PENDING_REASONS } from '../../domain/earnings.ts';
import { PAYOUT_STATUSES } from '../../domain/payouts.ts';
import { id, money, oneOf, strict, text, time, uuid } from '../fields.ts';
import { iban, inBankLetters, routingNumber } from '../payoutAccounts.ts';
import { act, operatorCall } from './call.ts';
import { pageInQuery } from './pages.ts';

const person = z.object({ id: uuid, name: z.string(), role: z.string() });

export const PayoutRow = z
  .object({
    id: uuid,
    person,
    earnedBefore: time.describe('a Monday, 00:00 UTC'),
    amount: money,
    state: z.enum(PAYOUT_STATUSES),
    batch: z.string().nullable(),
    sentAt: time.nullable(),
    returnedAt: time.nullable(),
  })
  .meta({ id: 'PayoutRow' });
export type PayoutRow = z.output<typeof PayoutRow>;

const WaitingCredit = z
  .object({
    person,
    why: z.enum(PENDING_REASONS),
    amount: money,
    orders: z.int(),
    since: time,
    until: time.nullable().describe('when it ends by itself'),
  })
  .meta({ id: 'WaitingCredit' });
export type WaitingCredit = z.output<typeof WaitingCredit>;

export const FileDownload = z
  .object({
    batch: z.string(),
    format: z.enum(BANK_FILES).nullable().describe('null for one of an earlier release'),
    by: z.string(),
    at: time,
  })
  .meta({ id: 'FileDownload' });
export type FileDownload = z.output<typeof FileDownload>;

export const CsvFile = z.object({ name: z.string(), text: z.string() }).meta({ id: 'OperatorCsvFile' });

const payoutSum = z.object({ payouts: z.int(), amount: money });

const BankFileAnswer = z
  .object({
    name: z.string(),
    text: z.string(),
    left: payoutSum.describe(
      'what is not in the file: its people have no account of this kind, or are in another file already',
    ),
    returned: payoutSum.describe('what is not in the file, because the bank has sent it back'),
  })
  .meta({ id: 'BankFile' });

const AchOrigin = z
  .object({ routingNumber: z.string(), bankName: z.string(), companyName: z.string(), companyId: z.string() })
  .meta({ id: 'TownUsBank' });
const IbanOrigin = z.object({ name: z.string(), iban: z.string() }).meta({ id: 'TownIban' });

export const PAYOUTS_PAGE = 20;
const MAX_WAITING = 200;

export const listPayouts = operatorCall({
  method: 'GET',
  path: '/operator/payouts',
  permission: 'money',
  query: strict({ page: pageInQuery(10_000) }),
  answer: z
    .object({
      due: z.object({ amount: money, people: z.int() }).describe('everything that the next batch sends'),
      items: z.array(PayoutRow).max(PAYOUTS_PAGE),
      downloads: z
        .array(FileDownload)
        .max(PAYOUTS_PAGE * (BANK_FILES.length + 1))
        .describe('who has opened the files of these batches last'),
      hasMore: z.boolean(),
      bank: z
        .object({ usBank: AchOrigin.nullable(), iban: IbanOrigin.nullable() })
        .describe('where the town pays from'),
      waiting: z.array(WaitingCredit).max(MAX_WAITING).describe('what is earned and in no payout yet, and why'),
    })
    .meta({ id: 'OperatorPayouts' }),
  status: 200,
  failures: [],
  summary: 'Payouts, newest week first, and what waits',
  example: { query: {} },
});

export const runPayouts = act({
  path: '/operator/payouts/run',
  permission: 'money',
  act: { subject: 'town', takesCode: true },
  failures: [],
  summary: 'Make the payouts of everything earned before Monday. The server does the same on its own',
  example: { body: { reason: 'A hold has ended' } },
});

export const sendPayouts = act({
  path: '/operator/payouts/send',
  permission: 'money',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  body: {
    amount: money
      .min(0.01, { error: 'amount must be what is due' })
      .max(10_000_000)
      .describe('what is due, as it was shown'),
  },
  failures: ['wrongStatus'],
  summary: 'Put everything that is due into a batch for the bank. Needs a second operator',
  example: { body: { amount: 120.5, reason: 'The payouts of Monday' } },
});

export const returnPayout = act({
  path: '/operator/people/:id/payouts/:payoutId/return',
  permission: 'money',
  act: { subject: 'person', takesCode: true, approval: 'always', alone: 'waits' },
  params: strict({ id: id('id'), payoutId: id('payoutId') }),
  failures: ['notFound', 'wrongStatus'],
  summary:
    'The bank has sent a payout back. The person is owed it again, and their payouts wait until an operator lifts the hold. Needs a second operator',
  example: {
    params: { id: '0192f0c1-7a3b-7c4d-8e5f-0123456789ab', payoutId: '0192f0c1-7a3b-7c4d-8e5f-0123456789ac' },
    body: { reason: 'The account is closed' },
  },
});

export const setUsBank = act({
  path: '/operator/town/us-bank',
  permission: 'money',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  body: {
    routingNumber,
    bankName: inBankLetters(
      text({ required: 'The name of the bank is required', name: 'The name of the bank', max: 23 }),
      'The name of the bank',
    ),
    companyName: inBankLetters(
      text({ required: 'The name of the town is required', name: 'The name of the town', max: 23 }),
      'The name of the town',
    ),
    companyId: text({ required: 'The number from the bank is required', name: 'The number', max: 10 }).refine(
      (id) => /^[A-Za-z0-9]{10}$/.test(id),
      { error: 'The number from the bank has 10 letters or digits', params: { constraint: 'isCompanyId' } },
    ),
  },
  failures: [],
  summary: 'The account at a bank of the USA that payouts are sent from. Needs a second operator',
  example: {
    body: {
      routingNumber: '021000021',
      bankName: 'First Bank',
      companyName: 'Soapwick',
      companyId: '1234567890',
      reason: 'We have an account now',
    },
  },
});

export const setIban = act({
  path: '/operator/town/iban',
  permission: 'money',
  act: { subject: 'town', takesCode: true, approval: 'always' },
  body: { name: text({ required: 'The name of the holder is required', name: 'The name', max: 70 }), iban },
  failures: [],
  summary: 'The account with an IBAN that payouts are sent from. Needs a second operator',
  example: { body: { name: 'Soapwick', iban: 'DE89370400440532013000', reason: 'We have an account now' } },
});

const batch = z.string().regex(/^[\w-]{1,40}$/, 'batch must be the name of a batch');
const format = oneOf(BANK_FILES, `format must be one of ${BANK_FILES.join(', ')}`);

export const openPayoutFile = act({
  path: '/operator/payouts/:batch/open-file',
  permission: 'money',
  act: { subject: 'town', takesCode: true },
  params: strict({ batch }),
  body: { format: format.optional() },
  failures: ['notFound', 'wrongStatus'],
  summary:
    'Say why one reads a file of a batch. It has the bank accounts of its people, and can be read for 15 minutes. A file for a bank is made the first time, and then stays as it is',
  example: { params: { batch: '2026-11-23-0123abcd' }, body: { format: 'nacha', reason: 'For the bank' } },
});

export const readPayoutFile = operatorCall({
  method: 'GET',
  path: '/operator/payouts/:batch/file',
  permission: 'money',
  params: strict({ batch }),
  query: strict({ format: format.optional() }),
  answer: BankFileAnswer,
  status: 200,
  failures: ['notFound', 'fileNotOpened', 'wrongStatus'],
  summary:
    'The file of a batch for the bank, with the accounts of its people: a table with everybody, a table with those in no other file, NACHA for banks of the USA, or ISO 20022 for accounts with an IBAN. Payouts that came back are not in it. Needs `openPayoutFile` with this format before',
  example: { params: { batch: '2026-11-23-0123abcd' }, query: { format: 'nacha' } },
});
