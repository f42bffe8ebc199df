import { type RawBuilder, sql } from 'kysely';
import { ENDED_STATUSES } from '../../../domain/deliveries.ts';
import {
  type EarningKind,
  type EarningShares,
  ENTRY_KIND_OF_EARNING,
  type EndedOrder,
  type FeeLeft,
} from '../../../domain/earnings.ts';
import type { LedgerLine } from '../../../domain/ledger.ts';
import type { PriceLine } from '../../../domain/prices.ts';
import type { ChargedInTwo } from '../../../domain/promos.ts';
import { literals } from '../../db/columns.sql.ts';
import { queryRow, type Tx } from '../../db/database.ts';
import { CENTS_AT_COMPLETION, CENTS_OF_WAYS, feeOfWay, LINES } from '../../db/orderLines.sql.ts';
import { prepare } from '../../db/prepared.ts';
import { queueMoneyNotices } from '../ledger/moneyNotices.sql.ts';
import { SHOWS_LAUNDRY } from '../ledger/pendingPayouts.sql.ts';

/** Something of the order did not go as planned, so that a part of its price may be left when it ends. */
const HAS_EXCEPTIONS = sql`(o.way_home is not null or exists (select from deliveries x where x.order_id = o.id
  and (x.status = 'Called_Off' or x.attempt > 1 or x.round > 1)))`;
/** What went back to the card, or was dropped, is not asked for again. */
const IS_TAKEN = sql`(r.state <> 'dropped' or r.liable = 'nobody')`;
const HAS_REFUNDS = sql`exists (select from refunds r where r.order_id = o.id and ${IS_TAKEN})`;
const IS_UNDONE = sql`o.status in ('Cancelled', 'Rejected')`;

/**
 * What Dubers earned of the price of an order: the earnings of the deliveries `x` that fit, and of those that a release without
 * earnings has delivered the price.
 */
const earnedByDubers = (
  of: RawBuilder<unknown>,
  isEarlier: RawBuilder<unknown> = sql`true`,
) => sql`(select coalesce(sum(coalesce(
    (select sum(p.from_order) from earnings p where p.delivery_id = x.id and p.undone_at is null),
    case when x.status = 'Delivered' and ${isEarlier} and not exists (select from earnings p where p.delivery_id = x.id) then x.price end, 0)), 0)::int
  from deliveries x where x.order_id = o.id and ${of})`;

type EarningKey = readonly [deliveryId: string, attempt: number, kind: string, duberId: string];
export type EarningFacts = FeeLeft & {
  readonly scrubId: string;
  readonly isPaid: boolean;
  readonly hasRefunds: boolean;
  readonly hasExceptions: boolean;
  /** Whether the order ended without being done. */
  readonly isUndone: boolean;
  /** Whether its Scrub's credit waits until somebody has seen the laundry. */
  readonly isHeld: boolean;
  /** Whether the Duber's credit waits, because the laundry was lost. */
  readonly isLost: boolean;
  /** What this Duber was paid when they handed on what was not brought back since, and the fee for the whole way. */
  readonly ownRelay: number;
  readonly wholeFee: number;
  /** The open case of too many wrong PINs, where the laundry was handed over; of a return that of its failure as well. */
  readonly wrongPinCase: string | null;
  readonly failedDropCase: string | null;
};

const openCaseOf = (kind: 'wrong-pin' | 'failed-drop') => sql`(select c.id from cases c where c.opened_by is null
  and coalesce(c.delivery_id, c.order_id) = d.id and c.kind = ${sql.lit(kind)} and c.status not in ('decided', 'closed'))`;

// The step that is paid for may have made the delivery Delivered already.
const IS_ANOTHER = sql`x.id <> d.id`;

// Prepared: every delivery reads it.
const findEarningFacts = prepare<[...EarningKey], EarningFacts>(
  (delivery, attempt, kind, duber) => sql`select o.scrub_id as "scrubId", ${IS_UNDONE} as "isUndone",
      ${HAS_REFUNDS} as "hasRefunds", ${HAS_EXCEPTIONS} as "hasExceptions",
      exists (select from earnings p where p.delivery_id = d.id and p.attempt = ${attempt}::int and p.kind = ${kind}
        and p.duber_id = ${duber}::uuid) as "isPaid",
      exists (select from payout_holds h where h.order_id = o.id and h.reason = 'laundry-not-seen'
        and h.ended_at is null) and ${SHOWS_LAUNDRY} as "isHeld",
      exists (select from payout_holds h where h.order_id = o.id and h.user_id = ${duber}::uuid and h.reason = 'lost'
        and h.ended_at is null) as "isLost",
      (select coalesce(sum(p.cents), 0)::int from earnings p where p.delivery_id = d.id and p.kind = 'relay'
        and p.duber_id = ${duber}::uuid and p.undone_at is null and d.carrier_id is not null) as "ownRelay",
      greatest(d.price, ${feeOfWay(sql`d.delivery_type`)}) as "wholeFee",
      case when ${kind} in ('leg', 'return') then ${openCaseOf('wrong-pin')} end as "wrongPinCase",
      case when ${kind} = 'return' then ${openCaseOf('failed-drop')} end as "failedDropCase",
      case when m.state in ('voiding', 'voided') then 0 else ${feeOfWay(sql`d.delivery_type`)} end
        - ${earnedByDubers(sql`x.delivery_type = d.delivery_type`, IS_ANOTHER)} as fee,
      -- Of an order that is called off before it is weighed, no more is charged than what was paid to Dubers then.
      least(${CENTS_OF_WAYS}, m.amount - m.reduced + m.discount - m.discount_reduced)
        - ${earnedByDubers(sql`true`, IS_ANOTHER)}
        -- What went back because it weighed less was not for the ways. Neither was most of what went back of an order that is
        -- not done: what is left of it says the balance.
        - case when ${IS_UNDONE} then 0 else greatest(0, (select coalesce(sum(r.amount + r.discount), 0)::int from refunds r
          where r.order_id = o.id and r.liable = 'nobody') - coalesce(m.reduced + m.discount_reduced, 0)) end as "order"
    from deliveries d join orders o on o.id = d.order_id left join payments m on m.order_id = o.id
    where d.id = ${delivery}`,
);

export type EarningRow = EarningShares & {
  readonly deliveryId: string;
  readonly orderId: string;
  readonly attempt: number;
  readonly kind: EarningKind;
};

/** What decides who bears an earning. Lock the order's payment before. */
export async function readEarningFacts(
  tx: Tx,
  earning: Omit<EarningRow, 'fromOrder' | 'bearerId'>,
): Promise<EarningFacts> {
  const facts = await findEarningFacts.one(tx, earning.deliveryId, earning.attempt, earning.kind, earning.duberId);
  if (!facts) throw new Error(`there is no delivery ${earning.deliveryId}`);
  return facts;
}

/** The delivery that brings the laundry of an order home that has ended, while it is open and its Bud pays for it. Price in cents. */
export const findPaidWayHome = (tx: Tx, orderId: string): Promise<{ id: string; price: number } | undefined> =>
  tx
    .selectFrom('deliveries as d')
    .innerJoin('orders as o', 'o.id', 'd.order_id')
    .where('o.id', '=', orderId)
    .where('o.way_home', '=', 'bring')
    .where('d.delivery_type', '=', 'Scrub_To_Bud')
    .where('d.paid_by', 'is', null)
    .where('d.status', 'not in', ENDED_STATUSES)
    .select(['d.id', 'd.price'])
    .executeTakeFirst();

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The money that is left for a delivery that nobody is paid for yet. */
export const readFeeLeft = (tx: Tx, deliveryId: string): Promise<EarningFacts> =>
  readEarningFacts(tx, { deliveryId, orderId: NOBODY, attempt: 0, kind: 'trip', duberId: NOBODY, cents: 0 });

type EarningParams = [
  ...EarningKey,
  orderId: string,
  cents: number,
  fromOrder: number,
  bearer: string | null,
  entryKind: string,
  lines: string,
  at: Date,
];

// Raw SQL, prepared: the earning and its entry are one statement.
const insertEarning = prepare<EarningParams, { id: string | null }>(
  (delivery, attempt, kind, duber, order, cents, fromOrder, bearer, entryKind, lines, at) => sql`with entry as (
      insert into ledger_entries (kind, order_id, delivery_id, at)
        select ${entryKind}, ${order}::uuid, ${delivery}::uuid, ${at}::timestamptz where jsonb_array_length(${lines}::jsonb) > 0
        returning id),
    lines as (
      insert into ledger_lines (entry_id, position, account, party, amount)
        select entry.id, l.position, l.account, l.party, l.amount from entry,
          jsonb_to_recordset(${lines}::jsonb) as l (position integer, account text, party uuid, amount integer))
    insert into earnings (delivery_id, attempt, kind, duber_id, order_id, cents, from_order, bearer_id, entry_id, at)
      values (${delivery}::uuid, ${attempt}::int, ${kind}, ${duber}::uuid, ${order}::uuid, ${cents}::int, ${fromOrder}::int,
        ${bearer}::uuid, (select id from entry), ${at}::timestamptz)
      returning entry_id as id`,
);

/** Writes an earning with its entry, notifies who bears it, and returns the entry's id; without one when it has no lines. */
export async function writeEarning(
  tx: Tx,
  earning: EarningRow,
  lines: readonly LedgerLine[],
  at: Date,
): Promise<string | null> {
  const { deliveryId, attempt, kind, duberId, orderId, cents, fromOrder, bearerId } = earning;
  const json = JSON.stringify(lines.map((line, position) => ({ ...line, position })));
  const shares = [cents, fromOrder, bearerId] as const;
  const written = await insertEarning.one(
    tx,
    ...([deliveryId, attempt, kind, duberId] as const),
    orderId,
    ...shares,
    ENTRY_KIND_OF_EARNING[kind],
    json,
    at,
  );
  if (written?.id) await queueMoneyNotices(tx, { entryId: written.id, kind: ENTRY_KIND_OF_EARNING[kind], lines }, at);
  return written?.id ?? null;
}

export type CompletionFacts = {
  readonly hasRefunds: boolean;
  readonly hasExceptions: boolean;
  /** Whether it was completed before. */
  readonly isRecorded: boolean;
  /** Whether somebody besides the Scrub has seen the laundry. */
  readonly isSeen: boolean;
  /** Whether a Duber brings it to the Scrub. */
  readonly isOnItsWay: boolean;
  readonly lines: readonly PriceLine[];
};

const findCompletionFacts = prepare<[orderId: string], CompletionFacts>(
  (id) => sql`select ${HAS_REFUNDS} as "hasRefunds", ${HAS_EXCEPTIONS} as "hasExceptions", ${LINES} as lines,
      exists (select from ledger_entries e where e.order_id = o.id and e.kind = 'completed') as "isRecorded",
      exists (select from deliveries d where d.order_id = o.id and d.status = 'Delivered' and ${SHOWS_LAUNDRY})
        or exists (select from payout_holds h where h.order_id = o.id and h.user_id = o.scrub_id
          and h.reason = 'laundry-not-seen') as "isSeen",
      exists (select from deliveries x where x.order_id = o.id and x.delivery_type = 'Bud_To_Scrub'
        and x.status <> 'Called_Off') as "isOnItsWay"
    from orders o where o.id = ${id}`,
);

/** What decides about the money of a completion. Lock the order's payment before. */
export async function readCompletionFacts(tx: Tx, orderId: string): Promise<CompletionFacts> {
  const facts = await findCompletionFacts.one(tx, orderId);
  if (!facts) throw new Error(`there is no order ${orderId}`);
  return facts;
}

/** Every amount is what the card and, for a promo code, the platform paid together. */
export type Settlement = EndedOrder & {
  /** Whether the order has ended, and all its deliveries. */
  readonly hasEnded: boolean;
  readonly isCaptured: boolean;
  /** Whether the card network refuses to charge the card. */
  readonly isStuck: boolean;
  readonly charged: ChargedInTwo;
};

/** What an order's card paid, and what of it is earned and refunded. Lock its payment before. */
export function findSettlement(tx: Tx, orderId: string): Promise<Settlement | undefined> {
  // Raw SQL: it shares its parts with the prepared statements above.
  return queryRow<Settlement>(
    tx,
    sql`select m.state = 'captured' as "isCaptured", m.state = 'stuck' as "isStuck", m.amount + m.discount as captured, ${IS_UNDONE} as "isUndone",
        (${IS_UNDONE} or o.status = 'Completed') and not exists (select from deliveries x where x.order_id = o.id
          and x.status not in (${literals(ENDED_STATUSES)}))
          -- The way back is opened after the completion.
          and (o.status <> 'Completed' or o.self_pickup or exists (select from deliveries x
            where x.order_id = o.id and x.delivery_type = 'Scrub_To_Bud' and x.round = o.round)) as "hasEnded",
        ${earnedByDubers(sql`true`)} + case when o.status = 'Completed' or exists (select from ledger_entries e
          where e.order_id = o.id and e.kind = 'completed') then ${CENTS_AT_COMPLETION} else 0 end as earned,
        t.refunded + t."discountRefunded" as refunded, t.released + t."discountReleased" as released,
        json_build_object('amount', m.amount, 'reduced', m.reduced, 'refunded', t.refunded, 'released', t.released,
          'discount', m.discount, 'discountReduced', m.discount_reduced, 'discountRefunded', t."discountRefunded",
          'discountReleased', t."discountReleased") as charged
      from orders o join payments m on m.order_id = o.id cross join lateral (
        select coalesce(sum(r.amount), 0)::int as refunded, coalesce(sum(r.discount), 0)::int as "discountRefunded",
          coalesce(sum(r.amount) filter (where r.liable = 'nobody'), 0)::int as released,
          coalesce(sum(r.discount) filter (where r.liable = 'nobody'), 0)::int as "discountReleased"
        from refunds r where r.order_id = o.id and ${IS_TAKEN}) t
      where o.id = ${orderId}`,
  );
}

/** Remembers that the order ended before its card was charged. */
export async function settleWhenCaptured(tx: Tx, orderId: string): Promise<void> {
  await tx
    .updateTable('payments')
    .set({ settle_when_captured: true })
    .where('order_id', '=', orderId)
    .where('state', 'in', ['capturing', 'stuck'])
    .execute();
}

export type EarningToUndo = EarningShares & {
  readonly orderId: string;
  readonly kind: EarningKind;
  readonly entryId: string | null;
};

export async function findOrderOf(tx: Tx, deliveryId: string): Promise<string> {
  const delivery = tx.selectFrom('deliveries').select('order_id').where('id', '=', deliveryId);
  return (await delivery.executeTakeFirstOrThrow()).order_id;
}

/** The earnings of an attempt that stand. */
export function listEarningsOf(tx: Tx, delivery: { deliveryId: string; attempt: number }): Promise<EarningToUndo[]> {
  return tx
    .selectFrom('earnings as p')
    .where('p.delivery_id', '=', delivery.deliveryId)
    .where('p.attempt', '=', delivery.attempt)
    .where('p.undone_at', 'is', null)
    .select(['p.order_id as orderId', 'p.kind', 'p.duber_id as duberId', 'p.cents', 'p.entry_id as entryId'])
    .select(['p.from_order as fromOrder', 'p.bearer_id as bearerId'])
    .orderBy('p.kind')
    .orderBy('p.duber_id')
    .execute();
}

/** Writes down the earning of a delivery that a release without earnings has recorded. */
export async function adoptEarlierDelivery(tx: Tx, delivery: { deliveryId: string; attempt: number }): Promise<void> {
  // Raw SQL: an insert from the ledger.
  await sql`insert into earnings (delivery_id, attempt, kind, duber_id, order_id, cents, from_order, entry_id, at)
    select e.delivery_id, ${delivery.attempt}::int, 'leg', l.party, e.order_id, -l.amount, -l.amount, e.id, e.at
    from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'duber' and l.amount < 0
    where e.delivery_id = ${delivery.deliveryId} and e.kind = 'delivered'
      and not exists (select from earnings p where p.delivery_id = e.delivery_id)`.execute(tx);
}

export function listEntryLines(tx: Tx, entryId: string): Promise<LedgerLine[]> {
  return tx
    .selectFrom('ledger_lines')
    .select(['account', 'party', 'amount'])
    .where('entry_id', '=', entryId)
    .orderBy('position')
    .execute();
}

export async function markUndone(
  tx: Tx,
  { deliveryId, attempt, earning }: { deliveryId: string; attempt: number; earning: EarningToUndo },
  entryId: string | undefined,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('earnings')
    .set({ undone_by: entryId ?? null, undone_at: at })
    .where('delivery_id', '=', deliveryId)
    .where('attempt', '=', attempt)
    .where('kind', '=', earning.kind)
    .where('duber_id', '=', earning.duberId)
    .execute();
}
