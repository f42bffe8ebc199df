import { type RawBuilder, sql } from 'kysely';
import type { BudId, DuberId, ScrubId } from '../../domain/accounts.ts';
import { NEARBY_RADIUS_M } from '../../domain/places.ts';
import { dollars, type Json, list, object, raw, toSql } from '../db/json.sql.ts';
import { prepareJsonQuery, prepareQuickJsonQuery } from '../db/query.sql.ts';
import { deliveryJoins, nearbyDeliveriesJson, nearestDeliveriesSql } from '../deliveries/deliveries.sql.ts';
import { deliveryProperties, joinSharedColumns, orderProperties, ratingJson, type Viewer } from '../visibility.sql.ts';
import { deliveryTotalsSql, earningsSql, orderTotalsSql, spendingSql } from './tallies.sql.ts';

const LATEST_COUNT = sql.lit(10); // spec 9

const latestOrdersJson = (looker: Viewer, owner: RawBuilder<unknown>, item: Json) =>
  list(
    item,
    sql`o.created_at desc, o.id desc`,
    sql`(select * from orders o where ${owner} = ${looker.id}::uuid order by o.created_at desc, o.id desc
      limit ${LATEST_COUNT}) o ${joinSharedColumns(looker)}`,
  );

export const readBudDashboardJson = prepareQuickJsonQuery<[bud: BudId, now: Date]>((bud, now) => {
  const looker: Viewer = { role: 'Bud', id: bud, now };
  const { id, scrub, status, loadSize, createdAt, price } = orderProperties(looker);
  const board = object({
    totalScrubOrders: raw(sql`figures.total`),
    totalSpent: dollars(sql`money.spent`),
    totalActiveScrubOrders: raw(sql`figures.active`),
    totalCompletedScrubOrders: raw(sql`figures.completed`),
    latestScrubOrders: latestOrdersJson(
      looker,
      sql`o.bud_id`,
      object({ id, scrub, status, loadSize, createdAt, price }),
    ),
  });
  return sql`select ${toSql(board)} as json from (${orderTotalsSql(bud)}) figures, (${spendingSql(bud)}) money`;
});

/** `today` is when the day began that `todayEarning` is of. */
export const readScrubDashboardJson = prepareQuickJsonQuery<[scrub: ScrubId, now: Date, today: Date]>(
  (scrub, now, today) => {
    const looker: Viewer = { role: 'Scrub', id: scrub, now };
    const { id, bud, status, loadSize, createdAt, scrubEarning } = orderProperties(looker);
    const board = object({
      totalEarning: dollars(sql`money.total`),
      todayEarning: dollars(sql`money.today`),
      totalActiveScrubOrders: raw(sql`figures.active`),
      totalCompletedScrubOrders: raw(sql`figures.completed`),
      averageScrubOrdersRating: ratingJson,
      latestJobs: latestOrdersJson(
        looker,
        sql`o.scrub_id`,
        object({ id, bud, status, loadSize, createdAt, scrubEarning }),
      ),
    });
    return sql`select ${toSql(board)} as json from (${orderTotalsSql(scrub)}) figures,
    (${earningsSql('scrub', scrub, today)}) money, users u where u.id = ${scrub}`;
  },
);

// Everything that the Duber's screen shows is in one answer: what is theirs, and what waits around their first address.
export const readDuberDashboardJson = prepareJsonQuery<[duber: DuberId, now: Date]>((duber, now) => {
  const looker: Viewer = { role: 'Duber', id: duber, now };
  const mine = sql`d.duber_id = ${duber}::uuid`;
  const item = object(deliveryProperties(looker));
  const latest = sql`(select * from deliveries d where ${mine} order by d.created_at desc, d.id desc limit ${LATEST_COUNT}) d`;
  const active = sql`(select * from deliveries d where ${mine} and d.status not in ('Pending', 'Delivered')) d`;
  const board = object({
    stats: object({
      totalEarning: dollars(sql`money.total`),
      totalDeliveries: raw(sql`figures.total`),
      totalDelivered: raw(sql`figures.delivered`),
      totalDistanceTraveled: raw(sql`figures.distance`),
    }),
    latestDeliveries: list(item, sql`d.created_at desc, d.id desc`, sql`${latest} ${deliveryJoins(looker)}`),
    pendingDeliveries: nearbyDeliveriesJson(looker),
    activeDelivery: [sql`coalesce((select ${toSql(item)} from ${active} ${deliveryJoins(looker)}), 'null')`],
  });
  return sql`with origin as materialized (select a.latitude, a.longitude from addresses a where a.user_id = ${duber}
        order by a.created_at, a.id limit 1),
      ${nearestDeliveriesSql(sql.lit(NEARBY_RADIUS_M))}
    select ${toSql(board)} as json from (${deliveryTotalsSql(duber)}) figures, (${earningsSql('duber', duber, now)}) money`;
});
