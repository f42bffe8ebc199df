import { sql } from 'kysely';
import type { CaseEvent, CaseItem } from '../../contract/cases.ts';
import type { Caller, UserId } from '../../domain/accounts.ts';
import {
  CASE_WAITS_FOR,
  type CaseKind,
  type CasePriority,
  type CaseStatus,
  caseNumber,
  type Offer,
  type OtherReport,
} from '../../domain/cases.ts';
import type { LiableParty } from '../../domain/ledger.ts';
import { toDollars } from '../../domain/payments.ts';
import type { Actor } from '../../domain/workflow.ts';
import { centsBorneOfCase, isOnBoard } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import { isOfCase } from '../visibility/viewRules.sql.ts';

// Raw SQL throughout: each read is one statement with sums of other tables.

/** A case as its steps read it. Amounts in cents. */
export type CaseRow = {
  readonly id: string;
  readonly no: number;
  readonly kind: CaseKind;
  readonly reason: string | null;
  readonly status: CaseStatus;
  readonly priority: CasePriority;
  readonly orderId: string | null;
  readonly deliveryId: string | null;
  readonly openedBy: string | null;
  readonly openerRole: Actor;
  readonly aboutUser: string | null;
  readonly aboutRole: 'Scrub' | 'Duber' | null;
  readonly steps: number;
  readonly offer: Offer | null;
  readonly offerCents: number | null;
  readonly decidedAt: Date | null;
  readonly decidedBy: 'Bud' | 'Operator' | 'System' | null;
  readonly contestedAt: Date | null;
  readonly dueAt: Date | null;
  readonly askedCents: number;
  readonly decidedCents: number;
  readonly givenCents: number;
  readonly createdAt: Date;
};

export const CASE_COLUMNS = sql`c.id, c.no, c.kind, c.reason, c.status, c.priority, c.order_id as "orderId",
  c.delivery_id as "deliveryId", c.opened_by as "openedBy",
  coalesce((select u.role from users u where u.id = c.opened_by), 'System') as "openerRole",
  c.about_user as "aboutUser", c.about_role as "aboutRole", c.steps, c.offer, c.offer_cents as "offerCents",
  c.decided_at as "decidedAt", c.decided_by as "decidedBy", c.contested_at as "contestedAt", c.created_at as "createdAt",
  (select min(t.due_at) from timers t where t.subject_id = c.id) as "dueAt",
  (select coalesce(sum(i.asked), 0)::int from claim_items i where i.case_id = c.id) as "askedCents",
  (select coalesce(sum(i.decided), 0)::int from claim_items i where i.case_id = c.id) as "decidedCents",
  (select coalesce(sum(r.amount), 0)::int from case_refunds cr join refunds r on r.id = cr.refund_id
    where cr.case_id = c.id and r.state <> 'dropped') as "givenCents"`;

/** A case of the caller. */
export const findCase = (tx: Tx, caller: { readonly id: UserId }, id: string): Promise<CaseRow | undefined> =>
  queryRow(
    tx,
    sql`select ${CASE_COLUMNS} from cases c where c.id = ${id} and ${isOfCase(sql`c.id`, sql`${caller.id}`)}`,
  );

export const readCaseById = (tx: Tx, id: string): Promise<CaseRow | undefined> =>
  queryRow(tx, sql`select ${CASE_COLUMNS} from cases c where c.id = ${id}`);

/**
 * Locks a case until the transaction ends, so that its steps follow one another, and reads it. Its order is locked before, as the steps
 * of orders do: what a case decides may change its order. A person locks only cases of theirs.
 */
export async function lockCase(tx: Tx, { id: userId }: { readonly id: string | null }, id: string) {
  const isTheirs = userId === null ? sql`true` : isOfCase(sql`c.id`, sql`${userId}`);
  const known = await queryRow<{ orderId: string | null }>(
    tx,
    sql`select c.order_id as "orderId" from cases c where c.id = ${id} and ${isTheirs}`,
  );
  if (!known) return undefined;
  if (known.orderId !== null) await lockRootOf(tx, known.orderId);
  return lockCaseAlone(tx, id);
}

/** The order of a case, before the case, its deliveries and its payment. */
export async function lockRootOf(tx: Tx, orderId: string): Promise<void> {
  await queryRow(tx, sql`select 1 as one from orders where id = ${orderId} for no key update`);
}

/** Locks a case for a step of its delivery, which has the locks before it. */
export async function lockCaseAlone(tx: Tx, id: string): Promise<CaseRow | undefined> {
  await queryRow(tx, sql`select 1 as one from cases where id = ${id} for update`);
  return readCaseById(tx, id);
}

/** A page of the caller's cases, newest first. */
export async function listCasesOf(
  tx: Tx,
  caller: Caller,
  { pageNumber, pageSize }: { readonly pageNumber: number; readonly pageSize: number },
): Promise<{ rows: CaseRow[]; totalCount: number }> {
  const count = await queryRow<{ count: number }>(
    tx,
    sql`select count(*)::int as count from case_people p where p.user_id = ${caller.id}::uuid`,
  );
  const rows = await queryRows<CaseRow>(
    tx,
    sql`select ${CASE_COLUMNS} from case_people p join cases c on c.id = p.case_id where p.user_id = ${caller.id}::uuid
      order by c.created_at desc, c.id desc limit ${pageSize} offset ${(pageNumber - 1) * pageSize}::bigint`,
  );
  return { rows, totalCount: count?.count ?? 0 };
}

export async function listEvents(tx: Tx, caseId: string): Promise<CaseEvent[]> {
  const rows = await tx
    .selectFrom('steps')
    .select(['action', 'status', 'actor_role as by', 'words', 'offer', 'cents', 'file_ids as fileIds', 'at'])
    .where('subject_id', '=', caseId)
    .orderBy('position')
    .$narrowType<{ status: CaseStatus }>()
    .execute();
  return rows.map(({ cents, at, ...event }) => ({
    ...event,
    amount: cents === null ? null : toDollars(cents),
    createdAt: at.toISOString(),
  }));
}

export async function listItems(tx: Tx, caseId: string): Promise<CaseItem[]> {
  const rows = await tx
    .selectFrom('claim_items')
    .select(['n', 'what', 'kind', 'worth', 'age_months as ageMonths', 'asked', 'decided'])
    .where('case_id', '=', caseId)
    .orderBy('n')
    .execute();
  return rows.map(({ worth, asked, decided, ...item }) => ({
    ...item,
    worth: toDollars(worth),
    asked: toDollars(asked),
    decided: decided === null ? null : toDollars(decided),
  }));
}

/** The properties of a case that lists and pages show. */
export const caseProperties = (row: CaseRow) => ({
  id: row.id,
  no: caseNumber(row.no),
  kind: row.kind,
  reason: row.reason,
  status: row.status,
  priority: row.priority,
  orderId: row.orderId,
  deliveryId: row.deliveryId,
  openedBy: row.openerRole,
  aboutRole: row.aboutRole,
  waitsFor: CASE_WAITS_FOR[row.status],
  dueAt: row.dueAt === null ? null : row.dueAt.toISOString(),
  asked: toDollars(row.askedCents),
  givenBack: toDollars(row.givenCents),
  createdAt: row.createdAt.toISOString(),
});

/** The offer to the opener of a case. */
export const offerOf = ({ offer, offerCents }: CaseRow) =>
  offer && { kind: offer, amount: offerCents === null ? null : toDollars(offerCents) };

/** When other cases were open of which only one can be open with this one: see `cases_one_by_a_person` and `cases_once_automatic`. */
export const listOtherReports = (tx: Tx, { id, kind, orderId, deliveryId, openedBy }: CaseRow) =>
  queryRows<OtherReport>(
    tx,
    sql`select e.at as "openedAt", (select min(ending.at) from steps ending where ending.subject_id = c.id
        and ending.position > e.position and ending.status in ('decided', 'closed')) as "endedAt"
      from cases c join steps e on e.subject_id = c.id and (e.position = 0 or e.action = 'contest')
      where c.order_id = ${orderId} and c.kind = ${kind} and c.id <> ${id}
        and c.opened_by is not distinct from ${openedBy}::uuid
        and (c.kind in ('claim', 'relay') or c.opened_by is null and c.delivery_id is not distinct from ${deliveryId}::uuid)
      order by e.at`,
  );

/** How much of the case's refunds each side is liable for. */
export const listLiable = (tx: Tx, caseId: string) =>
  queryRows<{ liable: 'platform' | 'scrub' | 'duber'; userId: string | null; cents: number }>(
    tx,
    sql`select s.liable, s.person as "userId", sum(s.cents)::int as cents
      from case_refunds cr join refunds r on r.id = cr.refund_id cross join lateral (values
        (r.liable, r.liable_user, r.amount - cr.forgiven), ('platform', null, cr.forgiven)) s (liable, person, cents)
      where cr.case_id = ${caseId} and r.state <> 'dropped' and s.cents > 0 group by s.liable, s.person`,
  );

/**
 * What one of the people of a case pays of its refunds, and their own delivery of the order: the one that the case is about, or
 * else their last one.
 */
export async function readCallerPart(tx: Tx, { id, orderId, deliveryId }: CaseRow, userId: UserId) {
  const found = await queryRow<{ cents: number; deliveryId: string | null }>(
    tx,
    sql`select ${centsBorneOfCase(sql`${id}`, userId)} as cents,
        (select d.id from deliveries d where d.order_id = ${orderId}::uuid and d.duber_id = ${userId}::uuid
          order by d.id is not distinct from ${deliveryId}::uuid desc, d.created_at desc limit 1) as "deliveryId"`,
  );
  return { callerPays: toDollars(found?.cents ?? 0), callerDeliveryId: found?.deliveryId ?? null };
}

/** The deliveries of an order in which a Duber has had the laundry, the oldest first, and that Duber. */
export const listCarriers = (tx: Tx, orderId: string | null) =>
  queryRows<{ deliveryId: string; duberId: string; name: string }>(
    tx,
    sql`select d.id as "deliveryId", d.duber_id as "duberId", u.fullname as name
      from deliveries d join users u on u.id = d.duber_id
      where d.order_id = ${orderId}::uuid and (d.status = 'Delivered' or ${isOnBoard('d')} or exists (select from handovers h
        where h.order_id = d.order_id and h.delivery_id = d.id and h.taker_id = d.duber_id))
      order by d.created_at, d.id`,
  );

/** Locks the refunds of a case. Lock the payment of its order before, as everybody does. */
export async function lockRefundsOf(tx: Tx, caseId: string): Promise<void> {
  await queryRows(
    tx,
    sql`select r.id from refunds r where r.id in (select cr.refund_id from case_refunds cr where cr.case_id = ${caseId})
      order by r.id for no key update`,
  );
}

/** The refunds of a case that one side is liable for, the latest first, and what of each was forgiven. */
export const listRefundsOf = (tx: Tx, caseId: string, liable: LiableParty) =>
  queryRows<{ position: number; refundId: string; amount: number; forgiven: number }>(
    tx,
    sql`select cr.position, cr.refund_id as "refundId", r.amount, cr.forgiven
      from case_refunds cr join refunds r on r.id = cr.refund_id
      where cr.case_id = ${caseId} and r.liable = ${liable} and r.state <> 'dropped' order by cr.position desc`,
  );

/** Whether a refund of the case is in progress, or needs an operator. */
export async function hasOpenRefund(tx: Tx, caseId: string): Promise<boolean> {
  const open = await queryRow(
    tx,
    sql`select 1 as one from case_refunds cr join refunds r on r.id = cr.refund_id
      where cr.case_id = ${caseId} and r.state in ('asking', 'pending', 'stuck') limit 1`,
  );
  return open !== undefined;
}

/** Whether the Bud has said that it was not as a Duber says. */
export async function wasDenied(tx: Tx, caseId: string): Promise<boolean> {
  const denial = tx.selectFrom('steps').select('id').where('subject_id', '=', caseId).where('action', '=', 'deny');
  return (await denial.executeTakeFirst()) !== undefined;
}
