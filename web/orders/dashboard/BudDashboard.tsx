import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { FirstSteps } from '../../firstSteps/FirstSteps.tsx';
import { DataTable } from '../../lists/DataTable.tsx';
import { useUser } from '../../session/session.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { firstNameOf, formatMoney } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RefreshButton } from '../../ui/RefreshButton.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { StatCard, StatRow } from '../../ui/StatCard.tsx';
import { BUD_COLUMNS } from '../columns.tsx';
import { LiveOrderSlot } from '../live/LiveOrderSlot.tsx';
import { PauseNotice } from '../PauseNotice.tsx';
import { BUD_DASHBOARD_QUERY } from '../queries.ts';

/** spec 2.7: the greeting, four figures, the latest orders, and a link to a new one; above them an order under way. */
export function BudDashboard() {
  const user = useUser();
  const asked = useQuery(BUD_DASHBOARD_QUERY);
  const figures = asked.data;
  const again = { onRetry: () => void asked.refetch(), isRetrying: asked.isFetching };
  const firstSteps = figures && (
    <FirstSteps
      facts={{
        role: 'Bud',
        orders: figures.totalScrubOrders,
        completed: figures.totalCompletedScrubOrders,
      }}
    />
  );
  const hasOrders = figures !== undefined && figures.totalScrubOrders > 0;
  return (
    <>
      <PageHeader
        title={`Welcome, ${firstNameOf(user.fullname)}!`}
        subtitle="Fresh laundry, picked up and brought back."
      >
        <Button component={Link} to="/bud/place-order" leftSection={<Icon name="plus" />}>
          Place New Order
        </Button>
      </PageHeader>
      <PauseNotice />
      {(figures || !asked.isError) && <LiveOrderSlot orders={figures && (figures.openOrders ?? [])} />}
      {!hasOrders && firstSteps}
      <StatRow isFailed={asked.isError}>
        <StatCard label="Total Orders" icon="list" value={figures?.totalScrubOrders} />
        <StatCard label="Total Spent" icon="money" value={figures && formatMoney(figures.totalSpent)} />
        <StatCard label="Active Orders" icon="clock" value={figures?.totalActiveScrubOrders} />
        <StatCard label="Completed" icon="check" value={figures?.totalCompletedScrubOrders} />
      </StatRow>
      <SectionHeader title="Latest Orders">
        <RefreshButton onRefresh={again.onRetry} isRefreshing={asked.isFetching} />
      </SectionHeader>
      <DataTable
        label="Latest Orders"
        columns={BUD_COLUMNS}
        rows={figures?.latestScrubOrders}
        rowKey={(order) => order.id}
        detailsTo={(order) => `/bud/orders/${order.id}`}
        empty={
          <EmptyState text="No orders yet. Place your first order!">
            <Button component={Link} to="/bud/place-order" variant="default">
              Place New Order
            </Button>
          </EmptyState>
        }
        failure={asked.isError ? { title: 'Unable To Get Orders', error: asked.error, ...again } : undefined}
      />
      {hasOrders && firstSteps}
    </>
  );
}
