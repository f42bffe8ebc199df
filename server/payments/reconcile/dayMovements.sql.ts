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

const KEY = sql`case e.kind when 'captured' then p.square_id when 'refunded' then r.square_refund_id else d.square_id end`;

type Unseen = { readonly run: string; readonly cursor?: string | undefined; readonly limit: number };

/** What the ledger has in a time, and the card network has not listed: the entries after `cursor`. */
export const listUnseenMovements = (
  tx: Tx,
  { begin, end }: DayBounds,
  { run, cursor = '0', limit }: Unseen,
): Promise<OurMovement[]> =>
  queryRows(
    tx,
    sql`select e.id::text as entry, e.at, e.kind, ${KEY} as "squareId", p.square_id as "paymentId"
      from ledger_lines l join ledger_entries e on e.id = l.entry_id join payments p on p.order_id = e.order_id
        left join refunds r on r.id = e.refund_id
        left join disputes d on d.order_id = e.order_id and d.debit_entry = e.id
      where l.at >= ${begin}::timestamptz and l.at < ${end}::timestamptz and l.account = 'card-clearing'
        and l.kind in ('captured', 'refunded', 'disputed') and e.id > ${cursor}::bigint
        and ${KEY} is not null and not exists (select from reconciled_ids s where s.run = ${run}::uuid and s.square_id = ${KEY})
      order by e.id limit ${limit}`,
  );
