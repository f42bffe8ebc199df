import type { Price as Dollars } from '../../contract/payments.ts';
import { type Price, toDollars } from '../../domain/payments.ts';

/** Converts a price from cents to dollars. */
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
