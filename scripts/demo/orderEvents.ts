import { CallFailed } from '../../contract/callClient.ts';
import type { Client } from '../../contract/client.ts';
import type { Order } from '../../contract/orders.ts';
import type { DeliveryType } from '../../domain/deliveries.ts';
import type { OrderAction } from '../../domain/orders.ts';
import type { DemoUser } from './accounts.ts';
import type { Delivery, DemoReviews, PlannedOrder } from './orders.ts';
import { addMinutes, DELIVERY_STEP_MINUTES } from './times.ts';

type DemoUsers = ReadonlyMap<string, DemoUser>;

/** Something that happens to a demo order. Those of one order must happen in their order. */
export type DemoEvent = { readonly at: Date; readonly run: () => Promise<void> };

/** Everything that happens to one order. Events that an interrupted run has already caused do nothing. */
export function listDemoEvents(users: DemoUsers, { key, order, times }: PlannedOrder): DemoEvent[] {
  const [bud, scrub] = [findUser(users, order.bud), findUser(users, order.scrub)];
  let known: Order | undefined;
  const findOrder = () => known ?? fail(`${key} has not been placed`);
  const refresh = async () => {
    known = await bud.api.readOrder({ params: { id: findOrder().id } });
    return known;
  };
  const place = async () => {
    known = await placeOrder(bud, scrub, order, key);
  };
  const stepAt = (step: OrderAction, at = times.answered): DemoEvent => ({
    at: at ?? fail(`${key} has no time for ${step}`),
    run: () => takeStep(step === 'cancel-order' ? bud.api : scrub.api, findOrder(), step),
  });
  const deliveryAt = (type: DeliveryType, delivery: Delivery | undefined, at: Date | undefined): DemoEvent[] => {
    if (!delivery) return [];
    const from = at ?? fail(`${key} has no time for its ${type}`);
    const { api } = findUser(users, delivery.duber);
    return delivery.steps.map((step, i) => ({
      at: addMinutes(from, DELIVERY_STEP_MINUTES[i] ?? 0),
      run: async () => {
        const delivery = findDelivery(i === 0 ? await refresh() : findOrder(), type);
        // The history begins with Pending.
        if (delivery.statusHistory.length - 1 <= i) await api[step]({ params: { id: delivery.id } });
      },
    }));
  };
  const [first, ...later] = order.steps;
  const laterTimes = { 'start-order': times.started, 'complete-order': times.completed } as const;
  const stepTime = (step: OrderAction) => laterTimes[step as keyof typeof laterTimes];
  const review = reviewTo(users, { bud, scrub, reviews: order.reviews ?? {}, deliveries: order });
  return [
    { at: times.placed, run: place },
    ...(first ? [stepAt(first)] : []),
    ...deliveryAt('Bud_To_Scrub', order.outboundDelivery, times.outbound),
    ...later.map((step) => stepAt(step, stepTime(step))),
    ...deliveryAt('Scrub_To_Bud', order.returnDelivery, times.returned),
    ...(times.reviewed ? [{ at: times.reviewed, run: () => review(findOrder()) }] : []),
  ];
}

function fail(why: string): never {
  throw new Error(`the demo is wrong: ${why}`);
}

function findUser(users: DemoUsers, name: string): DemoUser {
  return users.get(name) ?? fail(`there is nobody called ${name}`);
}

function findDelivery(order: Order, type: DeliveryType) {
  const delivery = order.deliveries.find(({ deliveryType }) => deliveryType === type);
  return delivery ?? fail(`order ${order.id} has no ${type} delivery`);
}

function placeOrder(
  bud: DemoUser,
  scrub: DemoUser,
  { size, note, selfDelivery = false, selfPickup = false }: PlannedOrder['order'],
  idempotencyKey: string,
): Promise<Order> {
  return bud.api.placeOrder({
    body: {
      budAddressId: bud.addressId,
      scrubId: scrub.id,
      loadSize: size,
      selfDelivery,
      selfPickup,
      ...(note ? { orderInstructions: note } : {}),
      // Square's test token for a card that is accepted.
      paymentSourceId: 'cnon:card-nonce-ok',
    },
    idempotencyKey,
  });
}

const STATUS_AFTER = {
  'cancel-order': 'Cancelled',
  'accept-order': 'Accepted',
  'reject-order': 'Rejected',
  'start-order': 'In_Progress',
  'complete-order': 'Completed',
} as const;

async function takeStep(api: Client, order: Order, step: OrderAction): Promise<void> {
  if (order.statusHistory.some(({ status }) => status === STATUS_AFTER[step])) return;
  await api[step]({ params: { id: order.id } });
}

type Reviewing = {
  readonly bud: DemoUser;
  readonly scrub: DemoUser;
  readonly reviews: DemoReviews;
  readonly deliveries: { readonly outboundDelivery?: Delivery; readonly returnDelivery?: Delivery };
};

function reviewTo(users: DemoUsers, { bud, scrub, reviews, deliveries }: Reviewing): (order: Order) => Promise<void> {
  const { toScrub, toBud, toOutboundDuber, toReturnDuber } = reviews;
  const bodyOf = ([rating, message]: readonly [number, string]) => ({ rating, message });
  return async (order) => {
    const params = { id: order.id };
    if (toScrub)
      await ignoreConflict(bud.api.reviewToScrub({ params, body: { ...bodyOf(toScrub), scrubId: scrub.id } }));
    if (toBud) await ignoreConflict(scrub.api.reviewToBud({ params, body: { ...bodyOf(toBud), budId: bud.id } }));
    for (const [type, delivery, review] of [
      ['Bud_To_Scrub', deliveries.outboundDelivery, toOutboundDuber],
      ['Scrub_To_Bud', deliveries.returnDelivery, toReturnDuber],
    ] as const) {
      if (!review || !delivery) continue;
      const body = { ...bodyOf(review), duberId: findUser(users, delivery.duber).id };
      await ignoreConflict(bud.api.reviewToDuber({ params: { id: findDelivery(order, type).id }, body }));
    }
  };
}

// An earlier run may have written the review already.
async function ignoreConflict(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof CallFailed && error.statusCode === 409)) throw error;
  });
}
