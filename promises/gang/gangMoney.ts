// The judge of gangs: a program of its own over the ledger. It shares no code with the product.

import { type RawBuilder, sql } from 'kysely';
import { queryRows, type Tx } from '../../server/db/database.ts';

export type Sum = { readonly what: string; readonly cents: number };

/** The payments of a group and what it took, in cents. */
export type GroupMoney = {
  readonly paidIn: number;
  readonly takenOut: number;
  /** What the platform has paid for promo codes, in orders that were charged. */
  readonly given: number;
  /** What operators have paid who closed the cases of trips. */
  readonly byTown: number;
  /** The lines of the ledger of its people and its orders, by kind and account. */
  readonly byKind: readonly Sum[];
};

const list = (ids: readonly string[]) => sql`(${sql.join(ids.map((id) => sql`${id}::uuid`))})`;
const add = (rows: readonly Sum[]) => rows.reduce((sum, { cents }) => sum + cents, 0);
const sums = (db: Tx, query: RawBuilder<unknown>) => queryRows<Sum>(db, sql`${query}`);

/** What the cards of these Buds were charged, less what went back or is on its way back. */
async function readPaidIn(db: Tx, buds: readonly string[]): Promise<number> {
  return add(
    await sums(
      db,
      sql`select 'charged' as what, coalesce(sum(l.amount), 0)::int as cents from ledger_lines l
          join ledger_entries e on e.id = l.entry_id
          where l.account = 'card-clearing' and l.party in ${list(buds)} and e.kind in ('captured', 'refunded')
        union all select 'on its way back', -coalesce(sum(r.amount), 0)::int from refunds r join orders o on o.id = r.order_id
          where o.bud_id in ${list(buds)} and r.state in ('asking', 'pending')`,
    ),
  );
}

/** The payouts that were sent to the banks of these workers and have not come back, in cents. */
async function readTakenOut(db: Tx, workers: readonly string[]): Promise<number> {
  return add(
    await sums(
      db,
      sql`select state as what, sum(amount)::int as cents from payouts
        where user_id in ${list(workers)} and state = 'sent' group by state`,
    ),
  );
}

export async function readGroupMoney(
  db: Tx,
  { buds, workers }: { readonly buds: readonly string[]; readonly workers: readonly string[] },
): Promise<GroupMoney> {
  const byKind = await sums(
    db,
    sql`select e.kind || ' ' || l.account as what, sum(l.amount)::int as cents from ledger_lines l
      join ledger_entries e on e.id = l.entry_id left join orders o on o.id = e.order_id
      where o.bud_id in ${list(buds)} or l.party in ${list([...buds, ...workers])}
      group by 1 having sum(l.amount) <> 0 order by 1`,
  );
  const given = add(byKind.filter(({ what }) => what.endsWith(' promotions')));
  const [paidIn, takenOut] = [await readPaidIn(db, buds), await readTakenOut(db, workers)];
  return { paidIn, takenOut, given, byTown: await readPaidByTown(db, workers), byKind };
}

/** Whether an earning waited for a case that an operator has closed: then the town has paid it, and knew what it paid. */
const isPaidByTown = (entry: RawBuilder<unknown>) => sql`exists (select from payout_holds h
  join steps t on t.subject_id = h.case_id and t.action = 'close' and t.actor_role = 'Operator' where h.earning_entry = ${entry})`;

/** What operators have let these workers have. */
async function readPaidByTown(db: Tx, workers: readonly string[]): Promise<number> {
  return add(
    await sums(
      db,
      sql`select p.kind as what, sum(p.cents)::int as cents from earnings p
        where p.duber_id in ${list(workers)} and p.undone_at is null and ${isPaidByTown(sql`p.entry_id`)} group by p.kind`,
    ),
  );
}

/**
 * What a Duber has taken who shares nothing with the people of the orders: payouts for ways on which nobody got the laundry, and,
 * where `needsProof`, for deliveries that nobody who took them has proved.
 */
export async function readUnprovenEarning(db: Tx, workers: readonly string[], needsProof: boolean): Promise<number> {
  const isProven = sql`e.kind = 'delivered' and (${!needsProof} or exists (select from handovers h
    left join handover_confirmations c on c.order_id = h.order_id and c.position = h.position
    where h.delivery_id = e.delivery_id and h.takes_back is null
      and h.taker_role <> 'Duber' and (h.proof in ('pin', 'taker-pressed') or c.position is not null)))`;
  return add(
    await sums(
      db,
      sql`select e.kind as what, -sum(l.amount)::int as cents from payout_lines k
        join payouts w on w.id = k.payout_id join ledger_lines l on l.entry_id = k.entry_id and l.position = k.position
        join ledger_entries e on e.id = l.entry_id
        where w.user_id in ${list(workers)} and w.state = 'sent' and not (${isProven}) and not ${isPaidByTown(sql`e.id`)} group by 1`,
    ),
  );
}

/** What each order of these Buds has brought the group so far. What somebody owes who has nothing counts for nothing. */
export async function readScores(
  db: Tx,
  { buds, workers, isCautious }: { buds: readonly string[]; workers: readonly string[]; isCautious: boolean },
): Promise<ReadonlyMap<string, number>> {
  const owes = sql`(select coalesce(sum(b.amount), 0) from ledger_lines b where b.party = l.party and b.account = l.account) > 0`;
  const isHeld = sql`exists (select from payout_holds h where h.order_id = e.order_id and h.user_id = l.party and h.ended_at is null
    and (h.until is null or h.until > l.at + interval '12 hours'))`;
  const rows = await sums(
    db,
    sql`select e.order_id::text as what, (
        -coalesce(sum(l.amount) filter (where l.account in ('scrub', 'duber') and l.party in ${list(workers)}
          and not (l.amount > 0 and ${owes}) and not (${isCautious} and l.amount < 0 and ${isHeld})), 0)
        - coalesce(sum(l.amount) filter (where l.account = 'card-clearing' and e.kind in ('captured', 'refunded')), 0)
      )::int as cents
      from ledger_lines l join ledger_entries e on e.id = l.entry_id join orders o on o.id = e.order_id
      where o.bud_id in ${list(buds)} group by e.order_id`,
  );
  return new Map(rows.map(({ what, cents }) => [what, cents]));
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

export const describeMoney = ({ paidIn, takenOut, byKind }: GroupMoney): string =>
  [
    `paid in ${dollars(paidIn)}, taken out ${dollars(takenOut)}`,
    ...byKind.map(({ what, cents }) => `  ${what}: ${dollars(cents)}`),
  ].join('\n');
