import type { Tx } from '../../server/database.ts';
import type { Ask, Measured } from './calls.ts';

const PAIRS = 10_000;
const SAMPLES = 2_000;

/** Each Duber takes one waiting delivery, until all have one; then they are put back. */
export async function accepting(ask: Ask): Promise<Measured> {
  const samples = await ask(`select n, caller, leg as a, leg as b from
    (select n, id as caller, row_number() over (order by bench.chance(n, 23)) as place from bench.people
      where role = 'Duber' and i > 1) d
    join (select leg_id as leg, row_number() over (order by bench.chance(l.n, 24)) as place from bench.legs l
      where leg_status = 'Pending') l using (place) order by place limit ${PAIRS}`);
  return {
    name: 'accept a delivery',
    status: 200,
    reach: 0.5,
    samples,
    once: true,
    ask: ({ a }) => ({ path: `/deliveries/${a}/accept-delivery` }),
    sql: async (_tx: Tx) => undefined,
    reset: [
      `create temporary table taken as select d.id from deliveries d join bench.legs l on l.leg_id = d.id
        where l.leg_status = 'Pending' and d.status <> 'Pending'`,
      'delete from delivery_steps s using taken where taken.id = s.delivery_id and s.position > 0',
      `update deliveries d set status = 'Pending', duber_id = null from taken where taken.id = d.id`,
      'truncate events',
    ],
  };
}

/** Places orders with the Scrubs of earlier ones; afterwards they are taken away. */
export async function placing(ask: Ask): Promise<Measured> {
  const samples =
    await ask(`select b.n, o.bud_id as caller, bench.thing(1, b.n) as a, o.scrub_id as b from bench.orders o
    join bench.people b on b.id = o.bud_id join bench.people s on s.id = o.scrub_id join scrub_places p on p.scrub_id = s.id
    where p.active and 111195 * sqrt((s.latitude - b.latitude) ^ 2
      + ((s.longitude - b.longitude) * cos(radians(b.latitude))) ^ 2) < 4900
    order by bench.chance(o.n, 25) limit ${SAMPLES}`);
  return {
    name: 'place an order',
    status: 201,
    reach: 0.5,
    samples,
    ask: ({ a, b }) => ({
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
    sql: async (_tx: Tx) => undefined,
    reset: [
      'create temporary table placed as select id from orders where created_at > (select max(at) from bench.orders)',
      'delete from notifications n using placed where n.about = placed.id',
      'delete from order_steps s using placed where s.order_id = placed.id',
      'delete from orders o using placed where o.id = placed.id',
      'delete from payments p where created_at > (select max(at) from bench.orders)',
      'truncate events',
    ],
  };
}
