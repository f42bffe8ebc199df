import type { ListQuery } from '../contract/lists.ts';
import { toDollars } from '../domain/payments.ts';
import { NEARBY_RADIUS_M } from '../domain/places.ts';
import { budFigures, duberFigures, scrubFigures } from './dashboards.sql.ts';
import { activeDelivery, deliveriesNearby, listDeliveries } from './deliveries.sql.ts';
import { shapeNearby } from './deliveries.ts';
import type { Deps } from './deps.ts';
import { listOrders } from './orders.sql.ts';
import { earnedBy, spentBy } from './payments/ledger.sql.ts';
import { firstAddress } from './places.sql.ts';
import type { Handlers } from './serve.ts';
import { shapeDelivery, shapeOrder } from './shapes.ts';

const LATEST: ListQuery = {
  pageNumber: 1,
  pageSize: 10, // spec 9
  sortField: 'createdAt',
  sortDirection: 'desc',
  filters: [],
  sumFields: [],
  fields: [],
};

const startOfDay = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));

export function dashboardHandlers({
  db,
  now,
}: Deps): Pick<Handlers, 'budDashboard' | 'scrubDashboard' | 'duberDashboard'> {
  return {
    budDashboard: async ({ caller }) => {
      const figures = await budFigures(db, caller.id);
      const latest = await listOrders(db, caller, LATEST);
      return {
        totalScrubOrders: figures.total,
        totalSpent: toDollars(await spentBy(db, caller.id)),
        totalActiveScrubOrders: figures.active,
        totalCompletedScrubOrders: figures.completed,
        latestScrubOrders: latest.items.map((item) => {
          const { id, scrub, status, loadSize, createdAt, price } = shapeOrder(caller, item, now());
          return { id, scrub, status, loadSize, createdAt, price };
        }),
      };
    },
    scrubDashboard: async ({ caller }) => {
      const figures = await scrubFigures(db, caller.id);
      const earned = await earnedBy(db, 'scrub', caller.id, startOfDay(now()));
      const latest = await listOrders(db, caller, LATEST);
      return {
        totalEarning: toDollars(earned.total),
        todayEarning: toDollars(earned.today),
        totalActiveScrubOrders: figures.active,
        totalCompletedScrubOrders: figures.completed,
        averageScrubOrdersRating: figures.rating,
        latestJobs: latest.items.map((item) => {
          const { id, bud, status, loadSize, createdAt, scrubEarning } = shapeOrder(caller, item, now());
          return { id, bud, status, loadSize, createdAt, scrubEarning };
        }),
      };
    },
    duberDashboard: async ({ caller }) => {
      const figures = await duberFigures(db, caller.id);
      const earned = await earnedBy(db, 'duber', caller.id, startOfDay(now()));
      const latest = await listDeliveries(db, caller, LATEST);
      const active = await activeDelivery(db, caller.id);
      const address = await firstAddress(db, caller.id);
      const pending = address ? await deliveriesNearby(db, caller.id, address, NEARBY_RADIUS_M) : [];
      return {
        stats: {
          totalEarning: toDollars(earned.total),
          totalDeliveries: figures.total,
          totalDelivered: figures.delivered,
          totalDistanceTraveled: figures.distance,
        },
        latestDeliveries: latest.items.map((item) => shapeDelivery(caller, item, now())),
        pendingDeliveries: pending.map((item) => shapeNearby(caller, item, now())),
        activeDelivery: active ? shapeDelivery(caller, active, now()) : null,
      };
    },
  };
}
