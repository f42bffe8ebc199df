import type { PublicPrices } from '../../contract/payments.ts';
import { type OtherService, SERVICE_NAMES } from '../../domain/services.ts';
import { formatMoney } from '../ui/formatMoney.ts';
import styles from './prices.module.css';

type PriceItem = {
  readonly item: string;
  readonly prefix: 'from' | 'plus';
  readonly unit: string;
  readonly priceOf: (prices: PublicPrices) => number;
  readonly service?: OtherService;
};

const BY_THE_POUND = { prefix: 'from', unit: 'per lb' } as const;

const SERVICES: readonly PriceItem[] = [
  { ...BY_THE_POUND, item: SERVICE_NAMES['wash-and-fold'], priceOf: ({ perPound }) => perPound.washAndFold },
  {
    ...BY_THE_POUND,
    ...{ item: SERVICE_NAMES['dry-cleaning'], service: 'dry-cleaning' },
    priceOf: ({ perPound }) => perPound.dryCleaning,
  },
  {
    ...BY_THE_POUND,
    ...{ item: SERVICE_NAMES.delicate, service: 'delicate' },
    priceOf: ({ perPound }) => perPound.delicate,
  },
];

const SAME_PRICE_DELIVERIES: readonly PriceItem[] = [
  { item: 'Delivery', prefix: 'plus', unit: 'each way', priceOf: ({ delivery }) => delivery },
];

const DIFFERENT_PRICE_DELIVERIES: readonly PriceItem[] = [
  { item: 'Pickup', prefix: 'plus', unit: 'per order', priceOf: ({ pickup }) => pickup },
  { item: 'Delivery', prefix: 'plus', unit: 'per order', priceOf: ({ delivery }) => delivery },
];

const isSamePriceBothWays = (prices: PublicPrices) => prices.pickup === prices.delivery;

type NotOffered = readonly OtherService[];
const isOffered = (service: OtherService | undefined, notOffered: NotOffered) =>
  service === undefined || !notOffered.includes(service);

type PriceListProps = { readonly prices: PublicPrices | undefined; readonly notOffered: NotOffered | undefined };

/** The prices in force. While they are unknown, an empty bar keeps the place of each number. */
export function PriceList({ prices, notOffered = [] }: PriceListProps) {
  const deliveries = !prices || isSamePriceBothWays(prices) ? SAME_PRICE_DELIVERIES : DIFFERENT_PRICE_DELIVERIES;
  return (
    <dl className={styles.prices}>
      {[...SERVICES, ...deliveries].map(({ item, prefix, unit, priceOf, service }) => (
        <div key={item} className={styles.price}>
          <dt>{item}</dt>
          {isOffered(service, notOffered) ? (
            <dd>
              <small>{prefix}</small> {prices ? formatMoney(priceOf(prices)) : <span className={styles.unknown} />}{' '}
              <small>{unit}</small>
            </dd>
          ) : (
            <dd>
              <small>not offered here</small>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** The FAQ's answer about prices. Until they are known it names none. */
export function describePrices(prices: PublicPrices | undefined, notOffered: NotOffered = []): string {
  if (!prices) return 'Every service is priced by the pound, plus delivery. You see the full price before you pay.';
  const { pickup, delivery } = prices;
  const offered = SERVICES.filter(({ service }) => isOffered(service, notOffered));
  const services = offered.map(({ item, priceOf }, index) => {
    const name = index === 0 ? `${item} starts` : `${index === offered.length - 1 ? 'and ' : ''}${lower(item)}`;
    return `${name} from ${formatMoney(priceOf(prices))} per lb`;
  });
  const deliveries = isSamePriceBothWays(prices)
    ? `Delivery adds ${formatMoney(delivery)} each way.`
    : `Pickup adds ${formatMoney(pickup)} and delivery adds ${formatMoney(delivery)}.`;
  const missing = sentenceOfMissing(notOffered.filter((service) => SERVICES.some((one) => one.service === service)));
  return [`${services.join(', ')}.`, ...missing, deliveries, 'You see the full price before you pay.'].join(' ');
}

/** The FAQ's answer about services. */
export function describeServices(notOffered: NotOffered = []): string {
  const names = (Object.keys(SERVICE_NAMES) as (keyof typeof SERVICE_NAMES)[])
    .filter((service) => service === 'wash-and-fold' || isOffered(service, notOffered))
    .map((service) => SERVICE_NAMES[service]);
  return [`${enumerate(names)}.`, ...sentenceOfMissing(notOffered)].join(' ');
}

function sentenceOfMissing(notOffered: NotOffered): string[] {
  if (notOffered.length === 0) return [];
  const names = enumerate(notOffered.map((service) => SERVICE_NAMES[service]));
  return [`${names} ${notOffered.length === 1 ? 'is' : 'are'} not offered here.`];
}

const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

/** 'Dry cleaning, delicate care and specialty' */
function enumerate([first = '', ...others]: readonly string[]): string {
  const rest = others.map(lower);
  const last = rest.pop();
  return last === undefined ? first : `${[first, ...rest].join(', ')} and ${last}`;
}
