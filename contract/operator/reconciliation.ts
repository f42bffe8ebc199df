import { z } from 'zod';
import { DAY_STATES, DAY_SUMS, MAX_DIFFERENCES } from '../../domain/reconciledDays.ts';
import { money, strict, time, uuid } from '../fields.ts';
import { act, operatorCall } from './call.ts';
import { pageInQuery, pageOf } from './pages.ts';

const day = z.iso.date({ error: 'day must be a date like 2026-11-23' });
const params = strict({ day });
const example = { params: { day: '2026-11-23' } };

const Sums = z.object({
  charged: money,
  refunded: money,
  fees: money.describe('what the card network keeps'),
  disputed: money.describe('what chargebacks have taken, and not brought back'),
  net: money.describe('what was charged, less the others'),
});

export const ReconciledDay = z
  .object({
    day: z.iso.date().describe('of UTC, by when the card network says that it happened'),
    state: z.enum(DAY_STATES).nullable().describe('null until it was compared for the first time'),
    isChecking: z.boolean().describe('whether it is compared now, or soon'),
    checkedAt: time.nullable(),
    ours: Sums.nullable().describe('what the ledger says'),
    theirs: Sums.nullable().describe('what the card network says'),
    difference: money.nullable().describe('theirs less ours. Two differences can make it zero'),
    counts: z
      .object({ charged: z.int(), refunded: z.int(), disputed: z.int() })
      .nullable()
      .describe('payments, refunds and chargebacks at the card network'),
    differing: z.int().describe('how many amounts differ'),
    failure: z.string().nullable().describe('why the last try failed'),
  })
  .meta({ id: 'ReconciledDay' });
export type ReconciledDay = z.output<typeof ReconciledDay>;

const DayDifference = z
  .object({
    what: z.enum(DAY_SUMS),
    squareId: z.string().describe('of the payment at the card network'),
    orderId: uuid.nullable().describe('null for a payment that only the card network knows'),
    orderNumber: z.string().nullable(),
    ours: money,
    theirs: money,
  })
  .meta({ id: 'DayDifference' });
export type DayDifference = z.output<typeof DayDifference>;

export const DAYS_PAGE = 31;

export const listReconciledDays = operatorCall({
  method: 'GET',
  path: '/operator/reconciliation',
  permission: 'money',
  query: strict({ page: pageInQuery() }),
  answer: pageOf(ReconciledDay, DAYS_PAGE).meta({ id: 'ReconciledDays' }),
  status: 200,
  failures: [],
  summary: 'What the ledger and the card network say of each day of UTC, newest first',
  example: { query: {} },
});

export const readReconciledDay = operatorCall({
  method: 'GET',
  path: '/operator/reconciliation/:day',
  permission: 'money',
  params,
  answer: ReconciledDay.extend({
    differences: z.array(DayDifference).max(MAX_DIFFERENCES).describe('the first of them'),
  }).meta({ id: 'ReconciledDayDetails' }),
  status: 200,
  failures: ['notFound'],
  summary: 'One day, with the amounts that differ',
  example,
});

export const recheckDay = act({
  path: '/operator/reconciliation/:day/recheck',
  permission: 'money',
  act: { subject: 'town' },
  params,
  failures: ['notFound'],
  summary: 'Compare a day with the card network again',
  example: { ...example, body: { reason: 'Refunded at Square' } },
});
