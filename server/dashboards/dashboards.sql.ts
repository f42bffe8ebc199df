import { type RawBuilder, sql } from 'kysely';
import type { Answer } from '../../contract/call.ts';
import { budDashboard, duberDashboard, scrubDashboard } from '../../contract/dashboards.ts';
import { BUD_DASHBOARD_FIELDS, DUBER_DASHBOARD_FIELDS, SCRUB_DASHBOARD_FIELDS } from '../../contract/screenFields.ts';
import type { BudId, DuberId, ScrubId } from '../../domain/accounts.ts';
import { ENDED_STATUSES } from '../../domain/deliveries.ts';
import { isOpenStatus, ORDER_STATUSES } from '../../domain/orders.ts';
import { NEARBY_RADIUS_M } from '../../domain/places.ts';
import { newWorkHeldBy } from '../auth/restrictions.sql.ts';
import { knownFields, prepareByFields } from '../db/answerFields.ts';
import { isAhead, isUnderWay, literals } from '../db/columns.sql.ts';
import { bool, dollars, firstOrNull, type Json, list, object, raw, text } from '../db/json.sql.ts';
import type { Viewer } from '../db/lists.sql.ts';
import { prepareByPrivacy } from '../db/query.sql.ts';
import {
  deliveryJoins,
  hasNextArrived,
  isCarriedBy,
  nearbyDeliveriesJson,
  nearestDeliveriesSql,
} from '../deliveries/deliveries.sql.ts';
import { isPrivacy } from '../town/policies.sql.ts';
import { deliveryProperties, joinSharedColumns, orderProperties, ratingJson } from '../visibility/visibility.sql.ts';
import { deliveryTotalsSql, earningsSql, orderTotalsSql, spendingSql } from './tallies.sql.ts';

// Raw SQL throughout: each dashboard is one prepared statement that PostgreSQL answers as JSON (decision 033).

const LATEST_COUNT = sql.lit(10); // spec 9

/** The last part of a `with`: somebody's latest orders. Their table and their cards read it once together. */
const latestOrdersSql = (viewer: Viewer, owner: RawBuilder<unknown>, count: RawBuilder<unknown>) =>
  sql`latest as (select * from orders o where ${owner} = ${viewer.id}::uuid order by o.created_at desc, o.id desc limit ${count})`;

const latestOrdersJson = <T>(viewer: Viewer, item: Json<T>) =>
  list(
    item,
    sql`o.created_at desc, o.id desc`,
    sql`(select * from latest order by created_at desc, id desc limit ${LATEST_COUNT}) o ${joinSharedColumns(viewer)}`,
  );

const ENDED = literals(ENDED_STATUSES);
const OPEN_STATUSES = literals(ORDER_STATUSES.filter(isOpenStatus));

// A Scrub may have many jobs at once.
const BOARD_COUNT = sql.lit(50);

/** The `latest` orders that are open, or have a delivery that has not ended. */
const openOrdersJson = <T>(viewer: Viewer, item: Json<T>, isOpenToo = sql<boolean>`false`) =>
  list(
    item,
    sql`o.created_at desc, o.id desc`,
    sql`(select * from latest o where o.status in (${OPEN_STATUSES}) or ${isOpenToo} or exists
        (select from deliveries d where d.order_id = o.id and d.status not in (${ENDED}))) o ${joinSharedColumns(viewer)}`,
  );

/** Laundry that its Bud fetches. */
const isStillWithScrub = sql<boolean>`(o.status = 'Completed' and o.holder_id = o.scrub_id and o.closed_at is null)`;

export const readBudDashboardJson = prepareByFields<[bud: BudId, now: Date], Answer<typeof budDashboard>>(
  knownFields(budDashboard.answer, BUD_DASHBOARD_FIELDS),
  (part) =>
    prepareByPrivacy(
      (isCareful) => (bud, now) => {
        const viewer: Viewer = { role: 'Bud', id: bud, now, isCareful };
        const properties = orderProperties(viewer);
        const { id, scrub, status, loadSize, createdAt, price } = properties;
        const json = object({
          totalScrubOrders: raw(sql<number>`totals.total`),
          totalSpent: dollars(sql<number>`money.spent`),
          totalActiveScrubOrders: raw(sql<number>`totals.active`),
          totalCompletedScrubOrders: raw(sql<number>`totals.completed`),
          latestScrubOrders: latestOrdersJson(viewer, object({ id, scrub, status, loadSize, createdAt, price })),
          openOrders: openOrdersJson(viewer, object(properties)),
        });
        const from = sql`(${orderTotalsSql(bud)}) totals, (${spendingSql(bud)}) money`;
        const latest = latestOrdersSql(viewer, sql`o.bud_id`, LATEST_COUNT);
        return { with: latest, json, from, applies: isPrivacy(isCareful, now) };
      },
      { isQuick: true, ...part },
    ),
);

type ScrubParameters = [scrub: ScrubId, now: Date, today: Date];

/** `today` is the start of the day that `todayEarning` counts. */
export const readScrubDashboardJson = prepareByFields<ScrubParameters, Answer<typeof scrubDashboard>>(
  knownFields(scrubDashboard.answer, SCRUB_DASHBOARD_FIELDS),
  (part) =>
    prepareByPrivacy(
      (isCareful) => (scrub, now, today) => {
        const viewer: Viewer = { role: 'Scrub', id: scrub, now, isCareful };
        const properties = orderProperties(viewer);
        const { id, bud, status, loadSize, createdAt, scrubEarning } = properties;
        const json = object({
          totalEarning: dollars(sql<number>`money.total`),
          todayEarning: dollars(sql<number>`money.today`),
          totalActiveScrubOrders: raw(sql<number>`totals.active`),
          totalCompletedScrubOrders: raw(sql<number>`totals.completed`),
          averageScrubOrdersRating: ratingJson,
          latestJobs: latestOrdersJson(viewer, object({ id, bud, status, loadSize, createdAt, scrubEarning })),
          openJobs: openOrdersJson(viewer, object(properties), isStillWithScrub),
          heldBy: text(newWorkHeldBy(scrub)),
        });
        return {
          with: latestOrdersSql(viewer, sql`o.scrub_id`, BOARD_COUNT),
          json,
          from: sql`(${orderTotalsSql(scrub)}) totals, (${earningsSql('scrub', scrub, today)}) money, users u
        where u.id = ${scrub}`,
          applies: isPrivacy(isCareful, now),
        };
      },
      { isQuick: true, ...part },
    ),
);

/** The Duber's own deliveries, and the pending ones around their first address. */
export const readDuberDashboardJson = prepareByFields<
  [duber: DuberId, now: Date, pendingLimit: number],
  Answer<typeof duberDashboard>
>(knownFields(duberDashboard.answer, DUBER_DASHBOARD_FIELDS), (part) =>
  prepareByPrivacy(
    (isCareful) => (duber, now, limit) => {
      const viewer: Viewer = { role: 'Duber', id: duber, now, isCareful };
      const mine = sql`d.duber_id = ${duber}::uuid`;
      const item = object(deliveryProperties(viewer));
      const latest = sql`(select * from deliveries d where ${mine} order by d.created_at desc, d.id desc limit ${LATEST_COUNT}) d`;
      const active = sql`(select * from deliveries d where ${mine} and ${isUnderWay('d')}) d`;
      const ahead = sql`(select * from deliveries d where ${mine} and ${isAhead('d')}) d`;
      const carried = sql`(select * from deliveries d where ${isCarriedBy(duber)}) d`;
      const json = object({
        stats: object({
          totalEarning: dollars(sql<number>`money.total`),
          totalDeliveries: raw(sql<number>`totals.total`),
          totalDelivered: raw(sql<number>`totals.delivered`),
          totalDistanceTraveled: raw(sql<number>`totals.distance`),
        }),
        latestDeliveries: list(item, sql`d.created_at desc, d.id desc`, sql`${latest} ${deliveryJoins(viewer)}`),
        pendingDeliveries: nearbyDeliveriesJson(viewer),
        activeDelivery: firstOrNull(item, sql`${active} ${deliveryJoins(viewer)}`),
        heldBy: text(newWorkHeldBy(duber)),
        aheadDeliveries: list(item, sql`d.due_from, d.due_until, d.id`, sql`${ahead} ${deliveryJoins(viewer)}`),
        carriedDeliveries: list(
          object({ ...deliveryProperties(viewer), isNextHere: bool(hasNextArrived) }),
          sql`d.created_at desc, d.id desc`,
          sql`${carried} ${deliveryJoins(viewer)}`,
        ),
      });
      return {
        with: sql`origin as materialized (select a.latitude, a.longitude from addresses a where a.user_id = ${duber}
        order by a.created_at, a.id limit 1),
      ${nearestDeliveriesSql(viewer, { radius: sql.lit(NEARBY_RADIUS_M), limit })}`,
        json,
        from: sql`(${deliveryTotalsSql(duber)}) totals, (${earningsSql('duber', duber, now)}) money`,
        applies: isPrivacy(isCareful, now),
      };
    },
    part,
  ),
);
