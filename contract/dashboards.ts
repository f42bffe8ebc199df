import { z } from 'zod';
import { HELD_BY } from '../domain/restrictions.ts';
import { fieldsParameter } from './answerFields.ts';
import { call } from './call.ts';
import { Delivery, NearbyDeliveryShape } from './deliveries.ts';
import { money, strict } from './fields.ts';
import { ListedOrder } from './orders.ts';
import { nearbyLimit } from './places.ts';

// spec 3
const BudDashboard = z
  .object({
    totalScrubOrders: z.int(),
    totalSpent: money,
    totalActiveScrubOrders: z.int(),
    totalCompletedScrubOrders: z.int(),
    latestScrubOrders: z.array(
      ListedOrder.pick({ id: true, scrub: true, status: true, loadSize: true, createdAt: true, price: true }),
    ),
    openOrders: z
      .array(ListedOrder)
      .optional()
      .describe('the orders under way among the ten latest; only in answers to `fields` that name it'),
  })
  .meta({ id: 'BudDashboard' });

export const budDashboard = call({
  method: 'GET',
  path: '/dashboards/bud',
  who: ['Bud'],
  query: strict({ fields: fieldsParameter(BudDashboard) }),
  answer: BudDashboard,
  status: 200,
  failures: [],
  summary: "A Bud's totals and latest orders",
  spec: '3, 9',
});

const heldBy = z
  .enum(HELD_BY)
  .nullable()
  .optional()
  .describe(
    'what keeps the caller from new work: documents that are not accepted, or the town; null when nothing does; only in answers ' +
      'to `fields` that name it',
  );

const ScrubDashboard = z
  .object({
    totalEarning: money,
    todayEarning: money.describe('of orders completed since 00:00 UTC'),
    totalActiveScrubOrders: z.int(),
    totalCompletedScrubOrders: z.int(),
    averageScrubOrdersRating: z.number(),
    latestJobs: z.array(
      ListedOrder.pick({ id: true, bud: true, status: true, loadSize: true, createdAt: true, scrubEarning: true }),
    ),
    openJobs: z
      .array(ListedOrder)
      .optional()
      .describe(
        'the jobs among the fifty latest that are open, or whose laundry has not come home yet; only in answers to `fields` that name it',
      ),
    heldBy,
  })
  .meta({ id: 'ScrubDashboard' });

export const scrubDashboard = call({
  method: 'GET',
  path: '/dashboards/scrub',
  who: ['Scrub'],
  query: strict({ fields: fieldsParameter(ScrubDashboard) }),
  answer: ScrubDashboard,
  status: 200,
  failures: [],
  summary: "A Scrub's totals and latest jobs",
  spec: '3, 9',
});

const CarriedDelivery = Delivery.extend({
  isNextHere: z.boolean().describe('whether the next Duber has said that they are there to collect the laundry'),
}).meta({ id: 'CarriedDelivery' });

const DuberDashboard = z
  .object({
    stats: z.object({
      totalEarning: money,
      totalDeliveries: z.int(),
      totalDelivered: z.int(),
      totalDistanceTraveled: z.int().describe('metres'),
    }),
    latestDeliveries: z.array(Delivery),
    pendingDeliveries: z.array(NearbyDeliveryShape),
    activeDelivery: Delivery.nullable(),
    heldBy,
    aheadDeliveries: z
      .array(Delivery)
      .optional()
      .describe(
        'deliveries that the Duber has accepted ahead for their windows, the next one first; only in answers to `fields` that name it',
      ),
    carriedDeliveries: z
      .array(CarriedDelivery)
      .optional()
      .describe(
        'deliveries that another Duber goes on with, while this one still has the laundry; only in answers to `fields` that name it',
      ),
  })
  .meta({ id: 'DuberDashboard' });

export const duberDashboard = call({
  method: 'GET',
  path: '/dashboards/duber',
  who: ['Duber'],
  query: strict({ pendingLimit: nearbyLimit('pendingLimit'), fields: fieldsParameter(DuberDashboard) }),
  answer: DuberDashboard,
  status: 200,
  failures: [],
  summary: "A Duber's totals, the active delivery, pending deliveries nearby and the latest deliveries",
  spec: '3, 9',
});
