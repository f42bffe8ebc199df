import { sql } from 'kysely';
import {
  DAYS_BACK,
  type DayCounts,
  type DayDifference,
  type DayState,
  type DaySums,
  FEES_KNOWN_AFTER_MS,
} from '../../domain/reconciledDays.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';
import type { DayBounds } from './cards.ts';
import { addMs } from './retry.ts';

/** What is compared so far. */
export type DayProgress = {
  readonly part: 'charges' | 'refunds' | 'disputes' | 'ours';
  readonly cursor?: string | undefined;
  readonly pages: number;
  readonly ours: DaySums;
  readonly theirs: DaySums;
  readonly counts: DayCounts;
  readonly differing: number;
  readonly differences: readonly DayDifference[];
  /** The ids of what the card network has listed. */
  readonly seen: readonly string[];
};

/** A worker that compares a page has this long before another one may take it. */
const LEASE_MS = 2 * 60_000;

/** Adds the days whose fees are known by now. The first time, those of the last month since the first charge. */
export async function addFinishedDays(tx: Tx, now: Date): Promise<void> {
  const asOf = addMs(now, -FEES_KNOWN_AFTER_MS);
  await queryRows(
    tx,
    sql`with last as (select (${asOf}::timestamptz at time zone 'UTC')::date - 1 as day),
      first as (select coalesce((select max(r.day)::date + 1 from reconciled_days r),
        (select (e.at at time zone 'UTC')::date from ledger_entries e where e.kind = 'captured' order by e.id limit 1)) as day)
      insert into reconciled_days (day, due_at)
        select to_char(d, 'YYYY-MM-DD'), ${now}::timestamptz from first, last,
          generate_series(greatest(first.day, last.day - ${sql.lit(DAYS_BACK - 1)})::timestamp, last.day::timestamp, interval '1 day') d
        on conflict do nothing`,
  );
}

export type DueDay = { readonly day: string; readonly leasedUntil: Date; readonly tries: number } & {
  readonly progress: DayProgress | null;
};

/** Leases the newest day that is due; nobody else compares it until `leasedUntil`. */
export const takeDueDay = (tx: Tx, now: Date): Promise<DueDay | undefined> =>
  queryRow(
    tx,
    sql`update reconciled_days set due_at = ${addMs(now, LEASE_MS)}
      where day = (select day from reconciled_days where due_at <= ${now} order by day desc limit 1 for update skip locked)
      returning day, due_at as "leasedUntil", tries, progress`,
  );

/** The row of the lease. Another worker has it once the lease is over, or an operator has asked anew. */
const isLeased = ({ day, leasedUntil }: DueDay) => sql`day = ${day} and due_at = ${leasedUntil}::timestamptz`;

export async function keepProgress(tx: Tx, due: DueDay, progress: DayProgress, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`update reconciled_days set progress = ${JSON.stringify(progress)}::jsonb, failure = null, due_at = ${now}
      where ${isLeased(due)}`,
  );
}

/** The result. What an operator knows stays known only while it is the same. */
export async function finishDay(tx: Tx, due: DueDay, done: DayProgress, now: Date): Promise<void> {
  const [ours, theirs, counts] = [done.ours, done.theirs, done.counts].map((value) => JSON.stringify(value));
  const differences = JSON.stringify(done.differences);
  const state: DayState = done.differing === 0 ? 'equal' : 'differs';
  await queryRows(
    tx,
    sql`update reconciled_days set state = ${state}, checked_at = ${now}, ours = ${ours}::jsonb, theirs = ${theirs}::jsonb,
        counts = ${counts}::jsonb, differing = ${done.differing}, differences = ${differences}::jsonb,
        is_known = is_known and ours = ${ours}::jsonb and theirs = ${theirs}::jsonb and differences = ${differences}::jsonb,
        due_at = null, tries = 0, failure = null, progress = null
      where ${isLeased(due)}`,
  );
}

export type FailedTry = {
  readonly why: string;
  readonly again: Date;
  readonly isOver: boolean;
  readonly anew: boolean;
};

/** A try has failed: it goes on where it was, or begins anew. `isOver`: a person should know. */
export async function postponeDay(tx: Tx, due: DueDay, { why, again, isOver, anew }: FailedTry): Promise<void> {
  await queryRows(
    tx,
    sql`update reconciled_days set tries = tries + 1, failure = ${why}, due_at = ${again}::timestamptz,
        progress = case when ${anew} then null else progress end,
        is_known = is_known and (not ${isOver} or state = 'failed'),
        state = case when ${isOver} then 'failed' else state end
      where ${isLeased(due)}`,
  );
}

/** Compares a day anew. False when it was never compared. */
export async function recheckDay(tx: Tx, day: string, now: Date): Promise<boolean> {
  const rows = await queryRows(
    tx,
    sql`update reconciled_days set due_at = ${now}, progress = null, tries = 0, is_known = true where day = ${day} returning day`,
  );
  return rows.length > 0;
}

type Charge = { readonly squareId: string; readonly orderId: string | null } & Pick<DaySums, 'charged' | 'fees'>;

/** What the ledger says of payments of the card network, by their ids there. */
export const listOurCharges = (tx: Tx, squareIds: readonly string[]): Promise<Charge[]> =>
  queryRows(
    tx,
    sql`select p.square_id as "squareId", o.id as "orderId",
        coalesce((select sum(l.amount) from ledger_entries e join ledger_lines l on l.entry_id = e.id
          where e.order_id = p.order_id and e.kind = 'captured' and l.account = 'card-clearing'), 0)::int as charged,
        -- By the Bud: an index has the lines of a person.
        coalesce((select -sum(l.amount) from ledger_lines l join ledger_entries e on e.id = l.entry_id
          where l.party = p.bud_id and l.account = 'card-clearing' and l.kind = 'card-fee' and e.order_id = p.order_id), 0)::int as fees
      from payments p left join orders o on o.id = p.order_id where p.square_id = any(${squareIds}::text[])`,
  );

type Refund = { readonly squareId: string; readonly orderId: string } & Pick<DaySums, 'refunded'>;

/** By the ids of refunds and of their payments. */
export const listOurRefunds = (
  tx: Tx,
  refunds: readonly { readonly squareId: string; readonly paymentId: string }[],
): Promise<Refund[]> =>
  queryRows(
    tx,
    sql`select r.square_refund_id as "squareId", r.order_id as "orderId",
        coalesce((select -sum(l.amount) from ledger_entries e join ledger_lines l on l.entry_id = e.id
          where e.refund_id = r.id and l.account = 'card-clearing'), 0)::int as refunded
      from jsonb_to_recordset(${JSON.stringify(refunds)}::jsonb) as x ("squareId" text, "paymentId" text)
        join payments p on p.square_id = x."paymentId"
        join refunds r on r.order_id = p.order_id and r.square_refund_id = x."squareId"`,
  );

type Dispute = { readonly squareId: string; readonly orderId: string } & Pick<DaySums, 'disputed'>;

/** What chargebacks have taken and not brought back, by their ids. */
export const listOurDisputes = (tx: Tx, squareIds: readonly string[]): Promise<Dispute[]> =>
  queryRows(
    tx,
    sql`select d.square_id as "squareId", d.order_id as "orderId",
        coalesce((select -sum(l.amount) from ledger_lines l
          where l.entry_id in (d.debit_entry, d.end_entry) and l.account = 'card-clearing'), 0)::int as disputed
      from disputes d where d.square_id = any(${squareIds}::text[])`,
  );

export type OurMovement = {
  readonly entry: string;
  readonly kind: 'captured' | 'refunded' | 'disputed';
  readonly squareId: string;
  readonly paymentId: string;
};

const KEY = sql`case e.kind when 'captured' then p.square_id when 'refunded' then r.square_refund_id else d.square_id end`;

/** What the ledger has in a time, and the card network has not listed: the entries after `cursor`. */
export const listUnseenMovements = (
  tx: Tx,
  { begin, end }: DayBounds,
  { seen, cursor = '0', limit }: { seen: readonly string[]; cursor?: string | undefined; limit: number },
): Promise<OurMovement[]> =>
  queryRows(
    tx,
    sql`select e.id::text as entry, e.kind, ${KEY} as "squareId", p.square_id as "paymentId"
      from ledger_lines l join ledger_entries e on e.id = l.entry_id join payments p on p.order_id = e.order_id
        left join refunds r on r.id = e.refund_id
        left join disputes d on d.order_id = e.order_id and d.debit_entry = e.id
      where l.at >= ${begin}::timestamptz and l.at < ${end}::timestamptz and l.account = 'card-clearing'
        and l.kind in ('captured', 'refunded', 'disputed') and e.id > ${cursor}::bigint
        and ${KEY} is not null and ${KEY} <> all(${seen}::text[])
      order by e.id limit ${limit}`,
  );

export type ReconciledDayRow = {
  readonly day: string;
  readonly state: DayState | null;
  readonly checkedAt: Date | null;
  readonly ours: DaySums | null;
  readonly theirs: DaySums | null;
  readonly counts: DayCounts | null;
  readonly differing: number;
  readonly isDue: boolean;
  readonly failure: string | null;
};

const DAY_COLUMNS = sql`day, state, checked_at as "checkedAt", ours, theirs, counts, differing, due_at is not null as "isDue", failure`;

export const listReconciledDays = (tx: Tx, { limit, offset }: PageBounds): Promise<ReconciledDayRow[]> =>
  queryRows(tx, sql`select ${DAY_COLUMNS} from reconciled_days order by day desc limit ${limit} offset ${offset}`);

type NumberedDifference = DayDifference & { readonly orderNumber: number | null };

/** With the amounts that differ, and the numbers of their orders. */
export const findReconciledDay = (
  tx: Tx,
  day: string,
): Promise<(ReconciledDayRow & { differences: NumberedDifference[] }) | undefined> =>
  queryRow(
    tx,
    sql`select ${DAY_COLUMNS}, (select coalesce(jsonb_agg(x.value || jsonb_build_object('orderNumber', o.number) order by x.place), '[]')
        from jsonb_array_elements(differences) with ordinality as x (value, place)
          left join orders o on o.id = (x.value ->> 'orderId')::uuid) as differences
      from reconciled_days where day = ${day}`,
  );
