import type { OrderSize } from './orders.ts';
import { applyRate, type Cents, type Tariff } from './payments.ts';
import { computePrice } from './prices.ts';

/** What the card network keeps of a charge: a rate, in hundredths of a percent, and a fixed amount. */
export type CardFee = { readonly rate: number; readonly fixed: Cents };

/** What Square and its like take of a payment over their API, in the USA: 2.9 % and 30 cents. */
export const USUAL_CARD_FEE: CardFee = { rate: 290, fixed: 30 };

/** Who gets what of an order, in cents. */
export type OrderShares = {
  readonly bud: Cents;
  readonly scrub: Cents;
  /** Both deliveries together. */
  readonly dubers: Cents;
  readonly taxes: Cents;
  readonly platformFee: Cents;
  /** The town pays it, of its platform fee. */
  readonly cardFee: Cents;
  /** The platform fee without the card fee. Less than zero where the town pays for each order. */
  readonly town: Cents;
};

/** The shares of an order with both deliveries by Dubers. */
export function sharesOfOrder(loadSize: OrderSize, tariff: Tariff, { rate, fixed }: CardFee): OrderShares {
  const price = computePrice({ loadSize, selfDelivery: false, selfPickup: false }, tariff);
  const cardFee = price.totalPrice === 0 ? 0 : applyRate(price.totalPrice, rate) + fixed;
  return {
    bud: price.totalPrice,
    scrub: price.loadPrice,
    dubers: price.pickup + price.delivery,
    taxes: price.taxes,
    platformFee: price.platformFee,
    cardFee,
    town: price.platformFee - cardFee,
  };
}
