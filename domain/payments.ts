import { LOAD_POUNDS, type LoadSize } from './orders.ts';

/** Whole cents. Inside, money is never a fraction. */
export type Cents = number;

export type Price = {
  readonly loadPrice: Cents;
  readonly delivery: Cents;
  readonly pickup: Cents;
  readonly platformFee: Cents;
  readonly taxes: Cents;
  readonly totalPrice: Cents;
};

/** What an installation charges. Rates are in hundredths of a percent, so that no setting is a fraction. */
export type Tariff = {
  readonly perPound: Cents;
  readonly pickup: Cents;
  readonly delivery: Cents;
  readonly platformFeeRate: number;
  readonly taxRate: number;
};

/** What is priced by the pound. Orders are wash and fold until another service is offered. */
const SERVICES = ['wash-and-fold', 'dry-cleaning', 'delicate'] as const;
export type Service = (typeof SERVICES)[number];

/** The settings that make a tariff: cents a pound or a leg, and rates in hundredths of a percent. */
export const PRICE_ITEMS = [...SERVICES, 'pickup', 'delivery', 'platform-fee', 'taxes'] as const;
export type PriceItem = (typeof PRICE_ITEMS)[number];

/** A share of an amount in whole cents, half a cent rounding up. `rate` is in hundredths of a percent. */
export function applyRate(amount: Cents, rate: number): Cents {
  return Math.floor((amount * rate + 5_000) / 10_000);
}

/** The price of an order; a leg that the Bud does costs nothing. */
export function computePrice(
  order: { readonly loadSize: LoadSize; readonly selfDelivery: boolean; readonly selfPickup: boolean },
  tariff: Tariff,
): Price {
  const loadPrice = LOAD_POUNDS[order.loadSize].to * tariff.perPound;
  const pickup = order.selfDelivery ? 0 : tariff.pickup;
  const delivery = order.selfPickup ? 0 : tariff.delivery;
  const platformFee = applyRate(loadPrice, tariff.platformFeeRate);
  const taxes = applyRate(loadPrice + platformFee, tariff.taxRate);
  return {
    loadPrice,
    delivery,
    pickup,
    platformFee,
    taxes,
    totalPrice: loadPrice + delivery + pickup + platformFee + taxes,
  };
}

/** How a delivery's price is shown: 80 % base, 15 % distance, 5 % service (spec 9), in cents that add up to it. */
export function splitDeliveryPrice(price: Cents): { base: Cents; distance: Cents; service: Cents } {
  const distance = applyRate(price, 1500);
  const service = applyRate(price, 500);
  return { base: price - distance - service, distance, service };
}

export function toDollars(cents: Cents): number {
  return cents / 100;
}

export function toCents(dollars: number): Cents {
  return Math.round(dollars * 100);
}

/**
 * The life of a payment. `holding` waits for the card network's yes, `held` is a hold on the card;
 * the -ing states are work that is due and will be swept until done; `stuck` needs a person.
 */
export type PaymentState = 'holding' | 'held' | 'capturing' | 'captured' | 'voiding' | 'voided' | 'declined' | 'stuck';
