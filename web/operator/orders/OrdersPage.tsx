import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OrderLine } from '../../../contract/operator/orders.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../../domain/orders.ts';
import { formatMoney, labelOf } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { FilterButtons, type FilterOptions, ListPage, useFilter } from '../ListPage.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { OlderButton } from '../PageButtons.tsx';
import { TownTime } from '../TownTime.tsx';
import styles from './OrdersPage.module.css';

type Next = { before: string; beforeNumber: number };

const STATUSES: FilterOptions<OrderStatus | 'all'> = [
  { value: 'all', label: 'All' },
  ...ORDER_STATUSES.map((value) => ({ value, label: labelOf(value) })),
];

/** Every order of the town, newest first. */
export function OrdersPage() {
  const filter = useFilter(STATUSES);
  const status = filter.value === 'all' ? undefined : filter.value;
  const orders = useInfiniteQuery({
    queryKey: ['orders', filter.value],
    queryFn: ({ pageParam, signal }) => operatorApi.listTownOrders({ query: queryOf(status, pageParam) }, { signal }),
    initialPageParam: undefined as Next | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  return (
    <ListPage
      title="Orders"
      filter={<FilterButtons filter={filter} />}
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
