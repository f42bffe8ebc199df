import { z } from 'zod';
import { PENDING_REASONS } from '../domain/earnings.ts';
import { ENTRY_KINDS } from '../domain/ledger.ts';
import { PAYOUT_STATUSES } from '../domain/payouts.ts';
import { call } from './call.ts';
import { id, money, orderNumber, strict, time, uuid } from './fields.ts';

const Week = z.object({ from: time.describe('a Monday, 00:00 UTC'), earned: money }).meta({ id: 'EarningsWeek' });

const Payout = z
  .object({
    id: uuid,
    periodEnd: time.describe('a Monday, 00:00 UTC; all lines of the payout are from before it'),
    amount: money,
    status: z.enum(PAYOUT_STATUSES),
    createdAt: time,
    sentAt: time.nullable(),
  })
  .meta({ id: 'Payout' });
export type Payout = z.output<typeof Payout>;

export const Earnings = z
  .object({
    totalEarning: money.describe('all earnings, less refunds that the caller pays for'),
    paidOut: money,
    balance: money.describe('what is still owed; a negative balance is deducted from the next earnings'),
    held: money.describe('the part of the balance that is in no payout before something has happened'),
    nextPayoutAt: time,
    weeks: z.array(Week).describe('the last 26 weeks, oldest first'),
    payouts: z.array(Payout).describe('the last 104, newest first'),
  })
  .meta({ id: 'Earnings' });
export type Earnings = z.output<typeof Earnings>;

export const EarningLine = z
  .object({
    at: time,
    kind: z.enum(ENTRY_KINDS),
    orderId: uuid.nullable(),
    orderNumber: orderNumber.nullable().optional().describe('the number of the order, as people say it'),
    deliveryId: uuid.nullable(),
    reason: z
      .string()
      .nullable()
      .describe('of a refund, of a correction, and of a part that is set aside the reason of its hold'),
    isBorne: z.boolean().optional().describe('whether the caller pays a Duber, because they have caused the trip'),
    waitsFor: z.enum(PENDING_REASONS).nullable().describe('why no payout contains it yet'),
    payableFrom: time.nullable().describe('when nobody can claim it any more; null when it waits for something else'),
    amount: money.describe('negative for a refund that the caller pays for'),
  })
  .meta({ id: 'EarningLine' });
export type EarningLine = z.output<typeof EarningLine>;

export const earnings = call({
  method: 'GET',
  path: '/earnings',
  who: ['Scrub', 'Duber'],
  answer: Earnings,
  status: 200,
  failures: [],
  summary: "The caller's earnings by week, balance and payouts",
  spec: '9',
});

export const earningLines = call({
  method: 'GET',
  path: '/earnings/lines',
  who: ['Scrub', 'Duber'],
  query: strict({ payoutId: id('payoutId').optional() }),
  answer: z.array(EarningLine),
  status: 200,
  failures: ['notFound'],
  summary: "The ledger lines of one of the caller's payouts, or those of the next one; oldest first",
  spec: '9',
  example: { query: {} },
});

/** Of the orders that were placed in the last weeks, this one included; of a Duber their deliveries. Null where none says anything yet. */
export const WorkFigures = z
  .object({
    weeks: z.int(),
    done: z.int().describe('orders that were completed, or deliveries that were delivered'),
    minutesToYes: z.number().nullable().describe('from being asked to the yes, of a Scrub: half of them were faster'),
    hourly: money
      .nullable()
      .describe("what was earned for each hour from an order's start to its completion, or from a yes to the delivery"),
    rating: z.number().nullable().describe('of all time'),
    ratingCount: z.int(),
  })
  .meta({ id: 'WorkFigures' });
export type WorkFigures = z.output<typeof WorkFigures>;

export const workFigures = call({
  method: 'GET',
  path: '/earnings/figures',
  who: ['Scrub', 'Duber'],
  answer: WorkFigures,
  status: 200,
  failures: [],
  summary: "How the caller's work of the last weeks went. Nobody else on the marketplace sees it",
  spec: '9',
});
