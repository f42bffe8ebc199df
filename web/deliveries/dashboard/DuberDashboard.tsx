import { Button } from '@mantine/core';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { FIRST_OFFERS } from '../../../contract/screenFields.ts';
import type { HeldBy } from '../../../domain/restrictions.ts';
import { LazyDocuments } from '../../documents/LazyDocuments.tsx';
import { useLocationAnswer } from '../../firstSteps/deviceAnswers.ts';
import { FirstSteps } from '../../firstSteps/FirstSteps.tsx';
import { createRelayRefetch, relaySenderText } from '../../handovers/relay.ts';
import { useFocusMainOnUnmount } from '../../hooks/focusMain.ts';
import { DataTable } from '../../lists/DataTable.tsx';
import { useUser } from '../../session/session.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { firstNameOf, formatKm, formatMoney } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RefreshButton } from '../../ui/RefreshButton.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { StatCard, StatRow } from '../../ui/StatCard.tsx';
import { toast } from '../../ui/toast.tsx';
import { columnsFor, type DeliveryRow } from '../columns.tsx';
import {
  DUBER_DASHBOARD_KEY,
  type DuberDashboardData,
  fetchDashboard,
  readSearchCenter,
  type DuberDashboardData as Shown,
  searchNearby,
} from '../dashboardQuery.ts';
import { OfferCard } from '../offers/OfferCard.tsx';
import { OffersMap } from '../offers/OffersMap.tsx';
import { deliveryPath } from '../paths.ts';
import problems from '../problems/DeliveryProblems.module.css';
import { QueuedSteps } from '../queuedSteps/QueuedSteps.tsx';
import { ActiveDelivery } from './ActiveDelivery.tsx';
import { AroundMe, searchAroundPhone } from './AroundMe.tsx';

type RetryProps = { readonly onRetry: () => void; readonly isRetrying: boolean };

const LOAD_FAILED_TITLE = 'Unable To Get Deliveries';
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
  const failure = asked.isError ? { title: LOAD_FAILED_TITLE, error: asked.error, ...again } : undefined;
  return (
    <>
      <PageHeader title={`Hey there, ${firstNameOf(user.fullname)}!`} subtitle="Ready to make some deliveries?">
        <RefreshButton onRefresh={again.onRetry} isRefreshing={asked.isFetching} />
      </PageHeader>
      <QueuedSteps />
      <LazyDocuments place="dashboard" />
      <CarriedDeliveries deliveries={data?.carriedDeliveries} />
      {data?.activeDelivery ? (
        <ActiveDelivery delivery={data.activeDelivery} isNew={isStillOffered(data)} />
      ) : (
        <NearbyDeliveries
          found={data?.pendingDeliveries}
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

/** Why a Duber is offered nothing, however often they search. */
const HELD_TEXTS: Record<HeldBy, string> = {
  documents: 'You get no deliveries now: your documents are not accepted.',
  town: 'You get no new deliveries now. Our email to you says why, and how to answer.',
};

const NEARBY_TITLE = 'Deliveries – Waiting For You';

type NearbyDeliveriesProps = {
  found: Shown['pendingDeliveries'] | undefined;
  carried: Shown['carriedDeliveries'];
  around: Shown['around'] | undefined;
  heldBy: Shown['heldBy'];
  hasAll: boolean;
  failure: ({ title: string; error: unknown } & RetryProps) | undefined;
};

/** The pending deliveries around the Duber, with their own refresh: the nearest ones, and all when the Duber asks for them. */
function NearbyDeliveries({ found, carried = [], around, heldBy, hasAll, failure }: NearbyDeliveriesProps) {
  const cache = useQueryClient();
  const from = readSearchCenter(around);
  const search = useMutation({
    mutationFn: (all: boolean) => refreshNearby(cache, all),
    onError: (error) => toast.error(LOAD_FAILED_TITLE, { description: errorMessageOf(error, 'Something went wrong') }),
  });
  return (
    <section style={{ marginBottom: 32 }}>
      <SectionHeader title={NEARBY_TITLE}>
        <RefreshButton onRefresh={() => search.mutate(hasAll)} isRefreshing={search.isPending} />
      </SectionHeader>
      {heldBy ? <p className="quiet">{HELD_TEXTS[heldBy]}</p> : <AroundMe around={around} />}
      {(found || !failure) && <OffersMap offers={found} from={from} />}
      <DataTable
        label={NEARBY_TITLE}
        columns={[]}
        rows={found}
        rowKey={({ delivery }) => delivery.id}
        detailsTo={({ delivery }) => detailsPath(delivery)}
        card={(offer, detailsLink) => (
          <OfferCard
            offer={offer}
            number={(found ?? []).indexOf(offer) + 1}
            side={carried.some(({ id }) => id === offer.delivery.id) ? 'sender' : 'recipient'}
          >
            {detailsLink}
          </OfferCard>
        )}
        empty={
          <EmptyState drawing="pin" text="No new deliveries available at the moment">
            {!heldBy && (
              <Button variant="default" onClick={() => search.mutate(hasAll)} aria-busy={search.isPending}>
                Search Again
              </Button>
            )}
          </EmptyState>
        }
        failure={failure}
      />
      {found && found.length >= FIRST_OFFERS && !hasAll && (
        <ShowAll onShowAll={() => search.mutate(true)} isPending={search.isPending} />
      )}
    </section>
  );
}

function ShowAll({ onShowAll, isPending }: { onShowAll: () => void; isPending: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusMainOnUnmount(button);
  return (
    <Button ref={button} variant="default" mt="md" onClick={onShowAll} aria-busy={isPending}>
      Show All Deliveries
    </Button>
  );
}

/** Searches again and updates the dashboard. */
async function refreshNearby(cache: QueryClient, hasAll: boolean): Promise<void> {
  const found = await searchNearby(hasAll);
  if (!found) return cache.invalidateQueries({ queryKey: DUBER_DASHBOARD_KEY });
  cache.setQueryData<Shown>(DUBER_DASHBOARD_KEY, (shown) => shown && { ...shown, ...found });
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
