import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { currentTime } from '../../clock.ts';
import { LazyDocuments } from '../../documents/LazyDocuments.tsx';
import { useLocationAnswer } from '../../firstSteps/deviceAnswers.ts';
import { FirstSteps } from '../../firstSteps/FirstSteps.tsx';
import { createRelayRefetch, relaySenderText } from '../../handovers/relay.ts';
import { DataTable } from '../../lists/DataTable.tsx';
import { useUser } from '../../session/session.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { firstNameOf, formatKm, formatMoney } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RefreshButton } from '../../ui/RefreshButton.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { StatCard, StatRow } from '../../ui/StatCard.tsx';
import { columnsFor, type DeliveryRow } from '../columns.tsx';
import {
  DUBER_DASHBOARD_KEY,
  type DuberDashboardData,
  fetchDashboard,
  offersToAccept,
  type DuberDashboardData as Shown,
} from '../dashboardQuery.ts';
import { deliveryPath } from '../paths.ts';
import problems from '../problems/DeliveryProblems.module.css';
import { QueuedSteps } from '../queuedSteps/QueuedSteps.tsx';
import { ActiveDelivery } from './ActiveDelivery.tsx';
import { AheadDeliveries } from './AheadDeliveries.tsx';
import { searchAroundPhone } from './AroundMe.tsx';
import { LOAD_FAILED_TITLE, NearbyDeliveries, type RetryProps } from './NearbyDeliveries.tsx';

const COLUMNS = columnsFor('Duber');
const detailsPath = (delivery: DeliveryRow) => deliveryPath('Duber', delivery.id);

/** spec 2.9: the active delivery or the pending ones nearby, then four figures and the latest deliveries. */
export function DuberDashboard() {
  const user = useUser();
  const [refetchInterval] = useState(createRelayRefetch);
  const asked = useQuery({
    queryKey: DUBER_DASHBOARD_KEY,
    queryFn: ({ signal }) => fetchDashboard(signal),
    refetchInterval,
  });
  const { data } = asked;
  const again: RetryProps = { onRetry: () => void asked.refetch(), isRetrying: asked.isFetching };
  const isBusy = Boolean(data?.activeDelivery);
  const offers = data && offersToAccept(data, currentTime());
  const failure = asked.isError ? { title: LOAD_FAILED_TITLE, error: asked.error, ...again } : undefined;
  return (
    <>
      <PageHeader title={`Hey there, ${firstNameOf(user.fullname)}!`} subtitle="Ready to make some deliveries?">
        <RefreshButton onRefresh={again.onRetry} isRefreshing={asked.isFetching} />
      </PageHeader>
      <QueuedSteps />
      <LazyDocuments place="dashboard" />
      <CarriedDeliveries deliveries={data?.carriedDeliveries} />
      {data?.activeDelivery && <ActiveDelivery delivery={data.activeDelivery} isNew={isStillOffered(data)} />}
      <AheadDeliveries deliveries={data?.aheadDeliveries} isBusy={isBusy} />
      {/* Under way, nobody looks for work, except for what they can accept ahead. */}
      {(!isBusy || offers?.length !== 0) && (
        <NearbyDeliveries
          found={offers}
          carried={data?.carriedDeliveries}
          around={data?.around}
          heldBy={data?.heldBy}
          hasAll={data?.hasAll ?? false}
          failure={failure}
        />
      )}
      <DashboardStats stats={data?.stats} isFailed={asked.isError} />
      {data && <DuberFirstSteps stats={data.stats} />}
      {/* One request shows one error, above. */}
      {(data || !failure) && (
        <section>
          <SectionHeader title="Recent Deliveries" />
          <DataTable
            label="Recent Deliveries"
            columns={COLUMNS}
            rows={data?.latestDeliveries}
            rowKey={(delivery) => delivery.id}
            detailsTo={detailsPath}
            empty={
              <EmptyState drawing="door" text="No recent deliveries available right now">
                <Button component={Link} to="/faq" variant="default">
                  How Deliveries Work
                </Button>
              </EmptyState>
            }
          />
        </section>
      )}
    </>
  );
}

/** Between an accepted offer and the next answer of the server, the delivery is both. */
const isStillOffered = ({ activeDelivery, pendingDeliveries }: Shown) =>
  pendingDeliveries.some(({ delivery }) => delivery.id === activeDelivery?.id);

/** What the Duber has earned and done so far. */
function DashboardStats({ stats, isFailed }: { stats: Shown['stats'] | undefined; isFailed: boolean }) {
  return (
    <StatRow isFailed={isFailed}>
      <StatCard label="Earnings" to="/duber/earnings" icon="money" value={stats && formatMoney(stats.totalEarning)} />
      <StatCard label="Total Deliveries" icon="truck" value={stats?.totalDeliveries} />
      <StatCard label="Delivered" icon="check" value={stats?.totalDelivered} />
      <StatCard label="Distance Traveled" icon="road" value={stats && formatKm(stats.totalDistanceTraveled)} />
    </StatRow>
  );
}

/** Laundry that a Duber could not go on with, and keeps until the next one collects it. */
function CarriedDeliveries({ deliveries }: { deliveries: DuberDashboardData['carriedDeliveries'] }) {
  return deliveries?.map((delivery) => {
    const { title, text } = relaySenderText(delivery);
    return (
      <section
        key={delivery.id}
        className={`${problems.news} ${problems.onDashboard}`}
        aria-label="You have the laundry"
      >
        <h2>{title}</h2>
        <p>{text}</p>
        <Button
          component={Link}
          to={deliveryPath('Duber', delivery.id)}
          variant="default"
          rightSection={<Icon name="arrow" />}
          className={problems.choice ?? ''}
        >
          View Delivery
        </Button>
      </section>
    );
  });
}

/** A new Duber's first steps; the location is allowed right here. */
function DuberFirstSteps({ stats }: Pick<DuberDashboardData, 'stats'>) {
  const cache = useQueryClient();
  const location = useLocationAnswer();
  if (!location) return null;
  return (
    <FirstSteps
      facts={{ role: 'Duber', location, deliveries: stats.totalDeliveries, delivered: stats.totalDelivered }}
      actions={{ location: () => void searchAroundPhone(cache) }}
    />
  );
}
