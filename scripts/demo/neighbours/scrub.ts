import type { DeliveryStatus, DeliveryType } from '../../../domain/deliveries.ts';
import type { OrderStatus } from '../../../domain/orders.ts';
import { chanceOf, drawTime, TIMES } from './times.ts';

/** The properties of an order that a Scrub reads. */
export type ScrubOrder = {
  readonly id: string;
  readonly status: OrderStatus;
  readonly statusHistory: readonly { readonly createdAt: string }[];
  readonly selfDelivery: boolean;
  readonly deliveries: readonly {
    readonly deliveryType: DeliveryType;
    readonly status: DeliveryStatus;
    readonly duberId: string | null;
    readonly statusHistory: readonly { readonly createdAt: string }[];
  }[];
};

export type ScrubAct = 'accept-order' | 'start-order' | 'complete-order' | 'receive';

/** What a Scrub does with an order, and when, in milliseconds of the clock. */
export type ScrubPlan = { readonly orderId: string; readonly act: ScrubAct; readonly at: number };

type Town = {
  /** What happened before belongs to the demo's history, and stays as it is. */
  readonly since: number;
  /** How many times faster than usual. */
  readonly pace: number;
  readonly isNeighbour: (userId: string) => boolean;
};

const lastTime = (history: readonly { readonly createdAt: string }[]) => Date.parse(history.at(-1)?.createdAt ?? '');

/** What this Scrub does next with each order, the soonest first. */
export function planScrub(orders: readonly ScrubOrder[], town: Town): ScrubPlan[] {
  return orders.flatMap((order) => planOrder(order, town) ?? []).toSorted((a, b) => a.at - b.at);
}

function planOrder(order: ScrubOrder, { since, pace, isNeighbour }: Town): ScrubPlan | undefined {
  const { id: orderId, status } = order;
  const changedAt = lastTime(order.statusHistory);
  const after = (time: number, act: ScrubAct, span: keyof typeof SPANS): ScrubPlan | undefined =>
    time >= since ? { orderId, act, at: time + drawTime(SPANS[span], orderId, span) / pace } : undefined;
  if (status === 'Requested') return after(changedAt, 'accept-order', 'answer');
  if (status === 'In_Progress') return after(changedAt, 'complete-order', 'wash');
  if (status !== 'Accepted') return undefined;
  if (order.selfDelivery) return after(changedAt, 'start-order', 'bringing');
  const delivery = order.deliveries.findLast(({ deliveryType }) => deliveryType === 'Bud_To_Scrub');
  if (!delivery) return undefined;
  const deliveryAt = lastTime(delivery.statusHistory);
  if (delivery.status === 'Delivered') return after(deliveryAt, 'start-order', 'start');
  const isAtTheDoor = delivery.status === 'Way_To_Drop' && delivery.duberId !== null && isNeighbour(delivery.duberId);
  return isAtTheDoor ? after(deliveryAt, 'receive', 'receive') : undefined;
}

const { answer, start, bringing, wash, receive } = TIMES;
const SPANS = { answer, start, bringing, wash, receive };

const REVIEW_SHARE = 0.3;
const REVIEWS = [
  [5, 'Sorted by colour. I wish everybody did that.'],
  [5, 'A clear note and a tidy bag, thank you.'],
  [5, 'Ready at the door when it was fetched.'],
  [4, 'All fine. A full bag for its size!'],
] as const;

/** What a Scrub writes about the Bud of an order, if anything. */
export function drawReview(orderId: string): { rating: number; message: string } | undefined {
  if (chanceOf(orderId, 'whether') >= REVIEW_SHARE) return undefined;
  const review = REVIEWS[Math.floor(chanceOf(orderId, 'which') * REVIEWS.length)];
  return review && { rating: review[0], message: review[1] };
}
