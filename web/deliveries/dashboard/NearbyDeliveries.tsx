import { Button } from '@mantine/core';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { FIRST_OFFERS } from '../../../contract/screenFields.ts';
import type { HeldBy } from '../../../domain/restrictions.ts';
import { useConfig } from '../../api/config.ts';
import { currentTime } from '../../clock.ts';
import { useFocusMainOnUnmount } from '../../hooks/focusMain.ts';
import { DataTable } from '../../lists/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { RefreshButton } from '../../ui/RefreshButton.tsx';
import { SectionHeader } from '../../ui/SectionHeader.tsx';
import { toast } from '../../ui/toast.tsx';
import {
  DUBER_DASHBOARD_KEY,
  type Offer,
  readSearchCenter,
  type DuberDashboardData as Shown,
  searchNearby,
} from '../dashboardQuery.ts';
import { OfferCard } from '../offers/OfferCard.tsx';
import { OffersMap } from '../offers/OffersMap.tsx';
import { deliveryPath } from '../paths.ts';
import { groupOffers } from '../windows.ts';
import { AroundMe } from './AroundMe.tsx';
import styles from './NearbyDeliveries.module.css';

export type RetryProps = { readonly onRetry: () => void; readonly isRetrying: boolean };

export const LOAD_FAILED_TITLE = 'Unable To Get Deliveries';

/** Why a Duber is offered nothing, however often they search. */
const HELD_TEXTS: Record<HeldBy, string> = {
  documents: 'You get no deliveries now: your documents are not accepted.',
  town: 'You get no new deliveries now. Our email to you says why, and how to answer.',
};

const NEARBY_TITLE = 'Deliveries – Waiting For You';

type NearbyDeliveriesProps = {
  found: readonly Offer[] | undefined;
  carried: Shown['carriedDeliveries'];
  around: Shown['around'] | undefined;
  heldBy: Shown['heldBy'];
  hasAll: boolean;
  failure: ({ title: string; error: unknown } & RetryProps) | undefined;
};

/** The pending deliveries around the Duber, with their own refresh: those for a window first, then the nearest ones, and all when the Duber asks for them. */
export function NearbyDeliveries({ found, carried = [], around, heldBy, hasAll, failure }: NearbyDeliveriesProps) {
  const cache = useQueryClient();
  const from = readSearchCenter(around);
  const { timeZone = 'UTC' } = useConfig() ?? {};
  const { groups, forNow } = groupOffers(found ?? [], timeZone, currentTime());
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
      {found &&
        groups.map(({ name, offers }) => (
          <section key={name} className={styles.group} aria-label={name}>
            <h3 className={styles.name}>
              {name} <span className="quiet">· {offers.length} nearby</span>
            </h3>
            <OfferList label={name} offers={offers} {...{ found, carried }} />
          </section>
        ))}
      {groups.length > 0 && forNow.length > 0 && <h3 className={styles.name}>As soon as possible</h3>}
      {(groups.length === 0 || forNow.length > 0) && (
        <OfferList
          label={NEARBY_TITLE}
          offers={found && forNow}
          found={found ?? []}
          carried={carried}
          failure={failure}
          empty={
            <EmptyState drawing="pin" text="No new deliveries available at the moment">
              {!heldBy && (
                <Button variant="default" onClick={() => search.mutate(hasAll)} aria-busy={search.isPending}>
                  Search Again
                </Button>
              )}
            </EmptyState>
          }
        />
      )}
      {found && found.length >= FIRST_OFFERS && !hasAll && (
        <ShowAll onShowAll={() => search.mutate(true)} isPending={search.isPending} />
      )}
    </section>
  );
}

type OfferListProps = {
  label: string;
  offers: readonly Offer[] | undefined;
  /** All of them: their numbers on the map. */
  found: readonly Offer[];
  carried: NonNullable<Shown['carriedDeliveries']>;
  failure?: NearbyDeliveriesProps['failure'];
  empty?: ReactNode;
};

function OfferList({ label, offers, found, carried, failure, empty }: OfferListProps) {
  return (
    <DataTable
      label={label}
      columns={[]}
      rows={offers}
      rowKey={({ delivery }) => delivery.id}
      detailsTo={({ delivery }) => deliveryPath('Duber', delivery.id)}
      card={(offer, detailsLink) => (
        <OfferCard
          offer={offer}
          number={found.indexOf(offer) + 1}
          side={carried.some(({ id }) => id === offer.delivery.id) ? 'sender' : 'recipient'}
        >
          {detailsLink}
        </OfferCard>
      )}
      empty={empty}
      failure={failure}
    />
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
