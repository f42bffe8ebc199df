import type { Order } from '../contract/orders.ts';
import type { DeliveryAction, DeliveryType } from '../domain/deliveries.ts';
import type { OrderAction, OrderStatus } from '../domain/orders.ts';
import type { TestServer, TestUser } from './testServer.ts';

export const TEST_CARD = 'cnon:card-nonce-ok';
export const REVIEW = { message: 'Everything came back fresh and folded.', rating: 5 };

export type Participants = { readonly bud: TestUser; readonly scrub: TestUser; readonly duber: TestUser };

/** Signs up one user of each role, near each other. */
export async function createParticipants({ createUser }: Pick<TestServer, 'createUser'>): Promise<Participants> {
  const [bud, scrub, duber] = await Promise.all([
    createUser('Bud', { fullname: 'Ada Bud', north: 300 }),
    createUser('Scrub', { fullname: 'Grace Scrub', north: 1200 }),
    createUser('Duber', { fullname: 'Alan Duber', east: 500 }),
  ]);
  return { bud, scrub, duber };
}

export const firstAddressId = (testUser: TestUser): string => testUser.user.addresses[0]?.id ?? '';

/** The body with which a Bud places an order with a Scrub. */
export function orderBody({ bud, scrub }: Pick<Participants, 'bud' | 'scrub'>, more: object = {}) {
  return {
    budAddressId: firstAddressId(bud),
    scrubId: scrub.user.id,
    loadSize: 'Medium' as const,
    paymentSourceId: TEST_CARD,
    ...more,
  };
}

export function placeOrder(participants: Pick<Participants, 'bud' | 'scrub'>, more: object = {}): Promise<Order> {
  return participants.bud.api.placeOrder({ body: orderBody(participants, more) });
}

const ACTIONS_TO_REACH: Record<OrderStatus, readonly OrderAction[]> = {
  Requested: [],
  Accepted: ['accept-order'],
  In_Progress: ['accept-order', 'start-order'],
  Completed: ['accept-order', 'start-order', 'complete-order'],
  Cancelled: ['cancel-order'],
  Rejected: ['reject-order'],
};

/** Creates an order, brings it to a status and returns it as its Scrub reads it. */
export async function createOrderInStatus(
  participants: Pick<Participants, 'bud' | 'scrub'>,
  status: OrderStatus,
  more: object = {},
) {
  const { id } = await placeOrder(participants, more);
  const actor = status === 'Cancelled' ? participants.bud : participants.scrub;
  for (const action of ACTIONS_TO_REACH[status]) await actor.api[action]({ params: { id } });
  return participants.scrub.api.readOrder({ params: { id } });
}

export function findDeliveryId(order: Order, type: DeliveryType): string {
  const delivery = order.deliveries.find((delivery) => delivery.deliveryType === type);
  if (!delivery) throw new Error(`the order has no ${type} delivery`);
  return delivery.id;
}

export const DELIVERY_STEPS: readonly DeliveryAction[] = [
  'accept-delivery',
  'way-to-pickup',
  'collected',
  'way-to-drop',
  'delivered',
];

/** Takes the first `steps` steps of a delivery. */
export async function advanceDelivery(duber: TestUser, id: string, steps = DELIVERY_STEPS.length): Promise<void> {
  for (const action of DELIVERY_STEPS.slice(0, steps)) await duber.api[action]({ params: { id } });
}
