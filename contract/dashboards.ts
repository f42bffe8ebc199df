import { z } from 'zod';
import { call } from './call.ts';
import { Delivery, NearbyDeliveryShape } from './deliveries.ts';
import { money } from './fields.ts';
import { Order } from './orders.ts';

// spec 3
export const budDashboard = call({
  method: 'GET',
  path: '/dashboards/bud',
  who: ['Bud'],
  answer: z
    .object({
      totalScrubOrders: z.int(),
      totalSpent: money,
      totalActiveScrubOrders: z.int(),
      totalCompletedScrubOrders: z.int(),
      latestScrubOrders: z.array(
        Order.pick({ id: true, scrub: true, status: true, loadSize: true, createdAt: true, price: true }),
      ),
    })
    .meta({ id: 'BudDashboard' }),
  status: 200,
  failures: [],
  summary: "A Bud's totals and latest orders",
  spec: '3, 9',
});

export const scrubDashboard = call({
  method: 'GET',
  path: '/dashboards/scrub',
  who: ['Scrub'],
  answer: z
    .object({
      totalEarning: money,
      todayEarning: money.describe('of orders completed since 00:00 UTC'),
      totalActiveScrubOrders: z.int(),
      totalCompletedScrubOrders: z.int(),
      averageScrubOrdersRating: z.number(),
      latestJobs: z.array(
        Order.pick({ id: true, bud: true, status: true, loadSize: true, createdAt: true, scrubEarning: true }),
      ),
    })
    .meta({ id: 'ScrubDashboard' }),
  status: 200,
  failures: [],
  summary: "A Scrub's totals and latest jobs",
  spec: '3, 9',
});

export const duberDashboard = call({
  method: 'GET',
  path: '/dashboards/duber',
  who: ['Duber'],
  answer: z
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
    })
    .meta({ id: 'DuberDashboard' }),
  status: 200,
  failures: [],
  summary: "A Duber's totals, the active delivery, pending deliveries nearby and the latest deliveries",
  spec: '3, 9',
});
