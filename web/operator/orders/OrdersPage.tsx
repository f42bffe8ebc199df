import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { OrderLine } from '../../../contract/operator/orders.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../../domain/orders.ts';
import { BOOKED_PARTS, type BookedPart, NO_ZONE } from '../../../domain/windows.ts';
import { formatDay, formatMoney, labelOf } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { FilterButtons, type FilterOptions, ListPage, useFilter } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { OlderButton } from '../PageButtons.tsx';
import { TownTime } from '../TownTime.tsx';
import { useZones } from '../useZones.ts';
import styles from './OrdersPage.module.css';

type Next = { before: string; beforeNumber: number };

const STATUSES: FilterOptions<OrderStatus | 'all'> = [
  { value: 'all', label: 'All' },
  ...ORDER_STATUSES.map((value) => ({ value, label: labelOf(value) })),
];

/** Every order of the town, newest first. */
export function OrdersPage() {
  const filter = useFilter(STATUSES);
  const booked = useBooked();
  const status = filter.value === 'all' ? undefined : filter.value;
  const orders = useInfiniteQuery({
    queryKey: ['orders', filter.value, booked.query],
    queryFn: ({ pageParam, signal }) =>
      operatorApi.listTownOrders({ query: { ...booked.query, ...queryOf(status, pageParam) } }, { signal }),
    initialPageParam: undefined as Next | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  return (
    <ListPage
      title="Orders"
      filter={
        <>
          {booked.words && (
            <p className={styles.booked}>
              {booked.words} <Link to="/operator/orders">All Orders</Link>
            </p>
          )}
          <FilterButtons filter={filter} />
        </>
      }
      what="orders"
      query={orders}
      rows={orders.data?.pages.flatMap(({ items }) => items)}
      empty="No such orders"
      drawing="basket"
      more={<OlderButton query={orders} />}
    >
      {(rows) => (
        <ul className={cards.rows} aria-label="Orders">
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ul>
      )}
    </ListPage>
  );
}

const BOOKED_WORDS: Readonly<Record<BookedPart, string>> = {
  pickup: 'Pickups by Dubers',
  return: 'Returns by Dubers',
  promised: 'To be back',
  'at-risk': 'At risk of being late',
};

/** The numbers of Today lead here: which of the orders with windows the address asks for, and that in words. */
function useBooked() {
  const [params] = useSearchParams();
  const zones = useZones();
  const booked = BOOKED_PARTS.find((part) => part === params.get('booked'));
  const [day, zone] = [params.get('day'), params.get('zone')];
  if (!booked) return { query: {}, words: undefined };
  const items = zones.data?.items ?? [];
  const where = zone === NO_ZONE ? 'outside every zone' : `in ${items.find(({ id }) => id === zone)?.name ?? 'a zone'}`;
  return {
    query: { booked, ...(day ? { day } : {}), ...(zone ? { zone } : {}) },
    words: `${BOOKED_WORDS[booked]}${day ? `, ${formatDay(day)}` : ''}${zone && items.length > 0 ? `, ${where}` : ''}.`,
  };
}

const queryOf = (status: OrderStatus | undefined, next: Next | undefined) => ({
  ...(status ? { status } : {}),
  ...(next ? { before: next.before, beforeNumber: String(next.beforeNumber) } : {}),
});

function Row({ row: { id, number, status, placedAt, bud, scrub, size, total } }: { row: OrderLine }) {
  return (
    <li>
      <Link to={`/operator/orders/${id}`} className={styles.row ?? ''}>
        <strong>{number}</strong>
        <StatusBadge status={status} />
        <span>
          {bud} → {scrub}
        </span>
        <span className={styles.quiet}>
          {size} · {formatMoney(total)}
        </span>
        <TownTime at={placedAt} className={styles.quiet} />
      </Link>
    </li>
  );
}
