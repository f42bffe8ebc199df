import type { Price as Dollars } from '../../contract/payments.ts';
import { type Price, toDollars } from '../../domain/payments.ts';

/** A price in dollars, from one in cents. */
export function priceInDollars(price: Price): Dollars {
  return {
    loadPrice: toDollars(price.loadPrice),
    delivery: toDollars(price.delivery),
    pickup: toDollars(price.pickup),
    platformFee: toDollars(price.platformFee),
    taxes: toDollars(price.taxes),
    totalPrice: toDollars(price.totalPrice),
  };
}
