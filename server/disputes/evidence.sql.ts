import { sql } from 'kysely';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { centsOf } from '../db/orderLines.sql.ts';

// Raw SQL: each query makes the rows of one part of a text.

/** More than an order has, and as many as fit into the evidence. Of more, the last ones count. */
const MAX_ROWS = 60;

export type EvidenceOrder = {
  readonly number: string;
  readonly size: string;
  readonly placedAt: Date;
  readonly total: number;
  readonly taxes: number;
  readonly cardBrand: string | null;
  readonly cardLast4: string | null;
  readonly refunded: number;
};

export function findEvidenceOrder(tx: Tx, orderId: string): Promise<EvidenceOrder | undefined> {
  return queryRow(
    tx,
    sql`select o.number::text as number, o.load_size as size, o.created_at as "placedAt", o.total_price - coalesce(o.discount, 0) as total, ${centsOf('state')} as taxes,
        p.card_brand as "cardBrand", p.card_last4 as "cardLast4", p.refunded
      from orders o join payments p on p.order_id = o.id where o.id = ${orderId}`,
  );
}

export type EvidenceEvent = { readonly at: Date; readonly what: string };

/** Everything that happened to an order and its laundry, with who did it. */
export function listEvidenceEvents(tx: Tx, orderId: string): Promise<EvidenceEvent[]> {
  return queryRows(
    tx,
    sql`select at, what from (select at, what from (
        select s.at, concat_ws(' ', 'order', s.status, 'by', coalesce(s.actor_role, 'System')) as what
          from steps s where s.subject_id = ${orderId}
        union all select s.at, concat_ws(' ', 'delivery', s.status, 'by', coalesce(s.actor_role, 'System'))
          from deliveries d join steps s on s.subject_id = d.id where d.order_id = ${orderId}
        union all select h.at, concat_ws(' ', 'handed over from', h.giver_role, 'to', h.taker_role || ',', h.bags, 'bags, proof:', h.proof)
          from handovers h where h.order_id = ${orderId}
        union all select w.at, concat_ws(' ', 'weighed', w.grams, 'g')
          from weighings w where w.order_id = ${orderId}
        union all select f.at, concat_ws(' ', 'photo', left(f.id::text, 8), 'of the', f.about_kind)
          from files f where f.gone_at is null and (f.about_kind = 'order' and f.about_id = ${orderId}
            or f.about_kind = 'handover' and f.about_id in (select h.id from handovers h where h.order_id = ${orderId}))
        union all select c.created_at, concat_ws(' ', 'case C-' || c.no || ':', c.kind || ',', c.status)
          from cases c where c.order_id = ${orderId} and c.kind <> 'chargeback'
      ) events order by at desc limit ${MAX_ROWS}) latest order by at`,
  );
}

/**
 * The one person who can bear a lost chargeback: the order's Scrub, or the Duber with this id. Undefined when none fits, or
 * several.
 */
export async function findBearer(
  tx: Tx,
  orderId: string,
  { account, personId }: { account: 'scrub' | 'duber'; personId: string | undefined },
): Promise<string | undefined> {
  const people = await queryRows<{ id: string }>(
    tx,
    account === 'scrub'
      ? sql`select scrub_id as id from orders where id = ${orderId}`
      : sql`select distinct duber_id as id from deliveries where order_id = ${orderId} and duber_id is not null`,
  );
  const candidates = people.filter(({ id }) => personId === undefined || id === personId);
  return candidates.length === 1 ? candidates[0]?.id : undefined;
}
