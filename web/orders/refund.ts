import type { Cancellation } from '../../contract/exceptions.ts';
import type { Order } from '../../contract/orders.ts';
import { toCents, toDollars } from '../../domain/payments.ts';
import { discountOn } from '../../domain/promos.ts';
import { lessDiscount } from '../payments/PriceBreakdown.tsx';
import { formatMoney } from '../ui/formatMoney.ts';

// What the Bud reads about the money of an order that was cancelled or rejected.

export type CalledOffOrder = Pick<Order, 'statusHistory' | 'ceilingSize' | 'promo'> & {
  readonly price: Pick<Order['price'], 'totalPrice'>;
  readonly deliveries: readonly Pick<Order['deliveries'][number], 'status' | 'paid'>[];
};

/** Whether it was accepted at some time: then the card was charged, or is once the laundry is weighed. */
export const wasAccepted = ({ statusHistory }: Pick<Order, 'statusHistory'>): boolean =>
  statusHistory.some(({ status }) => status === 'Accepted');

/** What the order paid its Dubers, in dollars; undefined where that is not all known. */
function paidToDubers({ deliveries }: CalledOffOrder): number | undefined {
  // An answer that an earlier version has stored on the device has no `paid`.
  const paid = deliveries.map((delivery) => (delivery.status === 'Called_Off' ? (delivery.paid ?? null) : null));
  return paid.every((amount) => amount !== null)
    ? toDollars(paid.reduce((cents, amount) => cents + toCents(amount), 0))
    : undefined;
}

/** What the card pays of it, in dollars: a promo code pays its share. */
function cardShareOf(paid: number, { price, promo }: CalledOffOrder): number {
  const [cents, total] = [toCents(paid), toCents(price.totalPrice)];
  return toDollars(cents - discountOn(cents, { total, discount: toCents(promo?.discount ?? 0) }));
}

const cardShare = (paid: number, order: CalledOffOrder) => formatMoney(cardShareOf(paid, order));

/** What goes back to a card that was charged the whole price, in words. */
function refundOf(paid: number, order: CalledOffOrder): string {
  const charged = lessDiscount(order.price.totalPrice, order.promo ?? { discount: 0 });
  return formatMoney(toDollars(toCents(charged) - toCents(cardShareOf(paid, order))));
}

/** What cancelling a request costs, in words that follow “you” or “cancel and”. Its deliveries have ended, if it had any. */
export function endingText(order: CalledOffOrder): string {
  const paid = paidToDubers(order);
  const isCharged = wasAccepted(order) && !order.ceilingSize;
  if (paid !== undefined && cardShareOf(paid, order) === 0) return isCharged ? 'get everything back' : 'pay nothing';
  const duber = paid === undefined ? 'a Duber who came' : 'the Duber who came';
  return isCharged ? `get back everything but the fee of ${duber}` : `pay only for ${duber}`;
}

type CancellableOrder = Pick<Order, 'ceilingSize' | 'promo' | 'hasPaidDuber'> & {
  readonly price: Pick<Order['price'], 'totalPrice'>;
};

/**
 * What cancelling an accepted order costs now. Of an order that is weighed the card may not be charged yet: then nothing comes
 * back. What does not come back, and is not the fee of this moment, was paid before. A step that was taken back pays nobody.
 */
export function cancellingCost({ fee, refund }: Pick<Cancellation, 'fee' | 'refund'>, order: CancellableOrder): string {
  const onCard = lessDiscount(order.price.totalPrice, order.promo ?? { discount: 0 });
  const paid = order.hasPaidDuber ? toDollars(toCents(onCard) - toCents(refund) - toCents(fee)) : 0;
  const back = `You get ${formatMoney(refund)} back.`;
  const before = paid > 0 ? `You pay ${formatMoney(paid)} for the Duber who came, and nothing else.` : '';
  if (fee > 0)
    return `A Duber is on the way to you and is paid ${formatMoney(fee)}. ${order.ceilingSize ? before || 'You pay nothing else.' : back}`;
  if (order.ceilingSize) return before || 'It costs nothing.';
  return `It costs nothing${paid > 0 ? ' more' : ''}: you get ${formatMoney(refund)} back.`;
}

/** In a sentence, of an order that was accepted. One that is weighed may have been charged, or still have its hold. */
export function refundSentence(order: CalledOffOrder): string {
  const paid = paidToDubers(order);
  if (order.ceilingSize) {
    if (paid === undefined) return 'You do not pay for work that was not done.';
    return paid === 0 ? 'You pay nothing.' : `You pay ${cardShare(paid, order)} for a Duber, and nothing else.`;
  }
  if (paid === undefined) return 'The rest is on its way back to your card.';
  const refund = `In all, ${refundOf(paid, order)} goes back to your card.`;
  return paid === 0 ? refund : `A Duber was paid ${formatMoney(paid)}. ${refund}`;
}

/** In a few words, below the price. */
export function calledOffText(order: CalledOffOrder): string {
  if (!wasAccepted(order)) return 'Released, not charged';
  const paid = paidToDubers(order);
  if (order.ceilingSize) {
    if (paid === undefined) return 'Not paid, except what a Duber was paid';
    return paid === 0 ? 'Not paid' : `Not paid, except ${cardShare(paid, order)} for a Duber`;
  }
  if (paid === undefined) return 'Given back, less what a Duber was paid';
  const refund = `Given back: ${refundOf(paid, order)}`;
  return paid === 0 ? refund : `${refund}. Paid for a Duber: ${cardShare(paid, order)}`;
}
