import { sql } from 'kysely';
import type { PendingReason } from '../../../domain/earnings.ts';
import type { LedgerAccount } from '../../../domain/ledger.ts';
import type { Cents } from '../../../domain/payments.ts';
import { PAYOUT_ACCOUNT_WAIT_MS } from '../../../domain/payoutAccounts.ts';
import type { PayoutStatus } from '../../../domain/payouts.ts';
import { isRestrictedFrom } from '../../auth/restrictions.sql.ts';
import { queryRow, queryRows, type Tx } from '../../db/database.ts';
import type { PageBounds } from '../../db/pages.ts';
import { entriesOf } from './orderLedger.sql.ts';
import { isInPayout, ownPendingReason } from './pendingPayouts.sql.ts';

// What operators read about all of the money. Each statement reads a bounded part of the ledger.

type Person = { readonly id: string; readonly name: string; readonly role: string };

export type WeekOfMoney = {
  /** A Monday of the town, like 2026-11-23. */
  readonly from: string;
  readonly orders: number;
  readonly gross: Cents;
  readonly refunds: Cents;
  readonly scrubs: Cents;
  readonly dubers: Cents;
  readonly platformFee: Cents;
  readonly taxes: Cents;
  readonly refundCosts: Cents;
  readonly cardFees: Cents;
  readonly promotions: Cents;
  readonly unearned: Cents;
  readonly paidOut: Cents;
};

const WEEKS = 8;

/** The week after the last one that is asked for: of a date, or of a time in the time zone. */
const endSql = (before: string | undefined, timeZone: string, now: Date) =>
  before === undefined
    ? sql`date_trunc('week', ${now}::timestamptz at time zone ${timeZone}::text) + interval '7 days'`
    : sql`date_trunc('week', ${before}::timestamp)`;

const credits = (account: LedgerAccount) =>
  sql`coalesce(-sum(l.amount) filter (where l.account = ${sql.lit(account)} and l.kind not in ('paid-out', 'payout-returned')), 0)::float8`;
/** Charged and given back: fees and chargebacks are not. */
const CLEARING = sql`l.account = 'card-clearing' and l.kind not in ('card-fee', 'disputed', 'dispute-won', 'dispute-lost')`;

/** The sums of some weeks of the town's time zone, newest first, in cents: credits above zero. */
export async function listWeeksOfMoney(
  tx: Tx,
  { before, timeZone, now }: { before: string | undefined; timeZone: string; now: Date },
): Promise<{ weeks: WeekOfMoney[]; hasMore: boolean }> {
  const rows = await queryRows<WeekOfMoney & { isStart: boolean }>(
    tx,
    sql`with bounds as (select b.until, b.until - make_interval(days => ${sql.lit(7 * WEEKS)}) as since
        from (select ${endSql(before, timeZone, now)} as until) b),
      sums as (
        select date_trunc('week', l.at at time zone ${timeZone}::text) as week,
          count(*) filter (where l.kind = 'captured' and ${CLEARING})::int as orders,
          coalesce(sum(l.amount) filter (where ${CLEARING} and l.amount > 0), 0)::float8 as gross,
          coalesce(-sum(l.amount) filter (where ${CLEARING} and l.amount < 0 or l.account = 'disputes' and l.kind = 'dispute-lost'), 0)::float8 as refunds,
          ${credits('scrub')} as scrubs, ${credits('duber')} as dubers, ${credits('platform-revenue')} as "platformFee",
          ${credits('taxes-payable')} as taxes, 0 - ${credits('refund-costs')} as "refundCosts",
          0 - ${credits('card-fees')} as "cardFees",
          0 - ${credits('promotions')} as promotions, ${credits('unearned')} as unearned,
          coalesce(-sum(l.amount) filter (where l.account = 'payouts'), 0)::float8 as "paidOut"
        from ledger_lines l, bounds b
        where l.at >= b.since at time zone ${timeZone}::text and l.at < b.until at time zone ${timeZone}::text
        group by 1)
      select to_char(w.week, 'YYYY-MM-DD') as "from", coalesce(s.orders, 0) as orders, coalesce(s.gross, 0) as gross,
        coalesce(s.refunds, 0) as refunds, coalesce(s.scrubs, 0) as scrubs, coalesce(s.dubers, 0) as dubers,
        coalesce(s."platformFee", 0) as "platformFee", coalesce(s.taxes, 0) as taxes, coalesce(s."refundCosts", 0) as "refundCosts", coalesce(s."cardFees", 0) as "cardFees",
        coalesce(s.promotions, 0) as promotions,
        coalesce(s.unearned, 0) as unearned, coalesce(s."paidOut", 0) as "paidOut",
        not exists (select from (select e.at from ledger_entries e order by e.id limit 1) first
          where first.at < b.since at time zone ${timeZone}::text) as "isStart"
      from bounds b cross join lateral generate_series(b.since, b.until - interval '7 days', interval '7 days') as w (week)
        left join sums s on s.week = w.week
      order by w.week desc`,
  );
  return { weeks: rows.map(({ isStart: _, ...week }) => week), hasMore: rows[0]?.isStart === false };
}

export type LedgerFilter = {
  /** Entries before this one. */
  readonly before?: number | undefined;
  readonly orderId?: string | undefined;
  readonly personId?: string | undefined;
  readonly account?: LedgerAccount | undefined;
};

export type EntryLineRow = {
  readonly id: string;
  readonly at: Date;
  readonly kind: string;
  readonly orderId: string | null;
  readonly orderNumber: string | null;
  readonly account: LedgerAccount;
  readonly party: Person | null;
  readonly amount: Cents;
};

/** How many entries one page looks through for an account. */
const SEARCHED_ENTRIES = 20_000;

/** The newest entries that match, with all their lines; `next` is where the next page begins. */
export async function listLedgerEntries(
  tx: Tx,
  filter: LedgerFilter,
  limit: number,
): Promise<{ lines: EntryLineRow[]; next: number | null }> {
  const { orderId, personId, account } = filter;
  const last = Math.min(filter.before ?? Number.MAX_SAFE_INTEGER, await readNextEntryId(tx));
  const isSearched = orderId === undefined && personId === undefined;
  const first = isSearched ? Math.max(1, last - SEARCHED_ENTRIES) : 1;
  const source =
    orderId !== undefined
      ? entriesOf(sql`${orderId}::uuid`)
      : personId !== undefined
        ? sql`(select l.entry_id as id from ledger_lines l where l.party = ${personId}::uuid)`
        : sql`(select e.id from ledger_entries e where e.id >= ${first}::bigint and e.id < ${last}::bigint)`;
  const ofPerson = personId === undefined ? sql`` : sql`and l.party = ${personId}::uuid`;
  const ofAccount = account === undefined ? sql`` : sql`and l.account = ${account}`;
  const ids = await queryRows<{ id: string }>(
    tx,
    sql`select distinct x.id from ${source} x where x.id < ${last}::bigint
      and exists (select from ledger_lines l where l.entry_id = x.id ${ofPerson} ${ofAccount})
      order by x.id desc limit ${limit + 1}`,
  );
  const shown = ids.slice(0, limit).map(({ id }) => id);
  const isCut = ids.length > limit;
  const next = isCut ? Number(shown.at(-1)) : first > 1 ? first : null;
  return { lines: await listEntryLines(tx, shown), next };
}

async function readNextEntryId(tx: Tx): Promise<number> {
  const row = await queryRow<{ id: string }>(tx, sql`select id from ledger_entries order by id desc limit 1`);
  return Number(row?.id ?? 0) + 1;
}

function listEntryLines(tx: Tx, ids: readonly string[]): Promise<EntryLineRow[]> {
  return queryRows(
    tx,
    sql`select e.id, e.at, e.kind, e.order_id as "orderId", o.number as "orderNumber", l.account, l.amount,
        case when u.id is not null then jsonb_build_object('id', u.id, 'name', u.fullname, 'role', u.role) end as party
      from ledger_entries e join ledger_lines l on l.entry_id = e.id left join orders o on o.id = e.order_id
        left join users u on u.id = l.party
      where e.id = any(${ids}::bigint[]) order by e.id desc, l.position`,
  );
}

export type PayoutRecord = {
  readonly id: string;
  readonly person: Person;
  readonly periodEnd: Date;
  readonly amount: Cents;
  readonly state: PayoutStatus;
  readonly batch: string | null;
  readonly sentAt: Date | null;
  readonly returnedAt: Date | null;
};

/** Payouts, newest week first. */
export const listPayoutRecords = (tx: Tx, { limit, offset }: PageBounds): Promise<PayoutRecord[]> =>
  queryRows(
    tx,
    sql`select w.id, jsonb_build_object('id', u.id, 'name', u.fullname, 'role', u.role) as person, w.period_end as "periodEnd",
        w.amount, w.state, w.batch, w.sent_at as "sentAt", w.returned_at as "returnedAt"
      from (select * from payouts order by period_end desc, id desc limit ${limit} offset ${offset}) w
        join users u on u.id = w.user_id
      order by w.period_end desc, w.id desc`,
  );

/** Everything that the next batch sends: the same as `markDuePayoutsSent`. */
export async function sumDuePayouts(tx: Tx, now: Date): Promise<{ cents: Cents; people: number }> {
  const row = await queryRow<{ cents: Cents; people: number }>(
    tx,
    sql`select coalesce(sum(amount), 0)::float8 as cents, count(distinct user_id)::int as people from payouts p where p.state = 'due'
      and not ${isRestrictedFrom('payout', sql`p.user_id`)}
      and not exists (select from payout_accounts a where a.user_id = p.user_id
        and a.changed_at > ${new Date(now.getTime() - PAYOUT_ACCOUNT_WAIT_MS)})`,
  );
  return row ?? { cents: 0, people: 0 };
}

export type WaitingCreditRow = {
  readonly person: Person;
  readonly why: PendingReason;
  readonly cents: Cents;
  readonly orders: number;
  readonly since: Date;
  readonly until: Date | null;
};

/** The credits that wait for a payout, by person and reason, oldest first. */
export const listWaitingCredits = (tx: Tx, now: Date, limit: number): Promise<WaitingCreditRow[]> =>
  queryRows(
    tx,
    sql`with open as (select h.* from payout_holds h
        where h.ended_at is null and (h.until is null or h.until > ${now}::timestamptz) order by h.since limit 1000),
      held as (select distinct on (l.entry_id, l.position) h.user_id, h.reason, h.order_id, h.since, h.until, l.amount
        from open h cross join lateral (select distinct x.id from ${entriesOf(sql`h.order_id`)} x
            union select h.entry_id where h.entry_id is not null) x
          join ledger_lines l on l.entry_id = x.id and l.party = h.user_id and l.account = h.account
        where not ${isInPayout} and ${ownPendingReason(now)} = h.reason
        order by l.entry_id, l.position, h.since)
      select jsonb_build_object('id', u.id, 'name', u.fullname, 'role', u.role) as person, held.reason as why,
        -sum(held.amount)::float8 as cents, count(distinct held.order_id)::int as orders, min(held.since) as since,
        case when bool_or(held.until is null) then null else max(held.until) end as until
      from held join users u on u.id = held.user_id group by u.id, held.reason
      having sum(held.amount) < 0 order by min(held.since), u.id limit ${limit}`,
  );
