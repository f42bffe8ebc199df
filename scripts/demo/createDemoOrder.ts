import { CallFailed, type Client } from '../../contract/client.ts';
import type { Order } from '../../contract/orders.ts';
import type { DeliveryType } from '../../domain/deliveries.ts';
import type { DemoUser } from './accounts.ts';
import type { DemoOrder, Leg } from './orders.ts';

type DemoUsers = ReadonlyMap<string, DemoUser>;

/** Places one order and takes its steps. Skips what an interrupted run has already done. */
export async function createDemoOrder(users: DemoUsers, demoOrder: DemoOrder, idempotencyKey: string): Promise<void> {
  const [bud, scrub] = [findUser(users, demoOrder.bud), findUser(users, demoOrder.scrub)];
  const { id } = await placeOrder(bud, scrub, demoOrder, idempotencyKey);
  const readOrder = () => bud.api.readOrder({ params: { id } });
  // The outbound delivery comes before the washing.
  const [first, ...later] = demoOrder.steps;
  if (first) await takeStep(first === 'cancel-order' ? bud.api : scrub.api, await readOrder(), first);
  if (demoOrder.outboundLeg) await takeDeliverySteps(users, await readOrder(), 'Bud_To_Scrub', demoOrder.outboundLeg);
  for (const step of later) await takeStep(scrub.api, await readOrder(), step);
  if (demoOrder.returnLeg) await takeDeliverySteps(users, await readOrder(), 'Scrub_To_Bud', demoOrder.returnLeg);
  await postReviews(bud, scrub, await readOrder(), demoOrder);
}

function findUser(users: DemoUsers, name: string): DemoUser {
  const user = users.get(name);
  if (!user) throw new Error(`the demo has nobody called ${name}`);
  return user;
}

function placeOrder(bud: DemoUser, scrub: DemoUser, demoOrder: DemoOrder, idempotencyKey: string): Promise<Order> {
  const { size, note, selfDelivery = false, selfPickup = false } = demoOrder;
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

async function takeStep(api: Client, order: Order, step: keyof typeof STATUS_AFTER): Promise<void> {
  if (order.statusHistory.some(({ status }) => status === STATUS_AFTER[step])) return;
  await api[step]({ params: { id: order.id } });
}

async function takeDeliverySteps(users: DemoUsers, order: Order, type: DeliveryType, leg: Leg): Promise<void> {
  const delivery = order.deliveries.find(({ deliveryType }) => deliveryType === type);
  if (!delivery) throw new Error(`order ${order.id} has no ${type} delivery`);
  const { api } = findUser(users, leg.duber);
  // The history begins with Pending, so the number of steps taken is its length minus one.
  for (const step of leg.steps.slice(delivery.statusHistory.length - 1))
    await api[step]({ params: { id: delivery.id } });
}

async function postReviews(bud: DemoUser, scrub: DemoUser, order: Order, { reviews = {} }: DemoOrder): Promise<void> {
  const { toScrub, toBud, toOutboundDuber, toReturnDuber } = reviews;
  const params = { id: order.id };
  const bodyOf = ([rating, message]: readonly [number, string]) => ({ rating, message });
  if (toScrub) await ignoreConflict(bud.api.reviewToScrub({ params, body: { ...bodyOf(toScrub), scrubId: scrub.id } }));
  if (toBud) await ignoreConflict(scrub.api.reviewToBud({ params, body: { ...bodyOf(toBud), budId: bud.id } }));
  for (const [type, review] of [
    ['Bud_To_Scrub', toOutboundDuber],
    ['Scrub_To_Bud', toReturnDuber],
  ] as const) {
    const delivery = order.deliveries.find(({ deliveryType }) => deliveryType === type);
    if (!review || !delivery?.duberId) continue;
    const body = { ...bodyOf(review), duberId: delivery.duberId };
    await ignoreConflict(bud.api.reviewToDuber({ params: { id: delivery.id }, body }));
  }
}

// An earlier run may have written the review already.
async function ignoreConflict(call: Promise<unknown>): Promise<void> {
  await call.catch((error: unknown) => {
    if (!(error instanceof CallFailed && error.statusCode === 409)) throw error;
  });
}
