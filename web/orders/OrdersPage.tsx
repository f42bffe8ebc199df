import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { PAGE_SIZE } from '../../contract/lists.ts';
import { ORDER_LIST } from '../../contract/orders.ts';
import { BUD_ORDER_FIELDS, SCRUB_JOB_FIELDS } from '../../contract/screenFields.ts';
import { formatOrderNumber, ORDER_STATUSES, type OrderStatus, parseOrderNumber } from '../../domain/orders.ts';
import { api } from '../api/client.ts';
import { DataTable } from '../lists/DataTable.tsx';
import { ListBody, ListToolbar } from '../lists/ListToolbar.tsx';
import { type ListState, toListQuery, useListState, useRedirectToLastPage } from '../lists/listState.ts';
import { OrderNumberSearch } from '../lists/OrderNumberSearch.tsx';
import { Pagination } from '../lists/Pagination.tsx';
import { SortSelect } from '../lists/SortSelect.tsx';
import { StatusFilter } from '../lists/StatusFilter.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { labelOf } from '../ui/format.ts';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { RefreshButton } from '../ui/RefreshButton.tsx';
import { BUD_COLUMNS, type BudRow, SCRUB_COLUMNS, type ScrubRow } from './columns.tsx';
import { NoJobs } from './NoJobs.tsx';

type OrderRole = 'Bud' | 'Scrub';

const TEXTS = {
  Bud: { title: 'My Orders', line: 'All your orders.', failed: 'Unable To Get Orders' },
  Scrub: { title: 'My Jobs', line: 'All orders placed with you.', failed: 'Unable To Get Jobs' },
} as const satisfies Record<OrderRole, object>;

/** spec 2.7 and 2.8: a Bud's orders, or a Scrub's jobs. */
export function OrdersPage({ role }: { role: OrderRole }) {
  const list = useListState({ statuses: ORDER_STATUSES, sorts: ORDER_LIST.sorts, hasNumbers: true });
  const { state } = list;
  const orders = useBudOrders(state, role === 'Bud');
  const jobs = useScrubJobs(state, role === 'Scrub');
  const asked = role === 'Bud' ? orders : jobs;
  const found = asked.data?.data;
  const again = { onRetry: () => void asked.refetch(), isRetrying: asked.isFetching };
  useRedirectToLastPage(found, state.pageNumber, list.replacePage);
  const table = {
    label: TEXTS[role].title,
    sort: state.sort,
    onSort: list.setSort,
    empty: <NoOrders role={role} state={state} onShowAll={list.showAll} />,
    failure: asked.isError ? { title: TEXTS[role].failed, error: asked.error, ...again } : undefined,
    skeletonRows: 6,
  };
  return (
    <>
      <PageHeader title={TEXTS[role].title} subtitle={TEXTS[role].line}>
        <RefreshButton onRefresh={again.onRetry} isRefreshing={asked.isFetching} />
      </PageHeader>
      <ListToolbar>
        <OrderNumberSearch value={state.number} onChange={list.setNumber} />
        <StatusFilter statuses={ORDER_STATUSES} value={state.status} onChange={list.setStatus} />
        <SortSelect columns={role === 'Bud' ? BUD_COLUMNS : SCRUB_COLUMNS} sort={state.sort} onSort={list.setSort} />
      </ListToolbar>
      <ListBody isStale={asked.isPlaceholderData}>
        {role === 'Bud' ? (
          <BudTable {...table} rows={orders.data?.data.items} />
        ) : (
          <ScrubTable {...table} rows={jobs.data?.data.items} />
        )}
      </ListBody>
      <Pagination
        pageNumber={state.pageNumber}
        pageSize={PAGE_SIZE}
        totalCount={found?.totalCount ?? 0}
        onPageChange={list.setPage}
      />
    </>
  );
}

function useBudOrders(state: ListState<OrderStatus>, enabled: boolean) {
  const query = { ...toListQuery(state), fields: BUD_ORDER_FIELDS };
  return useQuery({
    queryKey: ['orders', 'list', 'Bud', query],
    queryFn: ({ signal }) => api.listOrders({ query }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
}

function useScrubJobs(state: ListState<OrderStatus>, enabled: boolean) {
  const query = { ...toListQuery(state), fields: SCRUB_JOB_FIELDS };
  return useQuery({
    queryKey: ['orders', 'list', 'Scrub', query],
    queryFn: ({ signal }) => api.listOrders({ query }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  });
}

type TableOf<Row> = Omit<Parameters<typeof DataTable<Row>>[0], 'columns' | 'rowKey' | 'detailsTo'>;

function BudTable(props: TableOf<BudRow>) {
  return (
    <DataTable
      {...props}
      columns={BUD_COLUMNS}
      rowKey={(order) => order.id}
      detailsTo={(order) => `/bud/orders/${order.id}`}
    />
  );
}

function ScrubTable(props: TableOf<ScrubRow>) {
  return (
    <DataTable
      {...props}
      columns={SCRUB_COLUMNS}
      rowKey={(job) => job.id}
      detailsTo={(job) => `/scrub/jobs/${job.id}`}
    />
  );
}

const NOTHING_FOUND: Record<OrderRole, (status: string) => string> = {
  Bud: (status) => `No ${status} orders found.`,
  Scrub: (status) => `No ${status} jobs found.`,
};

const NUMBER_NOT_FOUND: Record<OrderRole, (number: string) => string> = {
  Bud: (number) => `None of your orders has the number ${number}. Check the number, or look through the list.`,
  Scrub: (number) => `None of your jobs has the number ${number}. Check the number, or look through the list.`,
};

function describeNothingFound(role: OrderRole, { status, number }: ListState<OrderStatus>): string | undefined {
  const orderNumber = parseOrderNumber(number);
  if (orderNumber !== undefined && status === '') return NUMBER_NOT_FOUND[role](formatOrderNumber(orderNumber));
  if (status === '') return undefined;
  const found = NOTHING_FOUND[role](labelOf(status));
  return orderNumber === undefined ? found : `${found.slice(0, -1)} with the number ${formatOrderNumber(orderNumber)}.`;
}

type NoOrdersProps = { role: OrderRole; state: ListState<OrderStatus>; onShowAll: () => void };

function NoOrders({ role, state, onShowAll }: NoOrdersProps) {
  const nothingFound = describeNothingFound(role, state);
  if (nothingFound !== undefined)
    return (
      <EmptyState drawing="search" text={nothingFound}>
        <Button variant="default" onClick={onShowAll}>
          Show All
        </Button>
      </EmptyState>
    );
  if (role === 'Scrub') return <NoJobs />;
  return (
    <EmptyState text="No orders yet. Place your first order!">
      <Button component={Link} to="/bud/place-order" leftSection={<Icon name="plus" />}>
        Place New Order
      </Button>
    </EmptyState>
  );
}
