import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { TouchedOrder } from '../../../contract/operator/hours.ts';
import { formatWindow } from '../../../texts/windows.ts';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatMoney } from '../../ui/format.ts';
import touchedBox from '../../ui/TouchedBox.module.css';
import { operatorApi } from '../operatorApi.ts';
import styles from './Hours.module.css';

type TouchedOrdersProps = {
  readonly from: Date | undefined;
  readonly until: Date;
  /** The id of one zone; the whole town without it. */
  readonly zone?: string | undefined;
  /** Whether the zone ends: then there is no other time. */
  readonly ends?: boolean;
  readonly timeZone: string;
  /** How many there are: the form asks what becomes of them. */
  readonly onFound: (count: number) => void;
};

/** The orders with a window in a time at which nobody comes; nothing while there are none. */
export function TouchedOrders({ from, until, zone, ends = false, timeZone, onFound }: TouchedOrdersProps) {
  const span = {
    ...{ until: until.toISOString() },
    ...(from ? { from: from.toISOString() } : {}),
    ...(zone ? { zone } : {}),
  };
  const touched = useQuery({
    queryKey: ['touched-orders', span],
    queryFn: () => operatorApi.listTouched({ query: span }),
  });
  const count = touched.data?.items.length ?? 0;
  useEffect(() => onFound(count), [count, onFound]);
  if (touched.isError)
    return <QueryError query={touched} level={3} title="The orders with a window then did not load" />;
  if (!touched.data || count === 0) return null;
  const { items, hasMore } = touched.data;
  const cancelled = items.filter(({ isAtBud }) => isAtBud);
  const total = cancelled.reduce((sum, one) => sum + one.total, 0);
  return (
    <section className={`${touchedBox.box} ${styles.touched}`} aria-label="Orders with a window then">
      <h3>
        {hasMore ? `More than ${count}` : count} {count === 1 ? 'order has' : 'orders have'} a window then
      </h3>
      <ul>
        {items.map((order) => (
          <li key={order.id}>
            <strong>{order.number}</strong> {order.bud} and {order.scrub}: {windowsOf(order, timeZone)}
          </li>
        ))}
      </ul>
      <p className="quiet">
        {cancelled.length === 0
          ? `None can be cancelled here: the laundry is not with its Bud. ${ends ? 'They are kept.' : 'Buds are offered another time instead.'}`
          : `Cancelling ends ${cancelled.length} of them, and ${formatMoney(total)} stays with the cards.`}
        {cancelled.length > 0 &&
          cancelled.length < count &&
          ` The others are ${ends ? 'kept' : 'offered another time'}.`}
      </p>
    </section>
  );
}

const windowsOf = ({ pickup, return: back }: TouchedOrder, timeZone: string): string =>
  [['pickup', pickup] as const, ['back', back] as const]
    .flatMap(([name, span]) =>
      span ? [`${name} ${formatWindow({ from: new Date(span.from), until: new Date(span.until) }, timeZone)}`] : [],
    )
    .join(', ');
