import type { Price, PublicPrices } from '../../contract/payments.ts';
import { LOAD_SIZES, type LoadSize } from '../../domain/orders.ts';
import { type Tariff, toCents } from '../../domain/payments.ts';
import { computePrice, priceInDollars, toStoredPrice } from '../../domain/prices.ts';
import { formatMoney } from '../ui/formatMoney.ts';
import { loadSizeLabel } from '../ui/loadSizeLabel.ts';

const toTariff = ({
  perPound,
  pickup,
  delivery,
  platformFeePercent,
  taxPercent,
  taxRounding,
}: PublicPrices): Tariff => ({
  perPound: toCents(perPound.washAndFold),
  pickup: toCents(pickup),
  delivery: toCents(delivery),
  platformFeeRate: toStoredPrice('platform-fee', platformFeePercent),
  taxRate: toStoredPrice('taxes', taxPercent),
  ...(taxRounding ? { taxRounding } : {}),
});

/** What a load costs in dollars, with a Duber both ways: the amounts that the server will ask for. */
export const estimatePrice = (loadSize: LoadSize, prices: PublicPrices): Price =>
  priceInDollars(computePrice({ loadSize, selfDelivery: false, selfPickup: false }, toTariff(prices)));

/** The totals as one sentence. Until the prices are known it names no amount: index.html is the same for every installation. */
export function describeTotals(prices: PublicPrices | undefined): string {
  const loads = LOAD_SIZES.map((size) => {
    const total = prices && ` is ${formatMoney(estimatePrice(size, prices).totalPrice)}`;
    return `${loadSizeLabel(size)}${total ?? ''}`;
  });
  const list = `${loads.slice(0, -1).join(', ')} ${prices ? 'and' : 'or'} ${loads.at(-1)}`;
  return prices
    ? `In total, ${list}, with the drive both ways, the platform fee and taxes.`
    : `One price for each load: ${list}. It covers the wash by the pound, the drive both ways, the platform fee and taxes.`;
}
