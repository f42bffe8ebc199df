import { CallFailed, type Client } from '../../contract/client.ts';
import type { Order } from '../../contract/orders.ts';
import type { DeliveryType } from '../../domain/deliveries.ts';
import type { Leg, Tale } from './orders.ts';
import type { Resident } from './residents.ts';

type Residents = ReadonlyMap<string, Resident>;

/** Brings one order to where its tale ends. What was done before, in a run that was cut short, is not done again. */
export async function playTale(residents: Residents, tale: Tale, key: string): Promise<void> {
  const [bud, scrub] = [find(residents, tale.bud), find(residents, tale.scrub)];
  const { id } = await place(bud, scrub, tale, key);
  const look = () => bud.api.readOrder({ params: { id } });
  // The laundry is fetched before it is washed.
  const [first, ...later] = tale.steps;
  if (first) await takeStep(first === 'cancel-order' ? bud.api : scrub.api, await look(), first);
  if (tale.fetch) await carry(residents, await look(), 'Bud_To_Scrub', tale.fetch);
  for (const step of later) await takeStep(scrub.api, await look(), step);
  if (tale.bring) await carry(residents, await look(), 'Scrub_To_Bud', tale.bring);
  await review(bud, scrub, await look(), tale);
}

function find(residents: Residents, name: string): Resident {
  const resident = residents.get(name);
  if (!resident) throw new Error(`the demo has nobody called ${name}`);
  return resident;
}

function place(bud: Resident, scrub: Resident, tale: Tale, key: string): Promise<Order> {
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

const LEADS_TO = {
  'cancel-order': 'Cancelled',
  'accept-order': 'Accepted',
  'reject-order': 'Rejected',
  'start-order': 'In_Progress',
  'complete-order': 'Completed',
} as const;

async function takeStep(api: Client, order: Order, step: keyof typeof LEADS_TO): Promise<void> {
  if (order.statusHistory.some(({ status }) => status === LEADS_TO[step])) return;
  await api[step]({ params: { id: order.id } });
}

async function carry(residents: Residents, order: Order, type: DeliveryType, leg: Leg): Promise<void> {
  const delivery = order.deliveries.find(({ deliveryType }) => deliveryType === type);
  if (!delivery) throw new Error(`order ${order.id} has no ${type} delivery`);
  const { api } = find(residents, leg.duber);
  // Its history begins with Pending, so its length less one counts the steps taken.
  for (const step of leg.steps.slice(delivery.statusHistory.length - 1))
    await api[step]({ params: { id: delivery.id } });
}

async function review(bud: Resident, scrub: Resident, order: Order, { verdicts = {} }: Tale): Promise<void> {
  const { toScrub, toBud, toFetcher, toBringer } = verdicts;
  const params = { id: order.id };
  const words = ([rating, message]: readonly [number, string]) => ({ rating, message });
  if (toScrub) await once(bud.api.reviewToScrub({ params, body: { ...words(toScrub), scrubId: scrub.id } }));
  if (toBud) await once(scrub.api.reviewToBud({ params, body: { ...words(toBud), budId: bud.id } }));
  for (const [type, words_] of [
    ['Bud_To_Scrub', toFetcher],
    ['Scrub_To_Bud', toBringer],
  ] as const) {
    const delivery = order.deliveries.find(({ deliveryType }) => deliveryType === type);
    if (!words_ || !delivery?.duberId) continue;
    const body = { ...words(words_), duberId: delivery.duberId };
    await once(bud.api.reviewToDuber({ params: { id: delivery.id }, body }));
  }
}

// A review that stands already is what was wanted.
async function once(reviewing: Promise<unknown>): Promise<void> {
  await reviewing.catch((error: unknown) => {
    if (!(error instanceof CallFailed && error.statusCode === 409)) throw error;
  });
}
