import type { BudId } from '../../domain/accounts.ts';
import { DELIVERY_ROWS } from '../../domain/process/delivery.ts';
import { digest } from '../../server/auth/secrets.ts';
import type { Tx } from '../../server/db/database.ts';
import { type DeliveryRecord, lockDelivery, readDeliveryFacts } from '../../server/deliveries/facts.sql.ts';
import { writeStep } from '../../server/deliveries/steps.sql.ts';
import { readOrderJson } from '../../server/orders/orders.sql.ts';
import { placeHeldOrder, readOrderInputs } from '../../server/orders/placeOrder.sql.ts';
import { writeIntent } from '../../server/payments/hold/payments.sql.ts';
import { type MeasuredCall, type QuerySamples, SAMPLES } from './call.ts';
import { FRESH_ID, PLACEHOLDERS } from './pgbench.ts';

const MAX_PAIRS = 10_000;
const now = new Date();

/** The statements of the step, without its transaction. */
async function runAcceptStatements(tx: Tx): Promise<void> {
  const actor = { role: 'Duber', id: PLACEHOLDERS.caller } as const;
  const request = { id: PLACEHOLDERS.a, action: 'accept-delivery' } as const;
  await lockDelivery(tx, request.id);
  await readDeliveryFacts(tx, actor, request, now);
  const facts = { id: request.id, status: 'Pending', attempt: 1, duberId: null } as DeliveryRecord;
  const row = DELIVERY_ROWS[0];
  await writeStep(tx, { actor, request, row, facts, at: now });
}

/** A history is never changed, so the rules are switched off. */
const withoutRules = (statement: string) => [
  `set session_replication_role = 'replica'`,
  statement,
  'reset session_replication_role',
];

/** Each Duber accepts one pending delivery. The reset makes the deliveries pending again. */
export async function createAcceptCall(query: QuerySamples): Promise<MeasuredCall> {
  const samples = await query(`select n, caller, delivery as a, delivery as b from
    (select n, id as caller, row_number() over (order by bench.chance(n, 23)) as place from bench.people
      where role = 'Duber' and i > 1) d
    join (select delivery_id as delivery, row_number() over (order by bench.chance(l.n, 24)) as place from bench.deliveries l
      where delivery_status = 'Pending') l using (place) order by place limit ${MAX_PAIRS}`);
  return {
    name: 'accept a delivery',
    status: 200,
    reach: 0.05,
    samples,
    singleUse: true,
    toRequest: ({ a }) => ({ path: `/deliveries/${a}/accept-delivery` }),
    sql: runAcceptStatements,
    reset: [
      `create temporary table taken as select d.id from deliveries d join bench.deliveries l on l.delivery_id = d.id
        where l.delivery_status = 'Pending' and d.status <> 'Pending'`,
      ...withoutRules('delete from steps s using taken where taken.id = s.subject_id and s.position > 0'),
      `update deliveries d set status = 'Pending', duber_id = null from taken where taken.id = d.id`,
      'truncate live_events',
      // Nobody accepts these orders, and a Bud may have 200 of those.
      `delete from rate_limits where kind = 'placements'`,
    ],
  };
}

const address = {
  id: PLACEHOLDERS.a,
  label: 'Default',
  address: '12 Heron Street, City 1',
  latitude: 24,
  longitude: 67,
};

/** Runs only the statements of placing an order, without the product's code between them. */
async function runPlaceOrderStatements(tx: Tx): Promise<void> {
  const budId = PLACEHOLDERS.caller as BudId;
  const order = { id: FRESH_ID, budId, scrubId: PLACEHOLDERS.b, loadSize: 'Medium' } as const;
  const deliveries = {
    selfDelivery: false,
    selfPickup: false,
    instructions: 'Cold wash, please.',
    lines: [
      { item: 'load', cents: 1250, earner: 'scrub', isTaxed: true },
      { item: 'platform-fee', cents: 125, earner: 'platform', isTaxed: true },
      { item: 'taxes', cents: 110, earner: 'state', isTaxed: false },
      { item: 'pickup', cents: 599, earner: 'pickup-duber', isTaxed: false },
      { item: 'delivery', cents: 599, earner: 'delivery-duber', isTaxed: false },
    ],
    taxRate: 800,
  } as const;
  const booking = {
    ...{ scrubId: order.scrubId, zoneId: null, pickupStarts: null, returnStarts: null },
    ...{ day: '2026-01-05', pounds: 5, places: 0, waits: false },
    asked: { at: now, zone: 'UTC', pounds: 5, size: null },
  };
  const draft = {
    ...order,
    booking,
    ...deliveries,
    budAddress: address,
    scrubAddress: address,
    distanceInMeters: 1234,
  };
  const card = {
    sourceId: 'bench',
    customerId: null,
    verificationToken: null,
    idempotencyKey: null,
    bodyHash: digest('bench'),
  };
  const held = {
    kind: 'held',
    squareId: 'bench',
    versionToken: 'bench',
    cardBrand: null,
    cardLast4: null,
    cardFingerprint: null,
  } as const;
  await readOrderInputs(tx, budId, { budAddressId: PLACEHOLDERS.a, scrubId: PLACEHOLDERS.b }, now);
  await writeIntent(tx, { draft, budId, ...card, abandonedAt: now }, now);
  await placeHeldOrder(tx, FRESH_ID, held, now);
  await readOrderJson({ role: 'Bud', id: budId }, FRESH_ID, now).run(tx);
}

/** Places orders with the Scrubs of earlier orders. The reset deletes them. */
export async function createPlaceOrderCall(query: QuerySamples): Promise<MeasuredCall> {
  const samples =
    await query(`select b.n, o.bud_id as caller, bench.thing(1, b.n) as a, o.scrub_id as b from bench.orders o
    join bench.people b on b.id = o.bud_id join bench.people s on s.id = o.scrub_id join scrub_places p on p.scrub_id = s.id
    where p.active and 111195 * sqrt((s.latitude - b.latitude) ^ 2
      + ((s.longitude - b.longitude) * cos(radians(b.latitude))) ^ 2) < 4900
    order by bench.chance(o.n, 25) limit ${SAMPLES}`);
  return {
    name: 'place an order',
    usesCardNetwork: true,
    status: 201,
    reach: 0.018,
    samples,
    toRequest: ({ a, b }) => ({
      method: 'POST',
      path: '/scrub-orders',
      body: {
        budAddressId: a,
        scrubId: b,
        loadSize: 'Medium',
        orderInstructions: 'Cold wash, please.',
        paymentSourceId: 'bench',
      },
    }),
    sql: runPlaceOrderStatements,
    reset: [
      'create temporary table placed as select id from orders where created_at > (select max(at) from bench.orders)',
      'delete from notifications n using placed where n.about = placed.id',
      'delete from timers t using placed where t.subject_id = placed.id',
      ...withoutRules('delete from steps s using placed where s.subject_id = placed.id'),
      // No index finds the steps of an order by its foreign key.
      'alter table steps drop constraint steps_of_order_fkey',
      'delete from orders o using placed where o.id = placed.id',
      'alter table steps add foreign key (of_order) references orders not valid',
      'delete from payments p where created_at > (select max(at) from bench.orders)',
      'truncate live_events',
      // Nobody accepts these orders, and a Bud may have 200 of those.
      `delete from rate_limits where kind = 'placements'`,
    ],
  };
}
