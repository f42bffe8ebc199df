import { sql } from 'kysely';
import type { CaseStatus } from '../../domain/cases.ts';
import type { SameMark } from '../../domain/samePeople.ts';
import { queryRows, type Tx } from '../db/database.ts';

export type Payee = { readonly userId: string; readonly account: 'scrub' | 'duber' };

/** Somebody of a payee's orders who has something in common with them. */
export type SamePerson = {
  readonly otherId: string;
  readonly name: string;
  readonly otherName: string;
  /** Of those that are to be paid, and were not looked at before. */
  readonly orderIds: readonly string[];
  readonly marks: readonly SameMark[];
};

const share = (table: 'payout_accounts' | 'tax_ids') =>
  sql`exists (select from ${sql.table(table)} a join ${sql.table(table)} b on b.mark = a.mark
    where a.user_id = m.id and b.user_id = p.id)`;
const shareTrait = (kind: 'device' | 'network') =>
  sql`exists (select from known_devices a join known_devices b on b.kind = a.kind and b.value = a.value
    where a.user_id = m.id and b.user_id = p.id and a.kind = ${sql.lit(kind)})`;
const SAME_DEVICE = sql`(${shareTrait('device')} or exists (select from sessions a join sessions b on b.device = a.device
  where a.user_id = m.id and b.user_id = p.id))`;
/** Countries are written in several ways, and the last nine digits are the same in all of them. */
const digits = (alias: 'm' | 'p') => sql`right(regexp_replace(${sql.ref(`${alias}.phone`)}, '\\D', '', 'g'), 9)`;

/** The other people of the orders that a payee is to be paid for, with what they have in common. */
export const listSamePeople = (tx: Tx, { userId, account }: Payee, before: Date): Promise<SamePerson[]> =>
  queryRows(
    tx,
    sql`with due as materialized (
        select distinct e.order_id from ledger_lines l join ledger_entries e on e.id = l.entry_id
          where l.party = ${userId}::uuid and l.account = ${account} and l.amount < 0 and l.at < ${before}::timestamptz
            and e.order_id is not null and not exists (select from payout_lines k where k.entry_id = l.entry_id and k.position = l.position)
            and not exists (select from payout_holds h where h.order_id = e.order_id and h.user_id = ${userId}::uuid
              and h.reason = 'same-people')),
      people as (
        select d.order_id, o.bud_id as id from due d join orders o on o.id = d.order_id
        union select d.order_id, o.scrub_id from due d join orders o on o.id = d.order_id
        union select d.order_id, y.duber_id from due d join earnings y on y.order_id = d.order_id
        union select d.order_id, y.duber_id from due d join deliveries y on y.order_id = d.order_id where y.duber_id is not null),
      others as (select id, array_agg(order_id order by order_id) as orders from people where id <> ${userId}::uuid group by id),
      compared as (
        select p.id as "otherId", m.fullname as name, p.fullname as "otherName", x.orders as "orderIds", array_remove(array[
          case when ${digits('m')} = ${digits('p')} and length(${digits('p')}) >= 6 then 'phone' end,
          case when ${SAME_DEVICE} then 'device' end,
          case when ${share('payout_accounts')} then 'bank' end,
          case when ${share('tax_ids')} then 'tax' end,
          case when ${shareTrait('network')} then 'network' end], null) as marks
        from others x join users p on p.id = x.id join users m on m.id = ${userId}::uuid)
      select * from compared where marks <> '{}' order by "otherId"`,
  );

/** A time before in which two people were found. It was closed in their favour when the town decided nothing against them. */
export type FoundBefore = {
  readonly caseId: string;
  readonly status: CaseStatus;
  readonly isDecided: boolean;
  readonly marks: readonly SameMark[];
};

const pairOf = (a: string, b: string) => (a < b ? ([a, b] as const) : ([b, a] as const));

export function listFoundBefore(tx: Tx, a: string, b: string): Promise<FoundBefore[]> {
  const [one, other] = pairOf(a, b);
  return queryRows(
    tx,
    sql`select s.case_id as "caseId", c.status, c.decided_at is not null as "isDecided", s.marks
      from same_people s join cases c on c.id = s.case_id where s.one = ${one} and s.other = ${other}`,
  );
}

export async function insertSamePeople(
  tx: Tx,
  { people: [a, b], caseId, marks }: { people: readonly [string, string]; caseId: string; marks: readonly SameMark[] },
  at: Date,
): Promise<void> {
  const [one, other] = pairOf(a, b);
  await sql`insert into same_people (one, other, case_id, marks, found_at)
    values (${one}, ${other}, ${caseId}, ${[...marks]}::text[], ${at})
    on conflict (one, other, case_id) do update set marks = excluded.marks`.execute(tx);
}

/** Ends the pending payouts of a case about people who may be the same. */
export async function endPendingPayoutsOfCase(tx: Tx, caseId: string, at: Date): Promise<void> {
  await sql`update payout_holds set ended_at = ${at}
    where case_id = ${caseId} and reason = 'same-people' and ended_at is null`.execute(tx);
}
