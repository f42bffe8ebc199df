import { Button, NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { startOfLocalDay } from '../../../domain/localDays.ts';
import { insideSentence, nameOfDay } from '../../../texts/windows.ts';
import { useConfig } from '../../api/config.ts';
import { currentTime } from '../../clock.ts';
import { useOffline } from '../../hooks/useOffline.ts';
import { useDistance } from '../../places/useDistance.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PersonName } from '../../ui/PersonName.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { type ChangeDraft, type OrderDraft, removeUnavailable } from './orderDraft.ts';
import styles from './ScrubStep.module.css';
import { SCRUB_SORTS, type ScrubSort, sortScrubs } from './sortScrubs.ts';
import { useFailureToast } from './useFailureToast.ts';
import { chooseScrub, type FoundScrub, useNearbyScrubs } from './useNearbyScrubs.ts';

/** Step 2: a Scrub near the address. Opening the step starts the search (spec 4.4). */
export function ScrubStep({ draft, change, addressId }: { draft: OrderDraft; change: ChangeDraft; addressId: string }) {
  const asked = useNearbyScrubs(addressId, draft.times);
  useFailureToast(asked.error, 'Failed To Find Scrubs');
  const found = asked.data;
  const isOffline = useOffline();
  useEffect(() => {
    if (found) change((before) => removeUnavailable(before, { scrubIds: found.map(({ scrub }) => scrub.id) }));
  }, [found, change]);

  if (found === undefined && asked.isError)
    return (
      <QueryError
        query={asked}
        level={3}
        title={isOffline ? 'You are offline' : 'We could not search for Scrubs'}
        text={isOffline ? 'We will search again when you are back online.' : 'Your choices are saved.'}
      />
    );
  if (found === undefined) return <ScrubSearchSkeleton />;
  if (found.length === 0)
    return (
      <EmptyState
        drawing="line"
        text={asked.isFetching ? 'Finding scrubs near you' : 'Sorry, no scrubs available at this time'}
      >
        <Button variant="light" loading={asked.isFetching} onClick={() => void asked.refetch()}>
          Search Again
        </Button>
      </EmptyState>
    );
  return <ScrubChoices found={found} draft={draft} change={change} />;
}

type ScrubChoicesProps = { found: readonly FoundScrub[]; draft: OrderDraft; change: ChangeDraft };

function ScrubChoices({ found, draft, change }: ScrubChoicesProps) {
  const [sort, setSort] = useState<ScrubSort>('distance');
  return (
    <>
      {found.length > 1 && (
        <NativeSelect
          className={styles.sort}
          label="Sort by"
          data={SCRUB_SORTS}
          value={sort}
          onChange={(event) => setSort(event.currentTarget.value as ScrubSort)}
        />
      )}
      <ChoiceGroup legend="Who should do your laundry?">
        {sortScrubs(found, sort).map((near) => (
          <ScrubChoice key={near.scrub.id} near={near} draft={draft} change={change} />
        ))}
      </ChoiceGroup>
    </>
  );
}

type ScrubChoiceProps = { near: FoundScrub; draft: OrderDraft; change: ChangeDraft };

function ScrubChoice({ near, draft, change }: ScrubChoiceProps) {
  const { scrub, distanceMeters, address } = near;
  const format = useDistance();
  return (
    <Choice
      type="radio"
      group="scrub"
      name={<PersonName name={scrub.fullname} />}
      checked={draft.scrub?.id === scrub.id}
      onChoose={() => change(chooseScrub(near))}
      picture={<Avatar name={scrub.fullname} />}
      aside={`${format(distanceMeters)} away`}
    >
      <span>{address.address}</span>
      <ScrubRating near={near} />
      <FreePounds free={near.free} />
    </Choice>
  );
}

/** 'Free tomorrow, 26 lb left', of a Scrub with a limit. */
function FreePounds({ free }: { free: FoundScrub['free'] }) {
  const { timeZone = 'UTC' } = useConfig() ?? {};
  if (!free) return null;
  const day = nameOfDay(startOfLocalDay(free.day, timeZone), timeZone, currentTime());
  return <span>{`Free ${insideSentence(day)}, ${free.pounds} lb left`}</span>;
}

/** '4.5 · 12 reviews'. */
function ScrubRating({ near: { rating, ratingCount = 0 } }: { near: FoundScrub }) {
  if (ratingCount === 0) return <span>No reviews yet</span>;
  return (
    <span className={styles.rating}>
      <Icon name="star" size={16} className={styles.star} />
      <span className="sr-only">Rated </span>
      <strong>{rating.toFixed(1)}</strong> · {ratingCount} {ratingCount === 1 ? 'review' : 'reviews'}
    </span>
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
