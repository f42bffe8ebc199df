import { sql } from 'kysely';
import type { Role } from '../../domain/accounts.ts';
import { DOOR_WAIT_MS, type ReasonOf } from '../../domain/needs.ts';
import type { PromiseCredit, UnpaidReason } from '../../domain/promises.ts';
import { backAt, handedAt, literals, type OrderRow, standsHandover } from '../db/columns.sql.ts';
import { queryRow, type Tx } from '../db/database.ts';
import { send } from '../db/driver.ts';
import { promisedCredit } from '../town/settings.sql.ts';

// Table `missed_promises`: what a missed promise pays.

export type MissedTimes = Pick<OrderRow, 'id' | 'promisedAt' | 'pickupUntil' | 'returnFrom'>;

/** Owes the credit of a missed promise, where the town pays for that. Nothing the second time. */
export const insertOwedCredit = (tx: Tx, { id, promisedAt, pickupUntil, returnFrom }: MissedTimes, at: Date) =>
  send(
    tx,
    sql`insert into missed_promises (order_id, promised_at, pickup_until, return_from, cents, state, found_at)
      select o.id, ${promisedAt}::timestamptz, ${pickupUntil}::timestamptz, ${returnFrom}::timestamptz,
        (c.credit ->> 'cents')::int, 'owed', ${at}::timestamptz
      from orders o cross join lateral (select ${promisedCredit} as credit) c
      where o.id = ${id} and jsonb_typeof(c.credit) = 'object'
      on conflict (order_id) do nothing`,
  );

export async function isCreditOwed(tx: Tx, orderId: string): Promise<boolean> {
  const owed = tx.selectFrom('missed_promises').select('order_id').where('order_id', '=', orderId);
  return (await owed.where('state', '=', 'owed').executeTakeFirst()) !== undefined;
}

export type OwedCredit = {
  readonly promisedAt: Date;
  readonly cents: number;
  readonly borneBy: PromiseCredit['borneBy'] | null;
  /** What the platform keeps of the order: its fee, less its part of a promo code and of earlier refunds. */
  readonly kept: number;
  /** Who had the laundry at the promised time, by the chain of hand-overs; null for its Bud, who has given it to nobody. */
  readonly holderRole: Role | null;
  readonly holderId: string | null;
  readonly deliveryId: string | null;
  /** Whether the Bud gave the laundry away later than agreed, to a Duber or to the Scrub. */
  readonly wasGivenLate: boolean;
  /** When the Bud had it back; null while they have not. */
  readonly backAt: Date | null;
  /** Whether a Duber stood at the door of the Bud with it in time, in the window of the return. */
  readonly wasNotHome: boolean;
};

/** The reasons of a failed drop-off that lie with the Bud. */
const REASONS_OF_BUD: readonly ReasonOf<'drop-failed'>[] = ['nobody-home', 'no-access', 'refused'];

/**
 * Whether a Duber stood at the door of the Bud in the window of the return of `missed_promises m`: an arrival that was possible by then,
 * and after which the Bud took the laundry while the Duber waited, or more than the word of the Duber says that the Bud did not.
 */
const WAS_NOT_HOME = sql<boolean>`exists (
  select from deliveries d join steps a on a.subject_id = d.id and a.action = 'arrived-at-drop'
    cross join lateral (select coalesce(a.counts_from, a.taken_at, a.at) as at) door
  where d.order_id = m.order_id and d.delivery_type = 'Scrub_To_Bud' and door.at between m.return_from and m.promised_at
    and (exists (select from steps f where f.subject_id = d.id and f.attempt = a.attempt and f.position > a.position
          and f.action = 'drop-failed' and f.is_proven and f.reason in (${literals(REASONS_OF_BUD)})
          and not exists (select from steps c where c.subject_id = d.id and c.attempt = f.attempt and c.action = 'correct'))
      or exists (select from handovers h where h.order_id = m.order_id and h.delivery_id = d.id and h.taker_role = 'Bud'
          and ${standsHandover('h')}
          and ${handedAt('h')} between door.at and door.at + ${sql.lit(DOOR_WAIT_MS)} * interval '1 millisecond')))`;

/**
 * What is owed for an order, and the facts about it. A hand-over counts from when a phone without a network took it, as far as the server
 * has believed that, so this is read once no such phone sends anything any more. A hand-over that was taken back was none.
 */
export function findOwedCredit(tx: Tx, orderId: string): Promise<OwedCredit | undefined> {
  return queryRow<OwedCredit>(
    tx,
    sql`select m.promised_at as "promisedAt", m.cents, c.credit ->> 'borneBy' as "borneBy",
        greatest(0, (select coalesce(sum(l.cents), 0) from order_lines l where l.order_id = o.id and l.earner = 'platform')
          - (select coalesce(sum(p.discount - p.discount_reduced), 0) from payments p where p.order_id = o.id)
          - (select coalesce(sum(case when r.liable = 'platform' then r.amount else r.forgiven end), 0) from refunds r
              where r.order_id = o.id and r.state <> 'dropped'))::int as kept,
        held.taker_role as "holderRole", held.taker_id as "holderId", held.delivery_id as "deliveryId",
        coalesce(given.at > m.pickup_until, false) as "wasGivenLate", ${backAt('o')} as "backAt", ${WAS_NOT_HOME} as "wasNotHome"
      from missed_promises m join orders o on o.id = m.order_id
        cross join lateral (select ${promisedCredit} as credit) c
        cross join lateral (select min(${handedAt('h')}) as at from handovers h
          where h.order_id = o.id and h.giver_role = 'Bud' and ${standsHandover('h')}) given
        left join lateral (select h.taker_role, h.taker_id, h.delivery_id from handovers h
          where h.order_id = o.id and ${standsHandover('h')} and ${handedAt('h')} <= m.promised_at
          order by h.position desc limit 1) held on true
      where m.order_id = ${orderId} and m.state = 'owed'`,
  );
}

type Settled = {
  readonly state: 'paid' | 'kept' | 'unpaid';
  readonly reason?: UnpaidReason;
  readonly holderRole?: Role | null;
  readonly liable?: 'platform' | 'scrub' | 'duber';
  readonly liableUser?: string | null;
  readonly refundId?: string;
  readonly cents?: number;
  readonly backAt?: Date | null;
};

export async function endOwedCredit(tx: Tx, orderId: string, settled: Settled, at: Date): Promise<void> {
  const { state, reason = null, holderRole = null, backAt: back = null } = settled;
  const { liable = null, liableUser = null, refundId = null, cents } = settled;
  await tx
    .updateTable('missed_promises')
    .set({ state, reason, holder_role: holderRole, back_at: back, ended_at: at })
    .set({ liable, liable_user: liableUser, refund_id: refundId })
    .set(cents === undefined ? {} : { cents })
    .where('order_id', '=', orderId)
    .where('state', '=', 'owed')
    .execute();
}
