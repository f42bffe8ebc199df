import type { PublicPrices } from '../../contract/payments.ts';
import { formatMoney } from '../ui/formatMoney.ts';
import styles from './prices.module.css';

type PriceItem = {
  readonly item: string;
  readonly prefix: 'from' | 'plus';
  readonly unit: string;
  readonly priceOf: (prices: PublicPrices) => number;
};

const SERVICES: readonly PriceItem[] = [
  { item: 'Wash and fold', prefix: 'from', unit: 'per lb', priceOf: ({ perPound }) => perPound.washAndFold },
  { item: 'Dry cleaning', prefix: 'from', unit: 'per lb', priceOf: ({ perPound }) => perPound.dryCleaning },
  { item: 'Delicate care', prefix: 'from', unit: 'per lb', priceOf: ({ perPound }) => perPound.delicate },
];

const SAME_PRICE_DELIVERIES: readonly PriceItem[] = [
  { item: 'Delivery', prefix: 'plus', unit: 'each way', priceOf: ({ delivery }) => delivery },
];

const DIFFERENT_PRICE_DELIVERIES: readonly PriceItem[] = [
  { item: 'Pickup', prefix: 'plus', unit: 'per order', priceOf: ({ pickup }) => pickup },
  { item: 'Delivery', prefix: 'plus', unit: 'per order', priceOf: ({ delivery }) => delivery },
];

const isSamePriceBothWays = (prices: PublicPrices) => prices.pickup === prices.delivery;

/** The prices in force. While they are unknown, an empty bar keeps the place of each number. */
export function PriceList({ prices }: { prices: PublicPrices | undefined }) {
  const deliveries = !prices || isSamePriceBothWays(prices) ? SAME_PRICE_DELIVERIES : DIFFERENT_PRICE_DELIVERIES;
  return (
    <dl className={styles.prices}>
      {[...SERVICES, ...deliveries].map(({ item, prefix, unit, priceOf }) => (
        <div key={item} className={styles.price}>
          <dt>{item}</dt>
          <dd>
            <small>{prefix}</small> {prices ? formatMoney(priceOf(prices)) : <span className={styles.unknown} />}{' '}
            <small>{unit}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The FAQ's answer about prices. Until they are known it names none. */
export function describePrices(prices: PublicPrices | undefined): string {
  if (!prices) return 'Every service is priced by the pound, plus delivery. You see the full price before you pay.';
  const { perPound, pickup, delivery } = prices;
  const [wash, dry, delicate] = [perPound.washAndFold, perPound.dryCleaning, perPound.delicate].map(formatMoney);
  const deliveries = isSamePriceBothWays(prices)
    ? `Delivery adds ${formatMoney(delivery)} each way.`
    : `Pickup adds ${formatMoney(pickup)} and delivery adds ${formatMoney(delivery)}.`;
  return `Wash and fold starts from ${wash} per lb, dry cleaning from ${dry} per lb, and delicate care from ${delicate} per lb. ${deliveries} You see the full price before you pay.`;
}
