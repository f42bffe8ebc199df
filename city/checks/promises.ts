import { type RawBuilder, sql } from 'kysely';
import { type PromiseCredit, SETTLE_PROMISE_MS } from '../../domain/promises.ts';
import { type Database, queryRow, queryRows } from '../../server/db/database.ts';
import type { RunLog } from '../findings.ts';
import type { Figures } from '../report/figures.ts';
import { idsIn } from './database.ts';

/** A timer and what it does may take so long. */
const SLACK = sql`interval '2 minutes'`;

/** Laundry is back when its Bud has it and the order is completed. By the hand-overs, not by what the server has noted. */
const BACK_AT = sql`(select case when o.status = 'Completed' and h.taker_role = 'Bud' then coalesce(h.taken_at, h.at) end
  from handovers h where h.order_id = o.id order by h.position desc limit 1)`;
/** A hand-over that was not taken back as a mistake. */
const STANDS = sql`h.takes_back is null
  and not exists (select from handovers t where t.order_id = h.order_id and t.takes_back = h.position)`;
const HOLDER_THEN = sql`(select h.taker_id from handovers h
  where h.order_id = o.id and ${STANDS} and coalesce(h.taken_at, h.at) <= m.promised_at order by h.position desc limit 1)`;
/** Whether its Bud had the laundry back from the Scrub at the promised time, also when it is cleaned again since. */
const WAS_BACK_THEN = sql`exists (select from handovers h left join deliveries d on d.id = h.delivery_id
  where h.order_id = o.id and ${STANDS} and h.taker_role = 'Bud' and coalesce(h.taken_at, h.at) <= m.promised_at
    and coalesce(d.delivery_type, 'Scrub_To_Bud') = 'Scrub_To_Bud')`;

const UNNOTICED = sql`select format('order %s was not back by %s, and nothing says so', o.id, o.promised_at) as what from orders o
  where o.status in ('Accepted', 'In_Progress', 'Completed') and o.promised_at < now() - ${SLACK}
    and coalesce(${BACK_AT} > o.promised_at, true)
    and not exists (select from steps s where s.subject_id = o.id and s.action = 'promise-missed')`;

const WRONGLY_MISSED = sql`select format('order %s was back at %s, by the promised time, and it is said that it was not', o.id, ${BACK_AT}) as what
  from orders o where ${BACK_AT} <= o.promised_at
    and not exists (select from steps s where s.subject_id = o.id and s.action = 'reopen')
    and exists (select from steps s where s.subject_id = o.id and s.action = 'promise-missed')`;

const UNTOLD = sql`select format('no mail tells the %s of order %s that its promise was missed', p.role, o.id) as what from orders o
    join steps s on s.subject_id = o.id and s.action = 'promise-missed'
    cross join lateral (values ('Bud', o.bud_id), ('Scrub', o.scrub_id)) p (role, id)
  where not exists (select from notifications n where n.kind = 'promise-missed' and n.about = o.id and n.user_id = p.id and n.channel = 'mail')
    -- After that the Bud reads about the credit instead.
    and not exists (select from steps g where g.subject_id = o.id and g.action = 'promise-settled')
    -- Another Scrub has it by now.
    and not exists (select from steps g where g.subject_id = o.id and g.action = 'give-back' and g.at > s.at)`;

/** With a credit, each missed promise owes one; without, none does. */
const owesWrongly = (
  credit: PromiseCredit | null,
) => sql`select format('order %s has missed its promise, and %s credits are owed', s.subject_id,
    (select count(*) from missed_promises m where m.order_id = s.subject_id)) as what
  from (select distinct subject_id from steps where action = 'promise-missed') s
  where exists (select from missed_promises m where m.order_id = s.subject_id) <> ${credit !== null}`;

const UNSETTLED = sql`select format('the credit of order %s, which was promised by %s, is still owed', m.order_id, m.promised_at) as what
  from missed_promises m where m.state = 'owed' and m.promised_at + ${SETTLE_PROMISE_MS / 1_000} * interval '1 second' < now() - ${SLACK}`;

const paidWrongly = ({
  cents,
  borneBy,
}: PromiseCredit) => sql`select format('the missed promise of order %s is %s: %s credits, %s cents from %s', m.order_id,
    m.state, r.times, r.cents, coalesce(r.from_whom::text, 'the town')) as what
  from missed_promises m join orders o on o.id = m.order_id
    cross join lateral (select count(*) as times, coalesce(sum(r.amount), 0) as cents, min(r.liable_user::text)::uuid as from_whom
      from refunds r where r.order_id = o.id and r.reason = 'The promised time was missed') r
  where r.times <> case m.state when 'paid' then 1 else 0 end or r.cents > ${cents}::int
    or (m.state = 'paid' and r.from_whom is distinct from ${borneBy === 'town' ? sql`null` : HOLDER_THEN})
    or (m.state = 'kept') <> ${WAS_BACK_THEN} and m.state in ('kept', 'paid')`;

type Kept = { kept: number; missed: number; paid: number };

/** Run this once no timer is due. Each missed promise was announced, and its credit is paid once, by the holder at that time or by the town. */
export async function checkPromises(
  { db }: Database,
  credit: PromiseCredit | null,
  { log, figures }: { readonly log: RunLog; readonly figures: Figures },
): Promise<void> {
  const check = async (promise: string, query: RawBuilder<unknown>) => {
    for (const { what } of await queryRows<{ what: string }>(db, query)) log.report(promise, what, idsIn(what));
  };
  await check('no promise is missed in silence', UNNOTICED);
  await check('no promise is missed in silence', UNTOLD);
  await check('what was kept is not called missed', WRONGLY_MISSED);
  await check('each missed promise pays once, and no other', owesWrongly(credit));
  await check('each missed promise pays once, and no other', UNSETTLED);
  if (credit) await check('each missed promise pays once, and no other', paidWrongly(credit));
  const counts = await queryRow<Kept>(
    db,
    sql`select (count(*) filter (where ${BACK_AT} <= o.promised_at))::int as kept,
      (select count(distinct subject_id) from steps where action = 'promise-missed')::int as missed,
      (select count(*) from missed_promises where state = 'paid')::int as paid from orders o`,
  );
  figures.count('promises kept', counts?.kept);
  figures.count('promises missed', counts?.missed);
  figures.count('credits paid', counts?.paid);
}
