import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { DELIVERY_LIST } from '../../contract/deliveries.ts';
import { PAGE_SIZE } from '../../contract/lists.ts';
import { DELIVERY_LIST_FIELDS } from '../../contract/screenFields.ts';
import type { Role } from '../../domain/accounts.ts';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../domain/deliveries.ts';
import { DELIVERY_FLOW } from '../../domain/process/delivery.ts';
import { api } from '../api/client.ts';
import { DataTable } from '../lists/DataTable.tsx';
import { ListBody, ListToolbar } from '../lists/ListToolbar.tsx';
import { type ListState, toListQuery, useListState, useRedirectToLastPage } from '../lists/listState.ts';
import { Pagination } from '../lists/Pagination.tsx';
import { SortSelect } from '../lists/SortSelect.tsx';
import { StatusFilter } from '../lists/StatusFilter.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { labelOf } from '../ui/format.ts';
import { PageHeader } from '../ui/PageHeader.tsx';
import { RefreshButton } from '../ui/RefreshButton.tsx';
import { columnsFor } from './columns.tsx';
import { deliveryPath, orderLinks } from './paths.ts';

const TEXTS = {
  Bud: {
    line: 'All deliveries for your orders.',
    none: 'No deliveries yet.',
    way: { label: 'Place New Order', to: '/bud/place-order' },
  },
  Scrub: {
    line: 'All deliveries for your jobs.',
    none: 'No deliveries yet.',
    way: { label: 'View Jobs', to: '/scrub/jobs' },
  },
  Duber: {
    line: 'All deliveries you have accepted.',
    none: 'No recent deliveries available right now',
    way: { label: 'Find Deliveries', to: '/duber/dashboard' },
  },
} as const satisfies Record<Role, object>;

/** spec 2.7 to 2.9: the deliveries of a Bud's orders, of a Scrub's jobs, or of a Duber. */
export function DeliveriesPage({ role }: { role: Role }) {
  const list = useListState({ statuses: DELIVERY_STATUSES, sorts: DELIVERY_LIST.sorts });
  const { state } = list;
  const asked = useDeliveries(role, state);
  const found = asked.data?.data;
  const again = { onRetry: () => void asked.refetch(), isRetrying: asked.isFetching };
  const columns = columnsFor(role);
  const offered = useOfferedStatuses(role, state.status);
  useRedirectToLastPage(found, state.pageNumber, list.replacePage);
  return (
    <>
      <PageHeader title="My Deliveries" subtitle={TEXTS[role].line}>
        <RefreshButton onRefresh={again.onRetry} isRefreshing={asked.isFetching} />
      </PageHeader>
      <ListToolbar>
        <StatusFilter statuses={offered} value={state.status} onChange={list.setStatus} />
        <SortSelect columns={columns} sort={state.sort} onSort={list.setSort} />
      </ListToolbar>
      <ListBody isStale={asked.isPlaceholderData}>
        <DataTable
          label="My Deliveries"
          columns={columns}
          rows={found?.items}
          rowKey={(delivery) => delivery.id}
          detailsTo={(delivery) => deliveryPath(role, delivery.id)}
          links={(delivery) => orderLinks(role, delivery.orderId)}
          sort={state.sort}
          onSort={list.setSort}
          empty={<NoDeliveries role={role} status={state.status} onShowAll={list.showAll} />}
          failure={asked.isError ? { title: 'Unable To Get Deliveries', error: asked.error, ...again } : undefined}
        />
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

function useDeliveries(role: Role, state: ListState<DeliveryStatus>) {
  const query = { ...toListQuery(state), fields: DELIVERY_LIST_FIELDS };
  return useQuery({
    queryKey: ['deliveries', 'list', role, query],
    queryFn: ({ signal }) => api.listDeliveries({ query }, { signal }),
    placeholderData: keepPreviousData,
  });
}

// spec 4.2
const PLANNED_STATUSES: readonly DeliveryStatus[] = ['Pending', ...DELIVERY_FLOW.map(({ to }) => to)];
const OTHER_STATUSES = DELIVERY_STATUSES.filter((status) => !PLANNED_STATUSES.includes(status));

/** The statuses of the spec, then those of a delivery that does not go as planned, if the reader has one. */
function useOfferedStatuses(role: Role, chosen: DeliveryStatus | ''): readonly DeliveryStatus[] {
  const query = {
    filters: JSON.stringify([{ field: 'status', operator: 'in', value: OTHER_STATUSES }]),
    fields: ['status'],
    pageSize: '100',
  } as const;
  const { data } = useQuery({
    queryKey: ['deliveries', 'list', role, query],
    queryFn: ({ signal }) => api.listDeliveries({ query }, { signal }),
  });
  const found = data?.data.items.map(({ status }) => status) ?? [];
  return [...PLANNED_STATUSES, ...OTHER_STATUSES.filter((status) => status === chosen || found.includes(status))];
}

function NoDeliveries({ role, status, onShowAll }: { role: Role; status: DeliveryStatus | ''; onShowAll: () => void }) {
  const { none, way } = TEXTS[role];
  return (
    <EmptyState drawing={status ? 'search' : 'road'} text={status ? `No ${labelOf(status)} deliveries found.` : none}>
      {status ? (
        <Button variant="default" onClick={onShowAll}>
          Show All
        </Button>
      ) : (
        <Button component={Link} to={way.to}>
          {way.label}
        </Button>
      )}
    </EmptyState>
  );
}
