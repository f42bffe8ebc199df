import { sql } from 'kysely';
import type { AuditSubject } from '../../contract/operator/call.ts';
import { ENDED_STATUSES } from '../../domain/deliveries.ts';
import type { Cents } from '../../domain/payments.ts';
import { literals } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { centsOf } from '../db/orderLines.sql.ts';
import type { OpenWay } from '../payments/earnings/openWays.ts';

/** The order that an act is about, if it is about one. */
export async function findOrderOfSubject(
  tx: Tx,
  { subjectKind: kind, subjectId }: { subjectKind: AuditSubject; subjectId: string | null },
): Promise<string | undefined> {
  if (subjectId === null || !(kind === 'order' || kind === 'delivery' || kind === 'case')) return undefined;
  const found = {
    order: sql`select id from orders where id = ${subjectId}::uuid`,
    delivery: sql`select order_id as id from deliveries where id = ${subjectId}::uuid`,
    case: sql`select order_id as id from cases where id = ${subjectId}::uuid`,
  }[kind];
  return (await queryRow<{ id: string | null }>(tx, found))?.id ?? undefined;
}

export async function readLastEntry(tx: Tx): Promise<string> {
  const row = await queryRow<{ id: string }>(tx, sql`select coalesce(max(id), 0) as id from ledger_entries`);
  return row?.id ?? '0';
}

export type WrittenSince = {
  /** The last entry of the ledger before. */
  readonly entry: string;
  /** An id that was made before, and is lower than those of all later rows. */
  readonly id: string;
  readonly orderId: string | undefined;
};

// A row that this transaction has written or changed: it has no subtransactions.
const IS_OURS = sql`r.xmin = pg_current_xact_id()::xid`;

/** The orders that this transaction has changed. */
const touchedOrders = ({ entry, id, orderId }: WrittenSince) => sql`
  select ${orderId ?? null}::uuid as id
  union select e.order_id from ledger_entries e where e.id > ${entry}::bigint and e.written_in = pg_current_xact_id()
  union select r.order_id from refunds r where r.id > ${id}::uuid and ${IS_OURS}
  union select coalesce(d.order_id, v.entity_id) from live_events v
    left join deliveries d on v.entity = 'delivery' and d.id = v.entity_id
    where v.tx >= pg_current_xact_id() and v.written_in = pg_current_xact_id() and v.entity in ('order', 'delivery')`;

export type GivenOfOrder = { readonly orderId: string; readonly cents: Cents };

/**
 * What this transaction has given of each order: to Scrubs and Dubers with entries of the ledger, and to the card with refunds. A
 * liable party gives back the share of a promo code beside it. A payment that is on its way to the card goes back whole.
 */
export const listGiven = (tx: Tx, since: WrittenSince): Promise<GivenOfOrder[]> =>
  queryRows(
    tx,
    sql`select o.id as "orderId", (
        coalesce((select sum(greatest(0, p.credit)) from (
          select -sum(l.amount) as credit from ledger_entries e join ledger_lines l on l.entry_id = e.id
            where e.order_id = o.id and e.id > ${since.entry}::bigint and e.written_in = pg_current_xact_id()
              and l.account in ('scrub', 'duber')
            group by l.account, l.party) p), 0)
        + coalesce((select sum(r.amount + case when r.liable_user is not null and r.forgiven = 0 then r.discount else 0 end)
          from refunds r where r.order_id = o.id and r.id > ${since.id}::uuid and ${IS_OURS}), 0)
        + coalesce((select sum(r.amount) from payments r
          where r.order_id = o.id and r.settle_when_captured and r.state <> 'captured' and ${IS_OURS}), 0))::int as cents
      from (${touchedOrders(since)}) t join orders o on o.id = t.id`,
  );

export const listOpenWays = (tx: Tx, orderId: string): Promise<OpenWay[]> =>
  queryRows(
    tx,
    sql`select d.id, d.price, d.paid_by as "paidBy" from deliveries d
      where d.order_id = ${orderId} and d.status not in (${literals([...ENDED_STATUSES, 'Failed', 'Returned'])})`,
  );

/** What the platform will pay for the way back of an order that is cleaned again, before that is a delivery. */
export async function readPromisedWayBack(tx: Tx, orderId: string): Promise<Cents> {
  const row = await queryRow<{ cents: Cents }>(
    tx,
    sql`select ${centsOf('delivery-duber')} as cents from orders o
      where o.id = ${orderId} and o.ways_paid_by = 'platform' and not o.self_pickup and o.status in ('Accepted', 'In_Progress')`,
  );
  return row?.cents ?? 0;
}
