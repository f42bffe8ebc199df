import { type RawBuilder, sql } from 'kysely';
import type { TownCaseEvent } from '../../contract/operator/cases.ts';
import { CASE_STATUSES, type CaseStatus, isOpenCase } from '../../domain/cases.ts';
import type { LiableParty } from '../../domain/ledger.ts';
import { approximatePointSql, type SqlPoint } from '../db/approximate.sql.ts';
import { orderNumber } from '../db/columns.sql.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';
import { CASE_COLUMNS, type CaseRow } from './cases.sql.ts';

// Cases as operators read them: all of them, with names.

export type TownCaseRow = CaseRow & {
  readonly orderNumber: string | null;
  readonly openedByName: string | null;
  readonly aboutName: string | null;
};

const nameOf = (id: RawBuilder<unknown>) => sql`(select u.fullname from users u where u.id = ${id})`;
const orderOfCase = sql`coalesce(c.order_id, (select d.order_id from deliveries d where d.id = c.delivery_id))`;

const TOWN_COLUMNS = sql`${CASE_COLUMNS}, ${nameOf(sql`c.opened_by`)} as "openedByName",
  ${nameOf(sql`c.about_user`)} as "aboutName",
  (select ${orderNumber} from orders o where o.id = ${orderOfCase}) as "orderNumber"`;

const OPEN = CASE_STATUSES.filter(isOpenCase);

/** A page of the open cases, or of those of one status. What waits for the town comes first, and of that what is urgent. */
export function listTownCaseRows(
  tx: Tx,
  state: CaseStatus | 'open',
  { limit, offset }: PageBounds,
): Promise<TownCaseRow[]> {
  const isEnded = state === 'decided' || state === 'closed';
  const order = isEnded
    ? sql`c.created_at desc, c.id desc`
    : sql`(c.status = 'with-town') desc, (c.priority = 'high') desc, c.created_at, c.id`;
  const statuses = state === 'open' ? OPEN : [state];
  return queryRows(
    tx,
    sql`select ${TOWN_COLUMNS} from cases c where c.status = any(${statuses}::text[])
      order by ${order} limit ${limit} offset ${offset}`,
  );
}

export const findTownCase = (tx: Tx, id: string): Promise<TownCaseRow | undefined> =>
  queryRow(tx, sql`select ${TOWN_COLUMNS} from cases c where c.id = ${id}`);

type PersonOfCase = { readonly id: string; readonly name: string };
export type PeopleOfCase = {
  readonly bud: PersonOfCase;
  readonly scrub: PersonOfCase;
  readonly duber: PersonOfCase | null;
};

/** The people of the order that a case is about, and the Duber of its delivery, or whom it is about. */
export const findPeopleOfCase = (tx: Tx, caseId: string): Promise<PeopleOfCase | undefined> =>
  queryRow(
    tx,
    sql`select json_build_object('id', bud.id, 'name', bud.fullname) as bud,
      json_build_object('id', scrub.id, 'name', scrub.fullname) as scrub,
      (select json_build_object('id', u.id, 'name', u.fullname) from users u where u.id = coalesce(
        (select d.duber_id from deliveries d where d.id = c.delivery_id),
        case c.about_role when 'Duber' then c.about_user end)) as duber
      from cases c join orders o on o.id = ${orderOfCase} join users bud on bud.id = o.bud_id
        join users scrub on scrub.id = o.scrub_id
      where c.id = ${caseId}`,
  );

const EXACT: SqlPoint = { latitude: sql`e.latitude`, longitude: sql`e.longitude` };
const placeOf = (isShown: boolean): SqlPoint => (isShown ? EXACT : approximatePointSql(EXACT));

/** What only operators read of each event of a case, in their order. */
export type EventForTown = Pick<TownCaseEvent, 'name' | 'place'>;

/** Who took each step of a case, and where, or near it where the places are not shown. An operator by the name that was written then. */
export const listEventsForTown = (tx: Tx, caseId: string, isShown: boolean): Promise<EventForTown[]> =>
  queryRows(
    tx,
    sql`select coalesce(e.actor_name, ${nameOf(sql`e.actor_id`)}) as name, case when e.latitude is not null
          then json_build_object('latitude', ${placeOf(isShown).latitude}, 'longitude', ${placeOf(isShown).longitude}) end as place
      from steps e where e.subject_id = ${caseId} order by e.position`,
  );

/** Who bears the decision about each item, in their order. */
export async function listLiableOfItems(tx: Tx, caseId: string): Promise<(LiableParty | null)[]> {
  const rows = await tx.selectFrom('claim_items').select('liable').where('case_id', '=', caseId).orderBy('n').execute();
  return rows.map(({ liable }) => liable as LiableParty | null);
}

/** The sum that decisions of the town have refunded to the card of a case's order, in cents. */
export async function sumGivenByTown(tx: Tx, caseId: string): Promise<number> {
  const row = await queryRow<{ cents: number }>(
    tx,
    sql`select coalesce(sum(r.amount), 0)::int as cents from cases c
      join cases same on same.order_id = c.order_id join case_refunds cr on cr.case_id = same.id
      join refunds r on r.id = cr.refund_id and r.state <> 'dropped'
      join steps e on e.subject_id = cr.case_id and e.position = cr.position and e.action = 'decide'
      where c.id = ${caseId}`,
  );
  return row?.cents ?? 0;
}
