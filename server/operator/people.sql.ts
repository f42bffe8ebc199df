import { type RawBuilder, sql } from 'kysely';
import type { PersonState } from '../../contract/operator/people.ts';
import type { Role } from '../../domain/accounts.ts';
import { beginsWith } from '../db/beginsWith.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';
import { isLiveSession } from '../db/query.sql.ts';

// What the console reads about people. Raw SQL throughout: each list starts from an index and ends after a few rows.

export type PersonRecord = {
  readonly id: string;
  readonly fullname: string;
  readonly role: Role;
  readonly isVisible: boolean;
  readonly createdAt: Date;
  readonly ratingSum: number;
  readonly ratingCount: number;
  readonly state: PersonState;
};

const IS_SUSPENDED = sql`exists (select from suspensions s where s.user_id = u.id and s.status = 'suspended')`;
const IS_HELD = sql`exists (select from holds h where h.user_id = u.id and h.lifted_at is null)`;
const STATE = sql`case when ${IS_SUSPENDED} then 'suspended' when ${IS_HELD} then 'held' else 'active' end`;
const COLUMNS = sql`u.id, u.fullname, u.role, u.is_active as "isVisible", u.created_at as "createdAt",
  u.rating_sum as "ratingSum", u.rating_count as "ratingCount", ${STATE} as state`;

/** Enough for a list; a search for 'a' needs more letters. */
const MAX_FOUND = 500;

/** The people whose name begins with the words, or whose e-mail address they are, from two indexes. */
function foundBy(words: string): RawBuilder<unknown> {
  const text = words.trim().toLowerCase();
  return sql`u.id in (
    (select id from users where ${beginsWith(sql`lower(fullname)`, text)} limit ${MAX_FOUND})
    union all (select id from users where email_key = ${text} limit ${MAX_FOUND}))`;
}

const IN_STATE: Readonly<Record<PersonState, RawBuilder<unknown>>> = {
  suspended: sql`u.id in (select user_id from suspensions where status = 'suspended')`,
  held: sql`u.id in (select user_id from holds where lifted_at is null) and not ${IS_SUSPENDED}`,
  active: sql`not ${IS_SUSPENDED} and not ${IS_HELD}`,
};

export type PeopleFilter = {
  readonly role?: Role | undefined;
  readonly state?: PersonState | undefined;
  readonly words?: string | undefined;
};

/** A page of people, newest first: ids are made in the order of sign-ups. */
export function listPersonRows(
  tx: Tx,
  { role, state, words }: PeopleFilter,
  { limit, offset }: PageBounds,
): Promise<PersonRecord[]> {
  const conditions = [
    ...(role ? [sql`u.role = ${role}`] : []),
    ...(state ? [IN_STATE[state]] : []),
    ...(words?.trim() ? [foundBy(words)] : []),
  ];
  return queryRows(
    tx,
    sql`select ${COLUMNS} from users u where ${sql.join([sql`true`, ...conditions], sql` and `)}
      order by u.id desc limit ${limit} offset ${offset}`,
  );
}

export const findPerson = (tx: Tx, id: string): Promise<PersonRecord | undefined> =>
  queryRow(tx, sql`select ${COLUMNS} from users u where u.id = ${id}`);

export type Contact = {
  readonly email: string;
  readonly phone: string | null;
  readonly addresses: { label: string; address: string }[];
};

export const findContact = (tx: Tx, id: string): Promise<Contact | undefined> =>
  queryRow(
    tx,
    sql`select u.email, u.phone, coalesce((select json_agg(json_build_object('label', a.label, 'address', a.address)
        order by a.created_at, a.id) from addresses a where a.user_id = u.id), '[]') as addresses
      from users u where u.id = ${id}`,
  );

/** When this operator last gave a reason to read something of a person or an order. */
export async function findShownAt(
  tx: Tx,
  act: 'showContact' | 'showDocuments' | 'showPlaces',
  { subjectId, operatorId }: { subjectId: string; operatorId: string },
): Promise<Date | undefined> {
  const row = await queryRow<{ at: Date }>(
    tx,
    sql`select at from audit where subject_id = ${subjectId} and action = ${act} and operator_id = ${operatorId}
      order by id desc limit 1`,
  );
  return row?.at;
}

export type CountRow = { readonly what: string; readonly count: number };

/** How many orders and deliveries a person has at each status, and how many exceptions they caused. */
export async function readCounts(tx: Tx, id: string) {
  const count = (statement: RawBuilder<unknown>) => queryRows<CountRow>(tx, statement);
  return {
    orderCounts: await count(sql`select t.status as what, t.orders::int as count from order_tallies t
      where t.person_id = ${id} and t.orders <> 0 order by t.status`),
    deliveryCounts: await count(sql`select t.status as what, t.deliveries::int as count from delivery_tallies t
      where t.person_id = ${id} and t.deliveries <> 0 order by t.status`),
    unplanned: await count(sql`select t.action as what, count(*)::int as count from steps t
        where t.actor_id = ${id} and t.action in ('drop-delivery', 'pickup-failed', 'drop-failed', 'give-back', 'reject-order')
        group by t.action order by what`),
  };
}

export type RatingRow = {
  readonly rating: number;
  readonly message: string;
  readonly from: string;
  readonly orderNumber: number;
  readonly at: Date;
};

export const listRatings = (tx: Tx, id: string, limit: number): Promise<RatingRow[]> =>
  queryRows(
    tx,
    sql`select r.rating, r.message, author.fullname as from, o.number::int as "orderNumber", r.created_at as at
      from reviews r join users author on author.id = r.from_user_id join orders o on o.id = r.order_id
      where r.to_user_id = ${id} order by r.created_at desc limit ${limit}`,
  );

const COLUMN_OF_ROLE = { Bud: sql.ref('bud_id'), Scrub: sql.ref('scrub_id'), Duber: sql.ref('duber_id') };

export type WorkRow = {
  readonly kind: 'order' | 'delivery';
  readonly id: string;
  readonly orderId: string;
  readonly orderNumber: number;
  readonly status: string;
  readonly createdAt: Date;
};

/** The latest orders of a Bud or a Scrub, or deliveries of a Duber. */
export const listLatestWork = (
  tx: Tx,
  { id, role }: Pick<PersonRecord, 'id' | 'role'>,
  limit: number,
): Promise<WorkRow[]> =>
  queryRows(
    tx,
    role === 'Duber'
      ? sql`select 'delivery' as kind, d.id, o.id as "orderId", o.number::int as "orderNumber", d.status,
            d.created_at as "createdAt"
          from (select * from deliveries where duber_id = ${id} order by created_at desc, id desc limit ${limit}) d
            join orders o on o.id = d.order_id order by d.created_at desc, d.id desc`
      : sql`select 'order' as kind, o.id, o.id as "orderId", o.number::int as "orderNumber", o.status,
            o.created_at as "createdAt"
          from orders o where ${COLUMN_OF_ROLE[role]} = ${id} order by o.created_at desc, o.id desc limit ${limit}`,
  );

export type MessageRow = { readonly kind: string; readonly channel: string; readonly state: string; readonly at: Date };

/** The messages to a person about these orders and their deliveries. */
export const listMessages = (tx: Tx, id: string, orderIds: readonly string[], limit: number): Promise<MessageRow[]> =>
  queryRows(
    tx,
    sql`select n.kind, n.channel, n.state, n.created_at as at
      from (select o as id from unnest(${[...orderIds]}::uuid[]) o
          union all select d.id from deliveries d where d.order_id = any(${[...orderIds]}::uuid[])) topic
        join notifications n on n.about = topic.id and n.user_id = ${id}
      order by n.created_at desc limit ${limit}`,
  );

export type DeviceRow = { readonly browser: string | null; readonly network: string | null; readonly lastUsedAt: Date };

export const listDevices = (tx: Tx, id: string, now: Date, limit: number): Promise<DeviceRow[]> =>
  queryRows(
    tx,
    sql`select s.browser, s.network, s.last_used_at as "lastUsedAt" from sessions s
      where s.user_id = ${id} and ${isLiveSession(sql`${now}`)} order by s.last_used_at desc limit ${limit}`,
  );

export type CaseRow = {
  readonly id: string;
  readonly no: number;
  readonly kind: string;
  readonly status: string;
  readonly createdAt: Date;
};

export const listCasesOf = (tx: Tx, id: string, limit: number): Promise<CaseRow[]> =>
  queryRows(
    tx,
    sql`select c.id, c.no, c.kind, c.status, c.created_at as "createdAt" from case_people p join cases c on c.id = p.case_id
      where p.user_id = ${id} order by c.created_at desc limit ${limit}`,
  );
