import { sql } from 'kysely';
import type { BudId, DuberId, UserId } from '../../domain/accounts.ts';
import type { CaseKind, CasePriority, CaseStatus } from '../../domain/cases.ts';
import { type ClaimItem, MANY_CLAIMS_WITHIN_MS } from '../../domain/claims.ts';
import type { DeliveryStatus } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { budHasLaundrySince } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

// Raw SQL throughout: what a claim needs to know of an order is one statement, and a case that exists is found in the
// statement that would open it.

/** The facts of an order for a claim. The last delivery is that of its last round. */
export type ClaimedOrder = {
  readonly status: OrderStatus;
  readonly scrubId: string;
  readonly deliveryId: string | null;
  readonly duberId: string | null;
  /** When the Bud had the laundry back. */
  readonly deliveredAt: Date | null;
  /** Whether the laundry is lost. */
  readonly isGone: boolean;
  /** When that was, once the order has ended. */
  readonly goneAt: Date | null;
  /** The delivery whose Duber had it last, if it was lost on the way. */
  readonly lostDelivery: { readonly id: string; readonly duberId: string } | null;
};

/** The last delivery of `orders o`, if its laundry is lost. */
const LOST_DELIVERY = sql`(select last.* from (select d.id, d.duber_id, d.lost_at from deliveries d
    where d.order_id = o.id order by d.round desc, d.created_at desc, d.id desc limit 1) last
  where last.lost_at is not null)`;
/** Laundry that somebody has found is with its Bud. */
const IS_GONE = sql`(o.holder_role <> 'Bud' and (o.way_home = 'lost' or lost.id is not null))`;

export const findClaimedOrder = (tx: Tx, bud: BudId, orderId: string): Promise<ClaimedOrder | undefined> =>
  queryRow(
    tx,
    sql`select o.status, o.scrub_id as "scrubId",
        d.id as "deliveryId",
        d.duber_id as "duberId", ${budHasLaundrySince(sql`o`)} as "deliveredAt",
        coalesce(${IS_GONE}, false) as "isGone",
        case o.status when 'Completed' then lost.lost_at when 'Cancelled' then
          (select max(t.at) from steps t where t.subject_id = o.id) end as "goneAt",
        case when lost.duber_id is not null then json_build_object('id', lost.id, 'duberId', lost.duber_id) end as "lostDelivery"
      from orders o left join lateral ${LOST_DELIVERY} lost on true left join lateral (select * from deliveries d
        where d.order_id = o.id and d.delivery_type = 'Scrub_To_Bud' order by d.round desc limit 1) d on true
      where o.id = ${orderId} and o.bud_id = ${bud}::uuid`,
  );

/** The sum that claims on an order have got so far, in cents. */
export async function sumGivenByClaims(tx: Tx, orderId: string): Promise<number> {
  const row = await queryRow<{ cents: number }>(
    tx,
    sql`select coalesce(sum(r.amount), 0)::int as cents
      from cases c join case_refunds cr on cr.case_id = c.id join refunds r on r.id = cr.refund_id
      where c.order_id = ${orderId} and c.kind = 'claim' and r.state <> 'dropped'`,
  );
  return row?.cents ?? 0;
}

/** How many claims a Bud has made recently. */
export async function countRecentClaims(tx: Tx, bud: BudId, now: Date): Promise<number> {
  const row = await queryRow<{ count: number }>(
    tx,
    sql`select count(*)::int as count from cases c where c.opened_by = ${bud}::uuid and c.kind = 'claim'
      and c.created_at > ${new Date(now.getTime() - MANY_CLAIMS_WITHIN_MS)}`,
  );
  return row?.count ?? 0;
}

/** Lets the cases that a person opens take turns, until the transaction ends. Statements that only refer to them do not wait. */
export async function lockOpener(tx: Tx, person: UserId): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', person).forNoKeyUpdate().execute();
}

/** How many open cases a person has opened. Stays true while `lockOpener` holds. */
export async function countOpenCases(tx: Tx, person: UserId): Promise<number> {
  const row = await queryRow<{ count: number }>(
    tx,
    sql`select count(*)::int as count from cases c where c.opened_by = ${person}::uuid
      and c.status not in ('decided', 'closed')`,
  );
  return row?.count ?? 0;
}

/** A delivery of the Duber. */
export const findOwnDelivery = (
  tx: Tx,
  duber: DuberId,
  deliveryId: string,
): Promise<{ orderId: string; status: DeliveryStatus } | undefined> =>
  queryRow(
    tx,
    sql`select d.order_id as "orderId", d.status from deliveries d where d.id = ${deliveryId} and d.duber_id = ${duber}::uuid`,
  );

/** The open case of a Duber who could not go on with a delivery of the order: there is one open case of an order. */
export async function findOpenRelay(tx: Tx, duber: UserId, deliveryId: string): Promise<string | undefined> {
  const row = await queryRow<{ id: string }>(
    tx,
    sql`select c.id from deliveries d join cases c on c.order_id = d.order_id
      where d.id = ${deliveryId} and c.opened_by = ${duber}::uuid and c.kind = 'relay' and c.status not in ('decided', 'closed')`,
  );
  return row?.id;
}

/** Whether laundry of a delivery was collected after the Duber of a case asked for help last. */
export async function hasCollectedSince(tx: Tx, caseId: string, deliveryId: string): Promise<boolean> {
  const row = await queryRow<{ isCollected: boolean }>(
    tx,
    sql`select coalesce((select max(t.at) from steps t
          where t.subject_id = ${deliveryId} and t.action = 'collected')
        > (select max(e.at) from steps e where e.subject_id = ${caseId} and e.action = 'ask'), false) as "isCollected"`,
  );
  return row?.isCollected ?? false;
}

/** Locks the order of a report, if it is about one, as every step of its case does. Lock it before its opener. */
export async function lockOrderOfReport(
  tx: Tx,
  { orderId, deliveryId }: { orderId?: string | undefined; deliveryId?: string | undefined },
): Promise<void> {
  const order = sql`coalesce(${orderId ?? null}::uuid, (select d.order_id from deliveries d where d.id = ${deliveryId ?? null}::uuid))`;
  await queryRow(tx, sql`select 1 as one from orders o where o.id = ${order} for no key update`);
}

/** Whether a person takes part in the order or delivery that a question is about. True without one. */
export async function isPartyTo(
  tx: Tx,
  person: UserId,
  { orderId, deliveryId }: { orderId: string | undefined; deliveryId: string | undefined },
): Promise<boolean> {
  const row = await queryRow<{ isParty: boolean }>(
    tx,
    sql`select
        (${orderId ?? null}::uuid is null or exists (select from orders o where o.id = ${orderId ?? null}::uuid
          and ${person}::uuid in (o.bud_id, o.scrub_id)))
        and (${deliveryId ?? null}::uuid is null or exists (select from deliveries d where d.id = ${deliveryId ?? null}::uuid
          and ${person}::uuid in (d.bud_id, d.scrub_id, d.duber_id))) as "isParty"`,
  );
  return row?.isParty ?? false;
}

/** Who may read a case that opened by itself. */
export async function listPeopleOf(tx: Tx, orderId: string, deliveryId: string | undefined): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    tx,
    sql`select unnest(array_remove(array[o.bud_id, o.scrub_id, d.duber_id], null)) as id
      from orders o left join deliveries d on d.id = ${deliveryId ?? null}::uuid and d.order_id = o.id
      where o.id = ${orderId}::uuid`,
  );
  return rows.map(({ id }) => id);
}

export type NewCase = {
  readonly id: string;
  readonly kind: CaseKind;
  readonly reason: string | null;
  readonly orderId: string | null;
  readonly deliveryId: string | null;
  readonly openedBy: string | null;
  readonly about: { readonly userId: string; readonly role: 'Scrub' | 'Duber' } | null;
  readonly status: CaseStatus;
  readonly urgent: boolean;
};

/** False when such a case is already open. Waits for one that is being opened at the same time. */
export async function insertCase(tx: Tx, row: NewCase, at: Date): Promise<boolean> {
  const { about } = row;
  const isDecided = row.status === 'decided';
  const priority: CasePriority = row.urgent ? 'high' : 'normal';
  const inserted = await queryRow(
    tx,
    sql`insert into cases (id, kind, reason, order_id, delivery_id, opened_by, about_user, about_role, status, priority,
        steps, created_at, decided_at, decided_by)
      values (${row.id}, ${row.kind}, ${row.reason}, ${row.orderId}, ${row.deliveryId}, ${row.openedBy},
        ${about?.userId ?? null}, ${about?.role ?? null}, ${row.status},
        ${priority}, 1, ${at},
        ${isDecided ? at : null}::timestamptz, ${isDecided ? 'Operator' : null})
      on conflict do nothing returning 1 as one`,
  );
  return inserted !== undefined;
}

/** The case of a kind about a subject that opened by itself and is still open. */
export async function findAutomaticCase(tx: Tx, kind: CaseKind, subjectId: string): Promise<string | undefined> {
  const row = await queryRow<{ id: string }>(
    tx,
    sql`select id from cases where opened_by is null and coalesce(delivery_id, order_id) = ${subjectId} and kind = ${kind}
      and status not in ('decided', 'closed')`,
  );
  return row?.id;
}

export async function insertItems(tx: Tx, caseId: string, items: readonly ClaimItem[]): Promise<void> {
  await tx
    .insertInto('claim_items')
    .values(
      items.map(({ what, kind, worth, ageMonths, asked }, index) => ({
        ...{ case_id: caseId, n: index + 1, what, kind, worth, age_months: ageMonths, asked },
      })),
    )
    .execute();
}
