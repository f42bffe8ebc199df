import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { OrderLine } from '../../../contract/operator/orders.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../../domain/orders.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { formatDateInText, formatMoney, labelOf } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { LoadingRows } from '../LoadingRows.tsx';
import cards from '../listCards.module.css';
import { operatorApi } from '../operatorApi.ts';
import { OlderButton } from '../PageButtons.tsx';
import styles from './OrdersPage.module.css';

type Next = { before: string; beforeNumber: number };

/** Every order of the town, newest first. The status is in the address, so that Back keeps it. */
export function OrdersPage() {
  const [parameters, setParameters] = useSearchParams();
  const status = ORDER_STATUSES.find((one) => one === parameters.get('status'));
  const orders = useInfiniteQuery({
    queryKey: ['orders', status ?? 'all'],
    queryFn: ({ pageParam, signal }) => operatorApi.listTownOrders({ query: queryOf(status, pageParam) }, { signal }),
    initialPageParam: undefined as Next | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const rows = orders.data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <PageHeader title="Orders" />
      <NativeSelect
        className={styles.filter}
        label="Status"
        value={status ?? ''}
        onChange={(event) => setParameters(event.currentTarget.value ? { status: event.currentTarget.value } : {})}
        data={[{ value: '', label: 'All' }, ...ORDER_STATUSES.map((value) => ({ value, label: labelOf(value) }))]}
      />
      {orders.isPending && <LoadingRows label="orders" />}
      {orders.isError && !rows && <QueryError query={orders} title="The orders did not load" isCard />}
      {rows?.length === 0 && <EmptyState text="There is no such order" drawing="basket" isCard />}
      {rows && rows.length > 0 && (
        <ul className={cards.rows} aria-label="Orders">
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ul>
      )}
      <OlderButton query={orders} />
    </>
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
        <time className={styles.quiet} dateTime={placedAt}>
          {formatDateInText(placedAt)}
        </time>
      </Link>
    </li>
  );
}
