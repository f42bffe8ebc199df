import { type RawBuilder, sql } from 'kysely';
import type { BudId, DuberId, ScrubId } from '../../domain/accounts.ts';
import { NEARBY_RADIUS_M } from '../../domain/places.ts';
import { bare, dollars, type Json, list, object, written } from '../db/json.sql.ts';
import { prepareQuickReading, prepareReading } from '../db/query.sql.ts';
import { deliveriesOf, nearbyDeliveriesJson, nearestDeliveries } from '../deliveries/deliveries.sql.ts';
import { deliveryShape, type Looker, orderShape, partsOf, rating } from '../visibility.sql.ts';
import { deliveryFigures, earned, orderFigures, spent } from './tallies.sql.ts';

const LATEST = sql.lit(10); // spec 9

const latestOrders = (looker: Looker, owner: RawBuilder<unknown>, item: Json) =>
  list(
    item,
    sql`o.created_at desc, o.id desc`,
    sql`(select * from orders o where ${owner} = ${looker.id}::uuid order by o.created_at desc, o.id desc
      limit ${LATEST}) o ${partsOf(looker)}`,
  );

export const showBudBoard = prepareQuickReading<[bud: BudId, now: Date]>((bud, now) => {
  const looker: Looker = { role: 'Bud', id: bud, now };
  const { id, scrub, status, loadSize, createdAt, price } = orderShape(looker);
  const board = object({
    totalScrubOrders: bare(sql`figures.total`),
    totalSpent: dollars(sql`money.spent`),
    totalActiveScrubOrders: bare(sql`figures.active`),
    totalCompletedScrubOrders: bare(sql`figures.completed`),
    latestScrubOrders: latestOrders(looker, sql`o.bud_id`, object({ id, scrub, status, loadSize, createdAt, price })),
  });
  return sql`select ${written(board)} as json from (${orderFigures(bud)}) figures, (${spent(bud)}) money`;
});

/** `today` is when the day began that `todayEarning` is of. */
export const showScrubBoard = prepareQuickReading<[scrub: ScrubId, now: Date, today: Date]>((scrub, now, today) => {
  const looker: Looker = { role: 'Scrub', id: scrub, now };
  const { id, bud, status, loadSize, createdAt, scrubEarning } = orderShape(looker);
  const board = object({
    totalEarning: dollars(sql`money.total`),
    todayEarning: dollars(sql`money.today`),
    totalActiveScrubOrders: bare(sql`figures.active`),
    totalCompletedScrubOrders: bare(sql`figures.completed`),
    averageScrubOrdersRating: rating,
    latestJobs: latestOrders(looker, sql`o.scrub_id`, object({ id, bud, status, loadSize, createdAt, scrubEarning })),
  });
  return sql`select ${written(board)} as json from (${orderFigures(scrub)}) figures,
    (${earned('scrub', scrub, today)}) money, users u where u.id = ${scrub}`;
});

// Everything that the Duber's screen shows is in one answer: what is theirs, and what waits around their first address.
export const showDuberBoard = prepareReading<[duber: DuberId, now: Date]>((duber, now) => {
  const looker: Looker = { role: 'Duber', id: duber, now };
  const mine = sql`d.duber_id = ${duber}::uuid`;
  const item = object(deliveryShape(looker));
  const latest = sql`(select * from deliveries d where ${mine} order by d.created_at desc, d.id desc limit ${LATEST}) d`;
  const active = sql`(select * from deliveries d where ${mine} and d.status not in ('Pending', 'Delivered')) d`;
  const board = object({
    stats: object({
      totalEarning: dollars(sql`money.total`),
      totalDeliveries: bare(sql`figures.total`),
      totalDelivered: bare(sql`figures.delivered`),
      totalDistanceTraveled: bare(sql`figures.distance`),
    }),
    latestDeliveries: list(item, sql`d.created_at desc, d.id desc`, sql`${latest} ${deliveriesOf(looker)}`),
    pendingDeliveries: nearbyDeliveriesJson(looker),
    activeDelivery: [sql`coalesce((select ${written(item)} from ${active} ${deliveriesOf(looker)}), 'null')`],
  });
  return sql`with origin as materialized (select a.latitude, a.longitude from addresses a where a.user_id = ${duber}
        order by a.created_at, a.id limit 1),
      ${nearestDeliveries(sql.lit(NEARBY_RADIUS_M))}
    select ${written(board)} as json from (${deliveryFigures(duber)}) figures, (${earned('duber', duber, now)}) money`;
});
