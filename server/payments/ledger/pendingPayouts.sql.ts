import { type RawBuilder, sql } from 'kysely';
import { type PendingReason, SEEN_AFTER_MS } from '../../../domain/earnings.ts';
import { credit, debit } from '../../../domain/ledger.ts';
import { isRestrictedFrom } from '../../auth/restrictions.sql.ts';
import { queryRow, type Tx } from '../../db/database.ts';
import { writeLedgerEntry } from './ledger.sql.ts';

/** A credit of an order that is in no payout yet, and why. */
export type PendingPayout = {
  readonly orderId: string;
  readonly account: 'scrub' | 'duber';
  readonly userId: string;
  readonly reason: PendingReason;
  readonly caseId?: string;
  /** The part of the unpaid credit that waits, at most. Without it the whole credit waits, and what is credited later. */
  readonly cents?: number;
};

/**
 * Whether the pending payout `h` keeps the line `l` of the entry `e`: a credit that stands. Of a credit that was split, both lines
 * wait, so that nothing is taken from other orders.
 */
export const IS_HELD_LINE = sql<boolean>`case when h.cents is not null then h.entry_id = l.entry_id and l.amount < 0
  when l.amount > 0 then e.kind = 'held'
  else not exists (select from earnings s where s.entry_id = l.entry_id and s.undone_at is not null) end`;

/** The card of the order `e.order_id` waits until the laundry is weighed: nobody is paid before it is charged. */
const IS_UNCHARGED = sql<boolean>`exists (select from payments p
  where p.order_id = e.order_id and p.held is not null and p.state in ('held', 'capturing'))`;

/** Why a line `l` of the ledger is in no payout yet, besides the time for claims; null when it can be paid. */
export const ownPendingReason = (now: Date): RawBuilder<PendingReason | null> =>
  sql`coalesce((select h.reason from payout_holds h join ledger_entries e on e.order_id = h.order_id
    where h.user_id = l.party and h.account = l.account and e.id = l.entry_id and h.ended_at is null
      and (h.until is null or h.until > ${now}::timestamptz)
      and ${IS_HELD_LINE}
    order by h.since limit 1),
    (select 'not-charged' from ledger_entries e where e.id = l.entry_id and ${IS_UNCHARGED}),
    case when ${isRestrictedFrom('payout', sql`l.party`)} then 'account' end)`;

/** Whether a line `l` of the ledger is in a payout. */
export const isInPayout = sql<boolean>`exists (select from payout_lines k
  where k.entry_id = l.entry_id and k.position = l.position)`;

const wherePending = ({ orderId, account, userId, reason, caseId = undefined }: PendingPayout) =>
  sql`order_id = ${orderId} and account = ${account} and user_id = ${userId} and reason = ${reason}
    and case_id is not distinct from ${caseId ?? null}::uuid`;

/** Keeps a credit of an order out of payouts until `releaseCredits` with the same reason. */
export async function holdCredits(tx: Tx, pending: PendingPayout, at: Date): Promise<void> {
  const { orderId, account, userId, reason, caseId = null, cents = null } = pending;
  // A payout of this person is made before or after.
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const open = await queryRow(tx, sql`select id from payout_holds where ${wherePending(pending)} and ended_at is null`);
  if (open) return;
  const entryId = cents === null ? null : await writeHeldPart(tx, pending, cents, at);
  await sql`insert into payout_holds (order_id, account, user_id, reason, case_id, cents, entry_id, since)
    values (${orderId}, ${account}, ${userId}, ${reason}, ${caseId}::uuid, ${cents}::int, ${entryId}::bigint, ${at})
    on conflict on constraint payout_holds_once do update
      set cents = excluded.cents, entry_id = excluded.entry_id, since = excluded.since, until = null, ended_at = null`.execute(
    tx,
  );
}

/**
 * Payouts consist of whole lines. So a part that is held becomes a line of its own: a debit, which the next payout takes,
 * and a credit, which waits.
 */
async function writeHeldPart(tx: Tx, pending: PendingPayout, cents: number, at: Date): Promise<string | null> {
  const { orderId, account, userId } = pending;
  const { unpaid, lastAt } = (await queryRow<{ unpaid: number; lastAt: Date | null }>(
    tx,
    sql`select coalesce(-sum(l.amount), 0)::int as unpaid, max(e.at) as "lastAt" from ledger_entries e join ledger_lines l on l.entry_id = e.id
      where e.order_id = ${orderId} and l.account = ${account} and l.party = ${userId} and not ${isInPayout}
        and not exists (select from payout_holds h where h.entry_id = l.entry_id and h.ended_at is null and l.amount < 0)`,
  )) ?? { unpaid: 0, lastAt: null };
  const part = Math.min(cents, Math.max(0, unpaid));
  if (part === 0) return null;
  const lines = [debit(account, part, userId), credit(account, part, userId)];
  // Dated in the same week as the credit, whose payout may be made after this.
  return (await writeLedgerEntry(tx, { kind: 'held', orderId, at: lastAt ?? at, lines })) ?? null;
}

/**
 * Ends a pending payout. That the laundry was seen is remembered when no credit waits yet: the order may be completed later.
 */
export async function releaseCredits(tx: Tx, pending: PendingPayout, at: Date): Promise<void> {
  const { orderId, account, userId, reason } = pending;
  if (reason === 'laundry-not-seen') {
    await sql`insert into payout_holds (order_id, account, user_id, reason, since, ended_at)
      values (${orderId}, ${account}, ${userId}, ${reason}, ${at}, ${at})
      on conflict on constraint payout_holds_once do nothing`.execute(tx);
  }
  await sql`update payout_holds set ended_at = ${at} where ${wherePending(pending)} and ended_at is null`.execute(tx);
}

/** Whether the laundry of `orders o` came to its Scrub, and not only back: a Duber may "collect" from the Scrub what its Bud still has. */
const CAME_TO_SCRUB = sql`exists (select from handovers h where h.order_id = o.id and h.taker_id = o.scrub_id
  and not exists (select from handovers b where b.order_id = h.order_id and b.takes_back = h.position)
  and not exists (select from deliveries w where w.id = h.delivery_id and w.delivery_type = 'Scrub_To_Bud'))`;

/**
 * Whether the delivery `d` shows that the Scrub of `orders o` had the laundry: the way to them, or the way back where no Duber brought
 * what came to them.
 */
export const SHOWS_LAUNDRY = sql`(d.delivery_type = 'Bud_To_Scrub' or (${CAME_TO_SCRUB} and not exists (select from deliveries y
  where y.order_id = o.id and y.delivery_type = 'Bud_To_Scrub' and y.status <> 'Called_Off')))`;

/** A Duber has handed the laundry over to the Scrub, which ends the wait of the credit if the delivery shows that they had it. */
export async function endUnseenByHandover(
  tx: Tx,
  { orderId, scrubId, deliveryId }: { orderId: string; scrubId: string; deliveryId: string },
  at: Date,
): Promise<void> {
  const isShown = await queryRow(
    tx,
    sql`select from deliveries d join orders o on o.id = d.order_id where d.id = ${deliveryId} and ${SHOWS_LAUNDRY}`,
  );
  if (!isShown) return;
  await releaseCredits(tx, { orderId, account: 'scrub', userId: scrubId, reason: 'laundry-not-seen' }, at);
}

/** A Scrub's credit waits until somebody has seen the laundry; a while only when no Duber brings it. */
export async function holdUnseenLaundry(
  tx: Tx,
  { orderId, scrubId, isOnItsWay }: { orderId: string; scrubId: string; isOnItsWay: boolean },
  at: Date,
): Promise<void> {
  const until = isOnItsWay ? null : new Date(at.getTime() + SEEN_AFTER_MS);
  await sql`insert into payout_holds (order_id, account, user_id, reason, since, until)
    values (${orderId}, 'scrub', ${scrubId}, 'laundry-not-seen', ${at}, ${until}::timestamptz)
    on conflict on constraint payout_holds_once do nothing`.execute(tx);
}

/** A Duber has delivered the laundry. */
export async function endUnseenLaundry(tx: Tx, orderId: string, at: Date): Promise<void> {
  await sql`update payout_holds set ended_at = ${at}
    where order_id = ${orderId} and reason = 'laundry-not-seen' and ended_at is null`.execute(tx);
}

/** The Duber has brought the laundry that was lost. */
export async function endLost(
  tx: Tx,
  { orderId, duberId }: { orderId: string; duberId: string },
  at: Date,
): Promise<void> {
  await sql`update payout_holds set ended_at = ${at}
    where order_id = ${orderId} and user_id = ${duberId} and account = 'duber' and reason = 'lost' and ended_at is null`.execute(
    tx,
  );
}

/** No Duber brings the laundry any more. It counts as seen a while later. */
export async function limitUnseenLaundry(tx: Tx, orderId: string, at: Date): Promise<void> {
  await sql`update payout_holds set until = ${new Date(at.getTime() + SEEN_AFTER_MS)}
    where order_id = ${orderId} and reason = 'laundry-not-seen' and ended_at is null and until is null`.execute(tx);
}

/**
 * A delivery that ended the wait of the credit, or kept it from starting, was taken back, and nothing else has shown the laundry. Call it when its
 * earning is marked as undone, and its hand-over was taken back at the same time `at`.
 */
export async function holdUnseenAgain(
  tx: Tx,
  { orderId, deliveryId }: { orderId: string; deliveryId: string },
  at: Date,
): Promise<void> {
  const isElsewhere = sql`exists (select from deliveries d join orders o on o.id = d.order_id
    where o.id = ${orderId} and d.status = 'Delivered' and d.id <> ${deliveryId} and ${SHOWS_LAUNDRY})`;
  const isCompleted = sql`exists (select from ledger_entries e where e.order_id = ${orderId} and e.kind = 'completed')`;
  // The Scrub may have confirmed it, before or after its Duber said that they delivered it.
  const wasHandedOverByMistake = sql`exists (select from handovers b
    join handovers m on m.order_id = b.order_id and m.position = b.takes_back
    where b.order_id = h.order_id and b.delivery_id = ${deliveryId} and b.at = ${at}::timestamptz
      and m.taker_id = h.user_id and m.at <= h.ended_at)`;
  // By this delivery, or by one that was taken back while this one stood.
  const wasEndedByMistake = sql`(exists (select from earnings p where p.order_id = h.order_id and p.kind = 'leg'
    and p.undone_at is not null and p.at = h.ended_at) or ${wasHandedOverByMistake})`;
  // Before the completion nothing is held yet: what it remembers was a mistake.
  await sql`delete from payout_holds h where h.order_id = ${orderId} and h.reason = 'laundry-not-seen' and ${wasEndedByMistake}
    and not ${isCompleted} and not ${isElsewhere}`.execute(tx);
  await sql`insert into payout_holds as h (order_id, account, user_id, reason, since)
    select o.id, 'scrub', o.scrub_id, 'laundry-not-seen', ${at} from orders o where o.id = ${orderId}
      and ${isCompleted} and not ${isElsewhere}
    on conflict on constraint payout_holds_once do update set since = excluded.since, ended_at = null, until = null
      where ${wasEndedByMistake}`.execute(tx);
}
