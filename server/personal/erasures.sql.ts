import { sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import type { ErasureBlocker, ErasureStatus } from '../../domain/erasures.ts';
import { isOpenStatus, ORDER_STATUSES } from '../../domain/orders.ts';
import { lockUser } from '../auth/restrictions.sql.ts';
import { literals } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

/** An account, and how far its erasure is. */
export type ErasedPerson = {
  readonly id: string;
  readonly role: Role;
  readonly fullname: string;
  readonly email: string;
  readonly status: ErasureStatus;
  /** When the account is erased, unless its owner keeps it. */
  readonly dueAt: Date | null;
};

const select = (id: string) => sql`select u.id, u.role, u.fullname, u.email, coalesce(e.status, 'active') as status,
    e.due_at as "dueAt"
  from users u left join erasures e on e.id = u.id where u.id = ${id}`;

export const findErasedPerson = (tx: Tx, id: string): Promise<ErasedPerson | undefined> => queryRow(tx, select(id));

/** Locks the account: steps that give it new work wait until the transaction ends. */
export async function lockErasedPerson(tx: Tx, id: string): Promise<ErasedPerson | undefined> {
  await lockUser(tx, id);
  return findErasedPerson(tx, id);
}

export type ErasureChange = {
  readonly id: string;
  readonly status: ErasureStatus;
  readonly at: Date;
  /** Set when somebody asks, and when the server tries again later. */
  readonly dueAt: Date;
  readonly askedBy?: string | null | undefined;
  readonly sealed?: Buffer | null;
};

/** Returns the number of the step. */
export async function saveErasure(
  tx: Tx,
  { id, status, at, dueAt, askedBy, sealed = null }: ErasureChange,
): Promise<number> {
  const isAsked = askedBy !== undefined;
  const saved = await queryRow<{ step: number }>(
    tx,
    sql`insert into erasures as e (id, status, since, step, asked_at, asked_by, due_at, sealed)
        values (${id}, ${status}, ${at}, 1, ${at}, ${askedBy ?? null}, ${dueAt}, ${sealed})
      on conflict (id) do update set status = excluded.status, since = excluded.since, step = e.step + 1, due_at = excluded.due_at,
        sealed = excluded.sealed, asked_at = ${isAsked ? sql`excluded.asked_at` : sql`e.asked_at`},
        asked_by = ${isAsked ? sql`excluded.asked_by` : sql`e.asked_by`}
      returning step`,
  );
  return saved?.step ?? 0;
}

/** What the law keeps of a person who was erased; undefined for everybody else. */
export async function findSealedRecord(tx: Tx, id: string): Promise<Buffer | undefined> {
  const erasure = await tx.selectFrom('erasures').select('sealed').where('id', '=', id).executeTakeFirst();
  return erasure?.sealed ?? undefined;
}

/** How far the erasure of an account is, for operators. Undefined when nobody has asked for it. */
export const findErasure = (
  tx: Tx,
  id: string,
): Promise<{ readonly status: ErasureStatus; readonly since: Date; readonly dueAt: Date } | undefined> =>
  queryRow(tx, sql`select status, since, due_at as "dueAt" from erasures where id = ${id} and status <> 'active'`);

const REASON = 'The account is going to be erased.';

/** Keeps the person from new work while the account waits to be erased. The trigger of new work has the last word. */
export async function restrictErased(
  tx: Tx,
  { id, userId, at }: { id: string; userId: string; at: Date },
): Promise<void> {
  await queryRows(
    tx,
    sql`insert into holds (id, user_id, kind, reason, from_at, of_erasure)
        values (${id}, ${userId}, 'new-work', ${REASON}, ${at}, true)
      on conflict (user_id) where lifted_at is null and of_erasure do nothing`,
  );
}

export async function liftErasedRestriction(tx: Tx, userId: string, at: Date): Promise<void> {
  await tx
    .updateTable('holds')
    .set({ lifted_at: at })
    .where('user_id', '=', userId)
    .where('of_erasure', '=', true)
    .where('lifted_at', 'is', null)
    .execute();
}

/** Something that keeps an account from being erased: an order by its number, a case by its own, or neither. */
export type OpenThing = {
  readonly what: Exclude<ErasureBlocker, 'balance'>;
  readonly orderNumber: number | null;
  readonly caseNumber: number | null;
};

/** Enough to know what to do; more are as good as many. */
const MAX_NAMED = 100;
const OPEN_STATUSES = literals(ORDER_STATUSES.filter(isOpenStatus));
const UNDER_WAY = sql`(d.status in ('Pending', 'Accepted', 'Way_To_Pick', 'Collected', 'Way_To_Drop', 'Way_Back')
  or d.status = 'Failed' and d.has_laundry or d.lost_at is not null and d.status <> 'Called_Off')`;

/** Orders, deliveries, cases and payments of a person that have not ended. */
export const listOpenThings = (tx: Tx, id: string): Promise<OpenThing[]> =>
  queryRows(
    tx,
    sql`with own as (select o.id, o.number, o.status from orders o where o.bud_id = ${id}::uuid
        or o.scrub_id = ${id}::uuid and (o.given_back_at is null or o.status collate "C" not in (${OPEN_STATUSES}))),
      driven as (select d.order_id from deliveries d where d.duber_id = ${id}::uuid and ${UNDER_WAY}
        union select d.order_id from deliveries d where d.carrier_id = ${id}::uuid and ${UNDER_WAY})
    select distinct what, number::int as "orderNumber", no as "caseNumber" from (
      select 'order' as what, number, null::int as no from own where status collate "C" in (${OPEN_STATUSES})
      union all select 'delivery', o.number, null from own o join deliveries d on d.order_id = o.id
        where o.status collate "C" not in (${OPEN_STATUSES}) and ${UNDER_WAY}
      union all select 'delivery', o.number, null from driven join orders o on o.id = driven.order_id
      union all select 'case', null, c.no from case_people p join cases c on c.id = p.case_id
        where p.user_id = ${id}::uuid and c.status not in ('decided', 'closed')
      union all select 'payment', o.number, null from payments p left join orders o on o.id = p.order_id
        where p.bud_id = ${id}::uuid and p.state in ('holding', 'held', 'capturing', 'voiding', 'stuck')
          and coalesce(o.status collate "C" not in (${OPEN_STATUSES}), true)
      union all select 'payment', o.number, null from refunds r join orders o on o.id = r.order_id
        where r.state in ('asking', 'pending', 'stuck') and (r.liable_user = ${id}::uuid or o.bud_id = ${id}::uuid)
      union all select 'payment', o.number, null from disputes d join own o on o.id = d.order_id where d.ended_at is null
      union all select 'payment', null, null from payouts w where w.user_id = ${id}::uuid and w.state = 'due'
      union all select 'suspension', null, null from suspensions s
        where s.user_id = ${id}::uuid and s.status = 'suspended') open
    order by what, "orderNumber", "caseNumber" limit ${MAX_NAMED}`,
  );
