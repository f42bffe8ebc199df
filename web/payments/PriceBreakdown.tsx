import type { Price } from '../../contract/payments.ts';
import { type OrderSize, SIZE_POUNDS } from '../../domain/orders.ts';
import { PRICE_PARTS, type PriceField, partsOf, taxWords } from '../../domain/prices.ts';
import { PriceTable } from '../ui/PriceTable.tsx';

type PricedOrder = { readonly loadSize: OrderSize; readonly selfDelivery: boolean; readonly selfPickup: boolean };

const loadLine = (size: OrderSize) => `${size} load, up to ${SIZE_POUNDS[size].to} lbs`;

/** In dollars, without the errors of fractions. */
export const lessDiscount = (amount: number, { discount }: { readonly discount: number }): number =>
  Math.round((amount - discount) * 100) / 100;

type Breakdown = {
  readonly order: PricedOrder;
  readonly price: Price | undefined;
  /** What a promo code takes off. */
  readonly promo?: { readonly code: string; readonly discount: number } | undefined;
  /** The rate of its taxes, where it is known. */
  readonly taxPercent?: number | null;
};

/** What a Bud pays, line by line. A delivery that the Bud does is shown with 0, and an unknown price with empty bars. */
export function PriceBreakdown({ order, price, promo, taxPercent = null }: Breakdown) {
  const labels: Partial<Record<PriceField, string>> = {
    loadPrice: loadLine(order.loadSize),
    ...(order.selfDelivery ? { pickup: 'Pickup (you drop it off)' } : {}),
    ...(order.selfPickup ? { delivery: 'Delivery (you pick it up)' } : {}),
    taxes: taxWords(taxPercent),
  };
  const parts = price ? partsOf(price) : PRICE_PARTS.map((part) => ({ ...part, amount: undefined }));
  return (
    <PriceTable
      lines={[
        ...parts.map(({ field, words, amount }) => ({ label: labels[field] ?? words, amount })),
        ...(promo ? [{ label: `Promo ${promo.code}`, amount: -promo.discount }] : []),
      ]}
      total={{ label: 'Total', amount: price && lessDiscount(price.totalPrice, promo ?? { discount: 0 }) }}
    />
  );
}

/** What a Scrub earns with a job: the order's loadPrice (spec 6). */
export function EarningBreakdown({ order, price }: { order: PricedOrder; price: Price }) {
  return (
    <PriceTable
      lines={[{ label: loadLine(order.loadSize), amount: price.loadPrice }]}
      total={{ label: 'Your earning', amount: price.loadPrice }}
    />
  );
}
