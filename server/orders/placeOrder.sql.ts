import { type RawBuilder, sql } from 'kysely';
import type { BudId } from '../../domain/accounts.ts';
import type { WindowPlan } from '../../domain/windows.ts';
import { isRestrictedFrom } from '../auth/restrictions.sql.ts';
import type { AddressSnapshot } from '../db/columns.sql.ts';
import type { Tx } from '../db/database.ts';
import { linesIn, SUMS_OF_LINES } from '../db/orderLines.sql.ts';
import { prepare } from '../db/prepared.ts';
import { publishPlacedOrderSql } from '../events/publish.ts';
import type { Hold } from '../payments/card/cards.ts';
import { type PricesWithZones, pricesWithZonesAt } from '../payments/prices/prices.sql.ts';
import { startPlacedTimersSql } from '../process/orderTimers.sql.ts';
import { insertStepSql } from '../process/steps.sql.ts';
import { openingSql, type StoredOpening } from '../town/opening.sql.ts';
import { isPrivacyCareful, isWeighingCareful } from '../town/policies.sql.ts';
import { settingSql } from '../town/settings.sql.ts';

/** What a draft needs from the database. Null for an address that is not the Bud's, and for an unknown Scrub. */
export type OrderInputs = PricesWithZones & {
  readonly budAddress: AddressSnapshot | null;
  readonly scrub: { readonly active: boolean; readonly place: AddressSnapshot } | null;
  /** Whether the Bud knows only the approximate place of the Scrub. */
  readonly isCareful: boolean;
  readonly isWeighed: boolean;
  /** When the town takes orders. */
  readonly opening: StoredOpening;
  /** The windows that the town offers; null for none. */
  readonly windows: WindowPlan | null;
  /** Whether the Bud is kept from placing orders. */
  readonly isHeld: boolean;
};

const addressJson = sql`json_build_object('id', a.id, 'label', a.label, 'address', a.address, 'latitude', a.latitude,
  'longitude', a.longitude)`;

/** A Scrub's visibility and place; null for an unknown one. */
export const selectScrub = (scrubId: RawBuilder<unknown>) =>
  sql`(select json_build_object('active', s.is_active and not ${isRestrictedFrom('new-work', sql`s.id`)}, 'place', (select ${addressJson} from addresses a where a.user_id = s.id
        order by a.created_at, a.id limit 1))
      from users s where s.id = ${scrubId} and s.role = 'Scrub')`;

// Raw SQL, prepared: three lookups in one round trip.
const selectOrderInputs = prepare<[bud: string, addressId: string, scrubId: string, now: Date], OrderInputs>(
  (bud, addressId, scrubId, now) => sql`select
    (select ${addressJson} from addresses a where a.id = ${addressId} and a.user_id = ${bud}) as "budAddress",
    ${selectScrub(scrubId)} as scrub,
    ${pricesWithZonesAt(now)},
    ${isPrivacyCareful(now)} as "isCareful", ${isWeighingCareful(now)} as "isWeighed",
    ${openingSql(now)} as opening, ${settingSql('windows', now)} as windows, ${isRestrictedFrom('new-work', bud)} as "isHeld"`,
);

export async function readOrderInputs(
  tx: Tx,
  bud: BudId,
  { budAddressId, scrubId }: { budAddressId: string; scrubId: string },
  now: Date,
): Promise<OrderInputs> {
  const inputs = await selectOrderInputs.one(tx, bud, budAddressId, scrubId, now);
  if (!inputs) throw new Error('a select without a from clause returned no row');
  return inputs;
}

/** A time of the draft `d`; null for an order that is done as soon as possible. */
const timeIn = (path: string) => sql`(d.times #>> ${sql.lit(`{${path}}`)})::timestamptz`;

type HoldParams = [
  orderId: string,
  now: Date,
  squareId: string,
  versionToken: string | null,
  cardBrand: string | null,
  cardLast4: string | null,
];

const FIRST_STEP = insertStepSql('order', sql`placed`, {
  attempt: sql`1`,
  action: sql`'place-order'`,
  status: sql`m.status`,
  actor_id: sql`m.bud_id`,
  actor_role: sql`'Bud'`,
  at: sql`m.created_at`,
});

// Raw SQL: one statement across payments and orders. The order is made from the stored draft.
const insertHeldOrder = prepare<HoldParams, { id: string }>(
  (orderId, now, squareId, versionToken, cardBrand, cardLast4) => sql`with intent as materialized (
      select p.order_id, p.draft, p.source_id, p.customer_id from payments p where p.order_id = ${orderId} and p.state = 'holding' for update),
    held as (
      update payments p set state = 'held', square_id = ${squareId}, version_token = ${versionToken},
          card_brand = ${cardBrand}, card_last4 = ${cardLast4}, draft = null, source_id = null, customer_id = null,
          verification_token = null, due_at = null, tries = 0, updated_at = ${now}
        from intent where p.order_id = intent.order_id),
    used_card as (
      update saved_cards s set used_at = ${now} from intent i where i.customer_id is not null and s.square_card_id = i.source_id),
    saved_card as (
      insert into saved_cards (id, bud_id, state, square_payment_id, consent, due_at, used_at, created_at, updated_at)
        select (i.draft #>> '{saveCard,id}')::uuid, (i.draft ->> 'budId')::uuid, 'saving', ${squareId}::text, i.draft #>> '{saveCard,consent}',
          ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
        from intent i where i.draft ? 'saveCard'),
    lines as materialized (select l.* from intent i, ${linesIn(sql`i.draft -> 'lines'`)}),
    placed as (
      insert into orders (id, bud_id, scrub_id, status, load_size, self_delivery, self_pickup, instructions, load_price, total_price,
          bud_address, scrub_address, distance_m, created_at, ceiling_size, priced_at, zone_id, promo_code, discount, tax_rate,
          holder_id, pickup_from, pickup_until, return_from, return_until, turnaround, promised_at)
        select i.order_id, d."budId", d."scrubId", 'Requested', d."loadSize", d."selfDelivery", d."selfPickup",
          d.instructions, ${SUMS_OF_LINES},
          d."budAddress", d."scrubAddress", d."distanceInMeters", ${now}::timestamptz, d."ceilingSize", d."pricedAt", d."zoneId",
          d.promo ->> 'code', (d.promo ->> 'discount')::int, d."taxRate",
          d."budId", ${timeIn('pickup,from')}, ${timeIn('pickup,until')}, ${timeIn('return,from')}, ${timeIn('return,until')},
          d.times ->> 'turnaround', ${timeIn('promisedAt')}
        from intent i,
          jsonb_to_record(i.draft) as d ("budId" uuid, "scrubId" uuid, "loadSize" text, "selfDelivery" boolean,
            "selfPickup" boolean, instructions text, "budAddress" jsonb, "scrubAddress" jsonb,
            "distanceInMeters" integer, "ceilingSize" text, "pricedAt" timestamptz, "zoneId" uuid, promo jsonb,
            "taxRate" double precision, times jsonb)
        returning id, bud_id, scrub_id, status, created_at, pickup_from),
    lines_of_order as (
      insert into order_lines (order_id, item, cents, earner, is_taxed)
        select p.id, l.item, l.cents, l.earner, l."isTaxed" from placed p, lines l),
    first_step as (${FIRST_STEP}),
    timers_of_order as (${startPlacedTimersSql}),
    ${publishPlacedOrderSql(now)}
    select id from placed`,
);

/**
 * Creates the order of an intent whose amount is held, marks the payment as held and notifies the Bud and the Scrub.
 * Returns false when the intent no longer waits for its hold.
 */
export async function placeHeldOrder(tx: Tx, orderId: string, hold: Hold, now: Date): Promise<boolean> {
  const { squareId, versionToken, cardBrand, cardLast4 } = hold;
  return (await insertHeldOrder.one(tx, orderId, now, squareId, versionToken, cardBrand, cardLast4)) !== undefined;
}
