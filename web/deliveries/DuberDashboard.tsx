import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NearbyDelivery } from '../../contract/deliveries.ts';
import { useUser } from '../accounts/session.ts';
import { DataTable } from '../lists/DataTable.tsx';
import { Empty } from '../ui/EmptyState.tsx';
import { messageOf } from '../ui/errorMessage.ts';
import { formatKm, formatMoney } from '../ui/format.ts';
import { PageHead } from '../ui/PageHeader.tsx';
import { RefreshButton } from '../ui/RefreshButton.tsx';
import { SectionHead } from '../ui/SectionHeader.tsx';
import { StatCard, StatRow } from '../ui/StatCard.tsx';
import { toast } from '../ui/toast.tsx';
import { ActiveDelivery } from './ActiveDelivery.tsx';
import { AroundMe } from './AroundMe.tsx';
import { columnsFor, type DeliveryRow } from './columns.tsx';
import { askDashboard, DUBER_DASHBOARD, type DuberDashboard as Shown, searchAnew } from './dashboardQuery.ts';
import { deliveryPath } from './paths.ts';
import { WaitingSteps } from './queuedSteps/QueuedSteps.tsx';

type Again = { readonly onRetry: () => void; readonly isRetrying: boolean };

const FAILED = 'Unable To Get Deliveries';
const COLUMNS = columnsFor('Duber');
const toDetails = (delivery: DeliveryRow) => deliveryPath('Duber', delivery.id);

/** spec 2.9: four figures, then the active delivery or those that wait nearby, then the latest. */
export function DuberDashboard() {
  const user = useUser();
  const asked = useQuery({ queryKey: DUBER_DASHBOARD, queryFn: ({ signal }) => askDashboard(signal) });
  const { data } = asked;
  const again: Again = { onRetry: () => void asked.refetch(), isRetrying: asked.isFetching };
  const failure = asked.isError ? { title: FAILED, error: asked.error, ...again } : undefined;
  return (
    <>
      <PageHead title={`Hey there, ${user.fullname}!`} line="Ready to make some deliveries?">
        <RefreshButton onRefresh={again.onRetry} isRefreshing={asked.isFetching} />
      </PageHead>
      <WaitingSteps />
      <Figures stats={data?.stats} isFailed={asked.isError} />
      {data?.activeDelivery ? (
        <ActiveDelivery delivery={data.activeDelivery} />
      ) : (
        <Waiting found={data?.pendingDeliveries} around={data?.around} failure={failure} />
      )}
      <section>
        <SectionHead title="Recent Deliveries" />
        <DataTable
          label="Recent Deliveries"
          columns={COLUMNS}
          rows={data?.latestDeliveries}
          rowKey={(delivery) => delivery.id}
          detailsTo={toDetails}
          empty={<Empty drawing="road" text="No recent deliveries available right now" />}
          // One failure is enough for one call.
          failure={data ? undefined : failure}
        />
      </section>
    </>
  );
}

/** What the Duber has earned and done so far. */
function Figures({ stats, isFailed }: { stats: Shown['stats'] | undefined; isFailed: boolean }) {
  return (
    <StatRow isFailed={isFailed}>
      <StatCard label="Earnings" to="/duber/earnings" icon="money" value={stats && formatMoney(stats.totalEarning)} />
      <StatCard label="Total Deliveries" icon="truck" value={stats?.totalDeliveries} />
      <StatCard label="Delivered" icon="check" value={stats?.totalDelivered} />
      <StatCard label="Distance Traveled" icon="road" value={stats && formatKm(stats.totalDistanceTraveled)} />
    </StatRow>
  );
}

const TITLE = 'Deliveries – Waiting For You';

/** The pending deliveries around the Duber, refreshed by themselves. */
function Waiting({
  found,
  around,
  failure,
}: {
  found: readonly NearbyDelivery[] | undefined;
  around: Shown['around'] | undefined;
  failure: ({ title: string; error: unknown } & Again) | undefined;
}) {
  const cache = useQueryClient();
  const search = useMutation({
    mutationFn: () => refreshNearby(cache),
    onError: (error) => toast.error(FAILED, { description: messageOf(error, 'Something went wrong') }),
  });
  return (
    <section style={{ marginBottom: 32 }}>
      <SectionHead title={TITLE}>
        <RefreshButton onRefresh={() => search.mutate()} isRefreshing={search.isPending} />
      </SectionHead>
      <AroundMe around={around} />
      <DataTable
        label={TITLE}
        columns={COLUMNS}
        rows={found?.map(toRow)}
        rowKey={(delivery) => delivery.id}
        detailsTo={toDetails}
        empty={<Empty drawing="road" text="No new deliveries available at the moment" />}
        failure={failure}
      />
    </section>
  );
}

function toRow({ delivery, distanceMeters }: NearbyDelivery): DeliveryRow {
  return { ...delivery, away: distanceMeters };
}

/** Searches anew and puts what it finds on the dashboard. */
async function refreshNearby(cache: QueryClient): Promise<void> {
  const found = await searchAnew();
  if (!found) return cache.invalidateQueries({ queryKey: DUBER_DASHBOARD });
  cache.setQueryData<Shown>(DUBER_DASHBOARD, (shown) => shown && { ...shown, ...found });
}
