import type { PublicPrices } from '../contract/payments.ts';

/** The prices of a new installation, as the server publishes them. */
export const DEFAULT_PRICES: PublicPrices = {
  perPound: { washAndFold: 2.5, dryCleaning: 8, delicate: 4 },
  pickup: 5.99,
  delivery: 5.99,
  platformFeePercent: 10,
  taxPercent: 8,
};
