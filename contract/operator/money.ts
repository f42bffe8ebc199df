import { z } from 'zod';
import { LEDGER_ACCOUNTS, LIABLE_PARTIES } from '../../domain/ledger.ts';
import { hasCents, id, money, numberInQuery, oneOf, searchText, strict, time, uuid } from '../fields.ts';
import { act, operatorCall } from './call.ts';

const ID = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
const params = strict({ id: id('id') });
const example = { params: { id: ID } };

const MAX_DOLLARS = 100_000;
/** Dollars to give back: above zero, in whole cents. */
const amount = z
  .number({ error: 'Say how much, in dollars' })
  .min(0.01, { error: 'The amount must be at least $0.01' })
  .max(MAX_DOLLARS, { error: `The amount must be at most $${MAX_DOLLARS}` })
  .refine(hasCents, { error: 'The amount must have at most 2 decimals' });
const liable = oneOf(LIABLE_PARTIES, `liable must be one of ${LIABLE_PARTIES.join(', ')}`);
const deliveryId = id('deliveryId').optional().describe('whose Duber bears it, when two Dubers carried the order');

const party = z.object({ id: uuid, name: z.string(), role: z.string() });

/** One line of an entry. Debits are above zero, and credits below; the lines of an entry add up to zero. */
export const LedgerLineView = z
  .object({ account: z.enum(LEDGER_ACCOUNTS), party: party.nullable(), amount: money })
  .meta({ id: 'OperatorLedgerLine' });
export type LedgerLineView = z.output<typeof LedgerLineView>;
const MAX_LINES = 50;
const lines = z.array(LedgerLineView).max(MAX_LINES);

export const RefundPreview = z
  .object({
    amount: money,
    left: money.describe('what of the charge was not given back before'),
    lines: lines.describe('what the ledger gets; none when it is not possible'),
    card: z.object({ brand: z.string().nullable(), last4: z.string().nullable() }).describe('gets the money'),
    needsApproval: z.boolean(),
    problem: z.string().nullable().describe('why it is not possible'),
    parts: z
      .object({ load: money, pickup: money, delivery: money, platformFee: money, taxes: money })
      .describe('what the order costs'),
    dubers: z
      .array(z.object({ deliveryId: uuid, name: z.string() }))
      .max(MAX_LINES)
      .describe('who carried it, by delivery'),
  })
  .meta({ id: 'RefundPreview' });
export type RefundPreview = z.output<typeof RefundPreview>;

export const previewRefund = operatorCall({
  method: 'GET',
  path: '/operator/orders/:id/refund-preview',
  permission: 'money',
  params,
  query: strict({
    amount: numberInQuery(amount, 'amount must be dollars, at least 0.01, with at most 2 decimals').optional(),
    liable,
    deliveryId,
  }),
  answer: RefundPreview,
  status: 200,
  failures: ['notFound'],
  summary: 'What giving money back would write, of everything that is left without an amount. Nothing is written',
  example: { ...example, query: { amount: '5', liable: 'platform' } },
});

export const refundOrder = act({
  path: '/operator/orders/:id/refund',
  permission: 'money',
  act: { subject: 'order', takesCode: true },
  params,
  body: {
    amount,
    liable,
    deliveryId,
    left: money.optional().describe('the `left` of the preview. When money was given back since, nothing happens'),
  },
  failures: ['notFound', 'wrongStatus', 'refundedSince'],
  summary:
    'Give money back to the card of an order. The Bud and who bears it read the reason. Above the limits it needs a second operator',
  example: { ...example, body: { amount: 5, liable: 'platform', reason: 'It came back a day late' } },
});

export const Adjustment = z
  .object({
    lines: lines.describe('what would correct the books of the order; none when nothing is wrong with them'),
    code: z.string().describe('confirms exactly these lines'),
  })
  .meta({ id: 'Adjustment' });
export type Adjustment = z.output<typeof Adjustment>;

export const previewAdjustment = operatorCall({
  method: 'GET',
  path: '/operator/orders/:id/adjustment',
  permission: 'money',
  params,
  answer: Adjustment,
  status: 200,
  failures: [],
  summary: 'What would correct the books of an order that the check of the ledger lists',
  example,
});

export const adjustOrder = act({
  path: '/operator/orders/:id/adjust',
  permission: 'money',
  act: { subject: 'order', takesCode: true, approval: 'always', alone: 'waits' },
  params,
  body: { code: z.string({ error: 'code must be the one that came with the lines' }).min(1).max(20) },
  failures: ['wrongStatus'],
  summary: 'Correct the books of an order with the lines of this code. Needs a second operator',
  example: { ...example, body: { code: '1a2b3c4d', reason: 'Its Scrub was never paid' } },
});

export const MoneyProblem = z
  .object({
    id: uuid,
    about: z.enum(['payment', 'refund']),
    kind: z
      .enum(['capture', 'hold-over', 'release', 'refund', 'discrepancy', 'slow'])
      .describe('hold-over: the hold on the card is over, so another try cannot charge it'),
    orderId: uuid,
    orderNumber: z.string().nullable(),
    orderStatus: z.string().nullable(),
    amount: money,
    squareId: z.string().nullable(),
    why: z.string(),
    since: time,
    canRetry: z.boolean(),
    canDrop: z.boolean(),
  })
  .meta({ id: 'MoneyProblem' });
export type MoneyProblem = z.output<typeof MoneyProblem>;

export const listMoneyProblems = operatorCall({
  method: 'GET',
  path: '/operator/money/problems',
  permission: 'money',
  answer: z.object({ items: z.array(MoneyProblem).max(100), hasMore: z.boolean() }).meta({ id: 'MoneyProblems' }),
  status: 200,
  failures: [],
  summary: 'Payments and refunds that need a person, oldest first, and what to do',
});

export const retryProblem = act({
  path: '/operator/payments/:id/retry',
  permission: 'money',
  act: { subject: 'payment', takesCode: true },
  params,
  failures: ['notFound'],
  summary: 'Try a payment or a refund that is stuck again',
  example: { ...example, body: { reason: 'Fixed at Square' } },
});

export const askForCard = act({
  path: '/operator/payments/:id/ask-card',
  permission: 'money',
  act: { subject: 'payment' },
  params,
  failures: ['notFound'],
  summary: 'Ask the Bud of an order for another card, by mail, because the hold on theirs is over',
  example: { ...example, body: { reason: 'The hold has run out' } },
});

export const dropRefund = act({
  path: '/operator/payments/:id/drop',
  permission: 'money',
  act: { subject: 'payment', takesCode: true },
  params,
  failures: ['notFound'],
  summary: 'Give up a refund that Square refuses. Nothing goes back to the card',
  example: { ...example, body: { reason: 'The account is closed: paid by cheque' } },
});

export const LEDGER_PAGE = 20;
const LedgerEntryView = z
  .object({
    id: z.int(),
    at: time,
    kind: z.string(),
    orderId: uuid.nullable(),
    orderNumber: z.string().nullable(),
    lines,
  })
  .meta({ id: 'OperatorLedgerEntry' });
export type LedgerEntryView = z.output<typeof LedgerEntryView>;

export const listLedger = operatorCall({
  method: 'GET',
  path: '/operator/money/ledger',
  permission: 'money',
  query: strict({
    before: numberInQuery(z.int().min(1), 'before must be the number of an entry').optional(),
    order: searchText('order', 40).optional(),
    personId: id('personId').optional(),
    account: oneOf(LEDGER_ACCOUNTS, `account must be one of ${LEDGER_ACCOUNTS.join(', ')}`).optional(),
  }),
  answer: z
    .object({
      items: z.array(LedgerEntryView).max(LEDGER_PAGE),
      next: z.int().nullable().describe('the next `before`. A page may be empty before the last one'),
    })
    .meta({ id: 'LedgerPage' }),
  status: 200,
  failures: [],
  summary: 'The entries of the ledger with all their lines, newest first',
  example: { query: {} },
});

const WEEKS_PAGE = 8;
/** A day of the town's calendar. */
const day = z.iso.date();
export const MoneyWeek = z
  .object({
    from: day.describe('a Monday of the town'),
    orders: z.int().describe('whose card was charged'),
    gross: money.describe('what was charged'),
    refunds: money.describe('what went back to cards, and chargebacks that were lost'),
    scrubs: money,
    dubers: money,
    platformFee: money,
    taxes: money,
    refundCosts: money.describe('what the platform bears: refunds, claims, and trips that no order pays'),
    cardFees: money.describe('what the card network keeps'),
    promotions: money.describe('what the platform pays for promo codes, less what went back'),
    unearned: money.describe('charged, and earned in another week'),
    net: money.describe('the platform fee less what the platform bears, the card fees and the promo codes'),
    paidOut: money,
  })
  .meta({ id: 'MoneyWeek' });
export type MoneyWeek = z.output<typeof MoneyWeek>;

export const listMoneyWeeks = operatorCall({
  method: 'GET',
  path: '/operator/money/weeks',
  permission: 'money',
  query: strict({ before: z.iso.date({ error: 'before must be a date like 2026-11-23' }).optional() }),
  answer: z
    .object({
      timeZone: z.string(),
      weeks: z.array(MoneyWeek).max(WEEKS_PAGE),
      next: day.nullable().describe('the next `before`'),
    })
    .meta({ id: 'MoneyWeeks' }),
  status: 200,
  failures: [],
  summary: "What was charged, given back and earned by week of the town's time zone, newest first",
  example: { query: {} },
});
