import type { Order } from '../contract/orders.ts';
import type { DeliveryAction, DeliveryType } from '../domain/deliveries.ts';
import type { OrderAction, OrderStatus } from '../domain/orders.ts';
import type { Someone, World } from './testServer.ts';

export const CARD = 'cnon:card-nonce-ok';
export const WORDS = { message: 'Everything came back fresh and folded.', rating: 5 };

export type Cast = { readonly bud: Someone; readonly scrub: Someone; readonly duber: Someone };

/** One of each role, near each other. */
export async function castOf(world: World): Promise<Cast> {
  const [bud, scrub, duber] = await Promise.all([
    world.join('Bud', { fullname: 'Ada Bud', north: 300 }),
    world.join('Scrub', { fullname: 'Grace Scrub', north: 1200 }),
    world.join('Duber', { fullname: 'Alan Duber', east: 500 }),
  ]);
  return { bud, scrub, duber };
}

export const firstAddress = (someone: Someone): string => someone.user.addresses[0]?.id ?? '';

/** What a Bud sends to place an order with a Scrub. */
export function orderBody({ bud, scrub }: Pick<Cast, 'bud' | 'scrub'>, more: object = {}) {
  return {
    budAddressId: firstAddress(bud),
    scrubId: scrub.user.id,
    loadSize: 'Medium' as const,
    paymentSourceId: CARD,
    ...more,
  };
}

export function placeWith(cast: Pick<Cast, 'bud' | 'scrub'>, more: object = {}): Promise<Order> {
  return cast.bud.api.placeOrder({ body: orderBody(cast, more) });
}

const PATH_TO: Record<OrderStatus, readonly OrderAction[]> = {
  Requested: [],
  Accepted: ['accept-order'],
  In_Progress: ['accept-order', 'start-order'],
  Completed: ['accept-order', 'start-order', 'complete-order'],
  Cancelled: ['cancel-order'],
  Rejected: ['reject-order'],
};

/** An order that was brought to a status, as its Scrub reads it then. */
export async function orderAt(cast: Pick<Cast, 'bud' | 'scrub'>, status: OrderStatus, more: object = {}) {
  const { id } = await placeWith(cast, more);
  const by = status === 'Cancelled' ? cast.bud : cast.scrub;
  for (const action of PATH_TO[status]) await by.api[action]({ params: { id } });
  return cast.scrub.api.readOrder({ params: { id } });
}

export function legOf(order: Order, type: DeliveryType): string {
  const leg = order.deliveries.find((delivery) => delivery.deliveryType === type);
  if (!leg) throw new Error(`the order has no ${type} delivery`);
  return leg.id;
}

export const CARRYING: readonly DeliveryAction[] = [
  'accept-delivery',
  'way-to-pickup',
  'collected',
  'way-to-drop',
  'delivered',
];

/** Takes a delivery through its first `steps` steps. */
export async function carry(duber: Someone, id: string, steps = CARRYING.length): Promise<void> {
  for (const action of CARRYING.slice(0, steps)) await duber.api[action]({ params: { id } });
}
