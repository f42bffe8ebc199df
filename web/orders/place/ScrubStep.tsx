import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WithFields } from '../../../contract/answerFields.ts';
import type { NearbyScrub } from '../../../contract/places.ts';
import { NEARBY_SCRUB_FIELDS } from '../../../contract/screenFields.ts';
import { NEARBY_RADIUS_M } from '../../../domain/places.ts';
import { api } from '../../api.ts';
import { useOffline } from '../../offline/useOffline.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { formatKm } from '../../ui/format.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Stars } from '../../ui/Stars.tsx';
import { Choice, ChoiceGroup } from './Choice.tsx';
import { type ChangeDraft, type OrderDraft, removeUnavailable } from './orderDraft.ts';
import styles from './ScrubStep.module.css';
import { useFailureToast } from './useFailureToast.ts';

function useNearbyScrubs(addressId: string) {
  const query = { addressId, maxDistanceMeters: String(NEARBY_RADIUS_M), fields: NEARBY_SCRUB_FIELDS };
  const asked = useQuery({
    queryKey: ['scrubs-nearby', query],
    queryFn: ({ signal }) => api.findScrubsNearby({ query }, { signal }),
    // Coming back to the step searches again: a Scrub may have become invisible.
    refetchOnMount: 'always',
    refetchOnReconnect: true,
  });
  useFailureToast(asked.error, 'Failed To Find Scrubs');
  return asked;
}

/** Step 2: a Scrub near the address. Opening the step starts the search (spec 4.4). */
export function ScrubStep({ draft, change, addressId }: { draft: OrderDraft; change: ChangeDraft; addressId: string }) {
  const asked = useNearbyScrubs(addressId);
  const found = asked.data;
  const isOffline = useOffline();
  useEffect(() => {
    if (found) change((before) => removeUnavailable(before, { scrubIds: found.map(({ scrub }) => scrub.id) }));
  }, [found, change]);

  if (found === undefined && asked.isError)
    return (
      <ErrorState
        level={3}
        title={isOffline ? 'You are offline' : 'We could not search for Scrubs'}
        text={isOffline ? 'We will search again when you are back online.' : 'Your choices are saved.'}
        error={asked.error}
        onRetry={() => void asked.refetch()}
        isRetrying={asked.isFetching}
      />
    );
  if (found === undefined) return <ScrubSearchSkeleton />;
  if (found.length === 0)
    return (
      <EmptyState text="Sorry, no scrubs available at this time">
        <Button variant="light" loading={asked.isFetching} onClick={() => void asked.refetch()}>
          Search Again
        </Button>
      </EmptyState>
    );
  return (
    <ChoiceGroup legend="Who should do your laundry? Nearest first.">
      {found.map((near) => (
        <ScrubChoice key={near.scrub.id} near={near} draft={draft} change={change} />
      ))}
    </ChoiceGroup>
  );
}

type FoundScrub = WithFields<NearbyScrub, (typeof NEARBY_SCRUB_FIELDS)[number]>;

function ScrubChoice({ near, draft, change }: { near: FoundScrub; draft: OrderDraft; change: ChangeDraft }) {
  const { scrub, distanceMeters, address, rating } = near;
  const choose = () => change((before) => ({ ...before, scrub: { ...scrub, distanceMeters } }));
  return (
    <Choice
      type="radio"
      group="scrub"
      name={scrub.fullname}
      checked={draft.scrub?.id === scrub.id}
      onChoose={choose}
      aside={`${formatKm(distanceMeters)} away`}
    >
      <span>{address.address}</span>
      <span className={styles.rating}>{rating > 0 ? <Stars rating={rating} size={16} /> : 'No reviews yet'}</span>
    </Choice>
  );
}

function ScrubSearchSkeleton() {
  return (
    <div role="status" className={styles.searching}>
      <p>Finding scrubs near you</p>
      {[0, 1, 2].map((line) => (
        <div key={line} className={styles.bone}>
          <Skeleton width="40%" height={18} />
          <Skeleton width="65%" />
        </div>
      ))}
    </div>
  );
}
