import { sql } from 'kysely';
import type { DaySums } from '../../../domain/reconciledDays.ts';
import { queryRows, type Tx } from '../../db/database.ts';
import type { DayBounds } from '../card/cards.ts';

// What the ledger says of a day's payments, to compare it with the card network.

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
  readonly at: Date;
  readonly kind: 'captured' | 'refunded' | 'disputed';
  readonly squareId: string;
  readonly paymentId: string;
};

/** An entry in the order of time. */
export type EntryPlace = {
  /** As PostgreSQL writes it, to the microsecond. */
  readonly at: string;
  readonly entry: string;
};

/** The beginning of a day, before its first entry. */
export const beginOfEntries = ({ begin }: DayBounds): EntryPlace => ({ at: begin.toISOString(), entry: '0' });

type Slice = {
  /** Those of the slice that the card network has not listed in the comparison `run`. */
  readonly unseen: readonly OurMovement[];
  /** The last entry of the slice. Undefined behind the last one of the day. */
  readonly last: EntryPlace | undefined;
};

const KEY = sql`case e.kind when 'captured' then p.square_id when 'refunded' then r.square_refund_id else d.square_id end`;

/**
 * The next `limit` entries of the ledger, also those that the card network has listed: a large day takes more slices, not longer ones.
 * Scalar queries with a limit, because PostgreSQL may read a whole table once to answer `exists` for each row.
 */
export async function readSliceOfDay(
  tx: Tx,
  { end }: DayBounds,
  { run, after, limit }: { readonly run: string; readonly after: EntryPlace; readonly limit: number },
): Promise<Slice> {
  const rows = await queryRows<OurMovement & { readonly isOfCard: true | null; isListed: true | null; place: string }>(
    tx,
    sql`select e.id::text as entry, e.at, e.at::text as place, e.kind, ${KEY} as "squareId", p.square_id as "paymentId",
        (select true from ledger_lines l where l.entry_id = e.id and l.account = 'card-clearing' limit 1) as "isOfCard",
        (select true from reconciled_ids s where s.run = ${run}::uuid and s.square_id = ${KEY} limit 1) as "isListed"
      from (select c.* from ledger_entries c where c.kind in ('captured', 'refunded', 'disputed')
          and (c.at, c.id) > (${after.at}::timestamptz, ${after.entry}::bigint) and c.at < ${end}::timestamptz
          order by c.at, c.id limit ${sql.lit(limit)}) e
        left join payments p on p.order_id = e.order_id left join refunds r on r.id = e.refund_id
        left join disputes d on d.order_id = e.order_id and d.debit_entry = e.id
      order by e.at, e.id`,
  );
  const last = rows.at(-1);
  return {
    unseen: rows.filter(({ squareId, isOfCard, isListed }) => squareId !== null && isOfCard && !isListed),
    last: last && rows.length === limit ? { at: last.place, entry: last.entry } : undefined,
  };
}
