import { sql } from 'kysely';
import { WORK_KINDS } from '../../domain/ledger.ts';
import type { OrderSize } from '../../domain/orders.ts';
import { priceOfLines } from '../../domain/prices.ts';
import { type CorrectionState, decidingWeight, type Scale } from '../../domain/weighing.ts';
import { windowOf } from '../../domain/windows.ts';
import type { Actor } from '../../domain/workflow.ts';
import { isRestrictedFrom } from '../auth/restrictions.sql.ts';
import { centsBorneOfCase, literals, orderNumber } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { LINES } from '../db/orderLines.sql.ts';
import { timeZoneSql } from '../town/settings.sql.ts';
import { nameUnless } from './deliveryTemplateData.sql.ts';
import type { DueNotification } from './outbox.sql.ts';

type TemplateData<T extends (...args: never[]) => Promise<unknown>> = NonNullable<Awaited<ReturnType<T>>>;

export type OrderTemplateData = TemplateData<typeof readOrderTemplateData>;
export type CaseTemplateData = TemplateData<typeof readCaseTemplateData>;
export type WeighingTemplateData = TemplateData<typeof readWeighingTemplateData>;
export type MoneyTemplateData = TemplateData<typeof readMoneyTemplateData>;
export type PayoutTemplateData = TemplateData<typeof readPayoutTemplateData>;

/** The last step of an order: what it was, by whom, and what they wrote. */
type LastChange = { readonly action: string | null; readonly by: Actor | null; readonly words: string | null };

/** What a notification says about an order. Names only: a mail never has the e-mail or phone of another person. */
export async function readOrderTemplateData(tx: Tx, id: string, now: Date) {
  const order = await tx
    .selectFrom('orders as o')
    .innerJoin('users as bud', 'bud.id', 'o.bud_id')
    .innerJoin('users as scrub', 'scrub.id', 'o.scrub_id')
    .select([
      'o.id',
      orderNumber.as('number'),
      nameUnless(sql`o.status in ('Requested', 'Cancelled', 'Rejected')`, 'bud').as('budName'),
      'o.status',
      'o.bud_id as budId',
      'scrub.fullname as scrubName',
      'o.scrub_address as scrubAddress',
      'o.load_size as loadSize',
      'o.self_delivery as selfDelivery',
      'o.self_pickup as selfPickup',
      ...(['o.pickup_from', 'o.pickup_until', 'o.return_from', 'o.return_until'] as const),
      timeZoneSql(sql`${now}`).as('timeZone'),
      LINES.as('lines'),
      'o.tax_rate as taxRate',
      'o.promo_code as promoCode',
      sql<number>`coalesce(o.discount, 0)`.as('discount'),
      'o.round',
      'o.created_at as placedAt',
      'o.ceiling_size as ceilingSize',
      sql<number>`(select coalesce(p.held, p.amount) from payments p where p.order_id = o.id)`.as('held'),
      sql<boolean>`exists (select from payments p where p.order_id = o.id and p.state in ('capturing', 'captured'))`.as(
        'isCharged',
      ),
      // What is charged for an order that is weighed although it was called off.
      sql<number | null>`(select p.amount from payments p where p.order_id = o.id and p.held is not null
        and p.state in ('capturing', 'captured') and p.amount + p.discount < o.total_price
        and o.status in ('Cancelled', 'Rejected'))`.as('fee'),
      sql<number>`(select coalesce(sum(p.from_order), 0)::int from earnings p
        where p.order_id = o.id and p.undone_at is null)`.as('paidToDubers'),
      sql<number>`coalesce((select sum(r.amount) from refunds r where r.order_id = o.id and r.state <> 'dropped'), 0)::int`.as(
        'refunded',
      ),
      sql<boolean>`o.holder_role = 'Scrub'`.as('isWithScrub'),
      'o.way_home as wayHome',
      sql<boolean>`o.given_back_at is not null`.as('isGivenBack'),
      sql<boolean>`scrub.is_active and not ${isRestrictedFrom('new-work', sql`scrub.id`)}`.as('isScrubShown'),
      sql<LastChange>`(select json_build_object('action', t.action, 'by', t.actor_role, 'words', t.words) from steps t
        where t.subject_id = o.id order by t.position desc limit 1)`.as('lastChange'),
    ])
    .where('o.id', '=', id)
    .executeTakeFirst();
  if (!order) return undefined;
  const { lines, scrubAddress, pickup_from, pickup_until, return_from, return_until, timeZone, ...rest } = order;
  const [pickup, back] = [windowOf(pickup_from, pickup_until), windowOf(return_from, return_until)];
  return {
    ...rest,
    ...{ scrubAddress: scrubAddress.address, price: priceOfLines(lines) },
    /** When somebody comes; undefined for as soon as possible. */
    times: pickup && back && { pickup, return: back, timeZone },
  };
}

/** How a notification of a new request relates to others of the same Bud to the same Scrub, on the same channel. */
export type RequestBurst = {
  /** Whether a request of the ten minutes before, which no Scrub answered, was announced or is going to be. */
  readonly isFollowUp: boolean;
  /** Whether the notification of a later request was sent: it covered all that were open. */
  readonly isCovered: boolean;
  /** Whether the notification of a later request that is still open is going to be sent. */
  readonly hasLater: boolean;
  readonly openRequests: number;
  /** Whether an open request has a window. */
  readonly isTimed: boolean;
};

/** Raw SQL: five looks at the orders of one Bud in one round trip. */
export async function readRequestBurst(
  tx: Tx,
  { about, channel, target }: Pick<DueNotification, 'about' | 'channel' | 'target'>,
): Promise<RequestBurst | undefined> {
  const others = (comparison: '<' | '>') => sql`select 1 from orders other
      join notifications n on n.about = other.id and n.kind = 'placed' and n.channel = ${channel}
        and n.target = ${target}::uuid
      where other.bud_id = o.bud_id and other.scrub_id = o.scrub_id
        and (other.created_at, other.id) ${sql.raw(comparison)} (o.created_at, o.id)`;
  return queryRow(
    tx,
    sql`select
        exists (${others('<')} and other.created_at > o.created_at - interval '10 minutes'
          and other.status in ('Requested', 'Cancelled') and n.state in ('due', 'sent')) as "isFollowUp",
        exists (${others('>')} and n.state = 'sent') as "isCovered",
        exists (${others('>')} and n.state = 'due' and other.status = 'Requested') as "hasLater",
        (select count(*)::int from orders other where other.bud_id = o.bud_id and other.scrub_id = o.scrub_id
          and other.status = 'Requested') as "openRequests",
        exists (select from orders other where other.bud_id = o.bud_id and other.scrub_id = o.scrub_id
          and other.status = 'Requested' and other.promised_at is not null) as "isTimed"
      from orders o where o.id = ${about}`,
  );
}

/** What a notification to one of its people says about what happened in a case. Amounts in cents. */
export function readCaseTemplateData(tx: Tx, eventId: string, readerId: string) {
  return tx
    .selectFrom('steps as e')
    .innerJoin('cases as c', 'c.id', 'e.subject_id')
    .leftJoin('users as about', 'about.id', 'c.about_user')
    .leftJoin('orders as o', 'o.id', 'c.order_id')
    .select([
      sql<string | null>`${orderNumber}`.as('order'),
      sql<string | null>`case when e.actor_role = 'Operator' then e.words end`.as('townWords'),
      'c.id',
      'c.no',
      'c.kind',
      'e.action',
      'e.status',
      'e.offer',
      'e.cents',
      'e.actor_role as by',
      'about.fullname as aboutName',
      'c.about_role as aboutRole',
      centsBorneOfCase(sql`c.id`, readerId).as('readerPays'),
      sql<boolean>`c.about_user is not distinct from ${readerId}::uuid`.as('isAboutReader'),
      // Whether the reader bears what the town has decided, which nobody contests twice.
      sql<boolean>`c.decided_by = 'Operator' and c.contested_at is null and (${centsBorneOfCase(sql`c.id`, readerId)} > 0
        or c.opened_by = ${readerId}::uuid and c.kind = 'claim'
          and (select coalesce(sum(i.asked), 0) > coalesce(sum(i.decided), 0) from claim_items i where i.case_id = c.id))`.as(
        'canReaderContest',
      ),
      // Whether the reader took the laundry last, and so counted its bags.
      sql<boolean>`coalesce((select h.taker_id = ${readerId}::uuid from handovers h where h.order_id = c.order_id and h.at <= e.at
        order by h.position desc limit 1), false)`.as('hasReaderCounted'),
    ])
    .where('e.id', '=', eventId)
    .executeTakeFirst();
}

/** What a notification says about laundry that is heavier than ordered. Amounts in cents. */
export async function readWeighingTemplateData(tx: Tx, orderId: string) {
  const gramsOf = (scale: Scale) =>
    sql<number>`(select w.grams from weighings w where w.order_id = o.id and w.scale = ${sql.lit(scale)})`;
  const row = await tx
    .selectFrom('corrections as c')
    .innerJoin('orders as o', 'o.id', 'c.order_id')
    .innerJoin('users as bud', 'bud.id', 'o.bud_id')
    .innerJoin('users as scrub', 'scrub.id', 'o.scrub_id')
    .select([
      'o.id',
      orderNumber.as('number'),
      'bud.fullname as budName',
      'scrub.fullname as scrubName',
      'o.load_size as size',
      sql<OrderSize>`o.ceiling_size`.as('ceilingSize'),
      'o.total_price as totalPrice',
      sql<number>`coalesce(o.discount, 0)`.as('discount'),
      'c.state',
      'c.from_size as fromSize',
      'c.from_cents as fromCents',
      'c.to_size as toSize',
      'c.to_cents as toCents',
      'c.splits',
      'o.self_delivery as selfDelivery',
      'o.self_pickup as selfPickup',
      gramsOf('scrub').as('scrub'),
      gramsOf('duber').$castTo<number | null>().as('duber'),
    ])
    .where('o.id', '=', orderId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { scrub, duber, ...rest } = row;
  return { ...rest, grams: decidingWeight({ scrub, duber: duber ?? undefined }).grams };
}

/**
 * What a notification to one of its people says about an entry of the ledger, whose number its id has. Amounts in cents. An earning counts
 * apart from the part of a refund that is taken from it; other entries are what they add up to.
 */
export function readMoneyTemplateData(tx: Tx, about: string, readerId: string) {
  const own = sql`l.party = ${readerId}::uuid and l.account in ('scrub', 'duber')`;
  const net = sql<number>`-coalesce(sum(l.amount) filter (where ${own}), 0)::int`;
  return tx
    .selectFrom('ledger_entries as e')
    .innerJoin('ledger_lines as l', 'l.entry_id', 'e.id')
    .innerJoin('orders as o', 'o.id', 'e.order_id')
    .leftJoin('refunds as r', 'r.id', 'e.refund_id')
    .leftJoin('adjustments as a', 'a.entry_id', 'e.id')
    .where(sql<boolean>`e.id = ('x' || right(replace(${about}, '-', ''), 16))::bit(64)::bigint`)
    .groupBy(['e.id', 'o.id', 'r.id', 'a.entry_id'])
    .select([
      'e.kind',
      'e.order_id as orderId',
      orderNumber.as('order'),
      'o.load_size as loadSize',
      'o.status as orderStatus',
      sql<boolean>`exists (select from weighings w where w.order_id = o.id and w.scale = 'scrub')`.as('isWeighed'),
      sql<CorrectionState | null>`(select c.state from corrections c where c.order_id = o.id)`.as('correction'),
      sql<boolean>`coalesce(o.scrub_id = ${readerId}::uuid, false)`.as('isTheirs'),
      sql<string | null>`coalesce(e.delivery_id, (select d.id from deliveries d where d.order_id = e.order_id
        and d.duber_id = ${readerId}::uuid order by d.created_at desc limit 1))`.as('deliveryId'),
      // A refund that was made before the order was earned is taken from the credit.
      sql<string | null>`coalesce(r.reason, a.reason, (select u.reason from refunds u where u.order_id = e.order_id
        and u.liable_user = ${readerId}::uuid and u.state <> 'dropped' order by u.created_at desc limit 1))`.as(
        'reason',
      ),
      sql<boolean>`exists (select from earnings p where p.delivery_id = e.delivery_id and p.entry_id = e.id and p.bearer_id = ${readerId}::uuid)`.as(
        'isBorne',
      ),
      sql<number>`case when e.kind in (${literals(WORK_KINDS)})
        then coalesce(sum(l.amount) filter (where ${own} and l.amount > 0), 0)::int else greatest(0, 0 - ${net}) end`.as(
        'lost',
      ),
      sql<number>`greatest(0, ${net})`.as('earned'),
      sql<number>`coalesce(-sum(l.amount) filter (where l.account = 'card-clearing'), 0)::int`.as('cardCents'),
    ])
    .executeTakeFirst();
}

/** What a notification says about a payout. The amount is in cents. */
export function readPayoutTemplateData(tx: Tx, id: string) {
  return tx
    .selectFrom('payouts')
    .select(['id', 'amount', 'period_end as periodEnd'])
    .where('id', '=', id)
    .executeTakeFirst();
}
