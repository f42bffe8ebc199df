import type { Delivery } from '../contract/deliveries.ts';
import type { Contact, Order } from '../contract/orders.ts';
import type { Caller } from '../domain/accounts.ts';
import { duberSeesContacts } from '../domain/deliveries.ts';
import { type Price, toDollars } from '../domain/payments.ts';
import type { DeliveryRow, OrderRow, WholeDelivery, WholeOrder } from './rows.sql.ts';

/** A price in dollars, from one in cents. */
export function priceInDollars(price: Price): Order['price'] {
  return {
    loadPrice: toDollars(price.loadPrice),
    delivery: toDollars(price.delivery),
    pickup: toDollars(price.pickup),
    platformFee: toDollars(price.platformFee),
    taxes: toDollars(price.taxes),
    totalPrice: toDollars(price.totalPrice),
  };
}

const withoutContacts = ({ id, fullname }: Contact): Contact => ({ id, fullname, email: null, phone: null });

/** An order as its Bud or its Scrub sees it. */
export function shapeOrder(caller: Caller, { order, deliveries }: WholeOrder, now: Date): Order {
  return {
    id: order.id,
    status: order.status,
    statusHistory: order.steps,
    budId: order.budId,
    scrubId: order.scrubId,
    loadSize: order.loadSize,
    selfDelivery: order.selfDelivery,
    selfPickup: order.selfPickup,
    orderInstructions: order.instructions,
    price: priceInDollars(order.price),
    scrubEarning: toDollars(order.price.loadPrice),
    createdAt: order.createdAt,
    budAddress: order.budAddress,
    scrub: { id: order.scrub.id, fullname: order.scrub.fullname, addresses: [order.scrubAddress] },
    bud: order.bud,
    deliveries: deliveries.map((delivery) => shapeDelivery(caller, { delivery, order }, now)),
    reviews: order.reviews,
  };
}

/**
 * A delivery as the caller sees it. A Duber reads the others' e-mail and phone only while the delivery is theirs and for
 * a week after, never the order's price, and of its reviews those of this delivery; a Bud never reads a Scrub's contacts.
 */
export function shapeDelivery(caller: Caller, { delivery, order }: WholeDelivery, now: Date): Delivery {
  const isDuber = caller.role === 'Duber';
  const isTheirs = delivery.duberId === caller.id;
  const deliveredAt = delivery.deliveredAt === null ? null : new Date(delivery.deliveredAt);
  const contacts = !isDuber || duberSeesContacts({ isTheirs, deliveredAt }, now);
  const bud = contacts ? order.bud : withoutContacts(order.bud);
  const scrubContact = contacts && caller.role !== 'Bud' ? order.scrub : withoutContacts(order.scrub);
  const scrub = { ...scrubContact, addresses: [order.scrubAddress] };
  return {
    id: delivery.id,
    orderId: delivery.orderId,
    status: delivery.status,
    statusHistory: delivery.steps,
    deliveryType: delivery.deliveryType,
    budId: delivery.budId,
    scrubId: delivery.scrubId,
    duberId: delivery.duberId,
    price: toDollars(delivery.price),
    distanceInMeters: delivery.distanceInMeters,
    createdAt: delivery.createdAt,
    duber: delivery.duber,
    bud,
    scrub,
    order: {
      id: order.id,
      loadSize: order.loadSize,
      price: isDuber ? null : priceInDollars(order.price),
      orderInstructions: isDuber && !isTheirs ? null : order.instructions,
      budAddress: order.budAddress,
      bud,
      scrub,
      reviews: reviewsFor(caller, delivery, order),
    },
  };
}

function reviewsFor(caller: Caller, delivery: DeliveryRow, order: OrderRow) {
  if (caller.role !== 'Duber') return order.reviews;
  return order.reviews.filter(
    (review) =>
      review.deliveryId === delivery.id && review.toUserId === delivery.duberId && delivery.duberId === caller.id,
  );
}
