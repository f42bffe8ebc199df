import { CallFailed, type Client } from '../../contract/client.ts';
import type { Order } from '../../contract/orders.ts';
import type { DeliveryType } from '../../domain/deliveries.ts';
import type { DemoUser } from './accounts.ts';
import type { DemoOrder, Leg } from './orders.ts';

type DemoUsers = ReadonlyMap<string, DemoUser>;

/** Brings one order to where its tale ends. What was done before, in a run that was cut short, is not done again. */
export async function createDemoOrder(residents: DemoUsers, tale: DemoOrder, key: string): Promise<void> {
  const [bud, scrub] = [findUser(residents, tale.bud), findUser(residents, tale.scrub)];
  const { id } = await placeOrder(bud, scrub, tale, key);
  const look = () => bud.api.readOrder({ params: { id } });
  // The laundry is fetched before it is washed.
  const [first, ...later] = tale.steps;
  if (first) await takeStep(first === 'cancel-order' ? bud.api : scrub.api, await look(), first);
  if (tale.outboundLeg) await takeDeliverySteps(residents, await look(), 'Bud_To_Scrub', tale.outboundLeg);
  for (const step of later) await takeStep(scrub.api, await look(), step);
  if (tale.returnLeg) await takeDeliverySteps(residents, await look(), 'Scrub_To_Bud', tale.returnLeg);
  await postReviews(bud, scrub, await look(), tale);
}

function findUser(residents: DemoUsers, name: string): DemoUser {
  const resident = residents.get(name);
  if (!resident) throw new Error(`the demo has nobody called ${name}`);
  return resident;
}

function placeOrder(bud: DemoUser, scrub: DemoUser, tale: DemoOrder, key: string): Promise<Order> {
  const { size, note, selfDelivery = false, selfPickup = false } = tale;
  return bud.api.placeOrder({
    body: {
      budAddressId: bud.addressId,
      scrubId: scrub.id,
      loadSize: size,
      selfDelivery,
      selfPickup,
      ...(note ? { orderInstructions: note } : {}),
      // Square's published token of a card that passes.
      paymentSourceId: 'cnon:card-nonce-ok',
    },
    idempotencyKey: key,
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

async function takeDeliverySteps(residents: DemoUsers, order: Order, type: DeliveryType, leg: Leg): Promise<void> {
  const delivery = order.deliveries.find(({ deliveryType }) => deliveryType === type);
  if (!delivery) throw new Error(`order ${order.id} has no ${type} delivery`);
  const { api } = findUser(residents, leg.duber);
  // Its history begins with Pending, so its length less one counts the steps taken.
  for (const step of leg.steps.slice(delivery.statusHistory.length - 1))
    await api[step]({ params: { id: delivery.id } });
}

async function postReviews(
  bud: DemoUser,
  scrub: DemoUser,
  order: Order,
  { reviews: verdicts = {} }: DemoOrder,
): Promise<void> {
  const { toScrub, toBud, toOutboundDuber: toFetcher, toReturnDuber: toBringer } = verdicts;
  const params = { id: order.id };
  const words = ([rating, message]: readonly [number, string]) => ({ rating, message });
  if (toScrub) await ignoreConflict(bud.api.reviewToScrub({ params, body: { ...words(toScrub), scrubId: scrub.id } }));
  if (toBud) await ignoreConflict(scrub.api.reviewToBud({ params, body: { ...words(toBud), budId: bud.id } }));
  for (const [type, words_] of [
    ['Bud_To_Scrub', toFetcher],
    ['Scrub_To_Bud', toBringer],
  ] as const) {
    const delivery = order.deliveries.find(({ deliveryType }) => deliveryType === type);
    if (!words_ || !delivery?.duberId) continue;
    const body = { ...words(words_), duberId: delivery.duberId };
    await ignoreConflict(bud.api.reviewToDuber({ params: { id: delivery.id }, body }));
  }
}

// A review that stands already is what was wanted.
async function ignoreConflict(reviewing: Promise<unknown>): Promise<void> {
  await reviewing.catch((error: unknown) => {
    if (!(error instanceof CallFailed && error.statusCode === 409)) throw error;
  });
}
