import { Button, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useSearchParams } from 'react-router';
import type { PersonRow } from '../../../contract/operator/people.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { formatDateInText } from '../../ui/format.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { operatorApi } from '../operatorApi.ts';
import { PageButtons } from '../PageButtons.tsx';
import styles from './people.module.css';
import { STATE_TEXTS } from './peopleTexts.ts';

const CHIPS = [
  { name: 'all', label: 'All', query: {} },
  { name: 'buds', label: 'Buds', query: { role: 'Bud' } },
  { name: 'scrubs', label: 'Scrubs', query: { role: 'Scrub' } },
  { name: 'dubers', label: 'Dubers', query: { role: 'Duber' } },
  { name: 'suspended', label: 'Suspended', query: { state: 'suspended' } },
  { name: 'held', label: 'On Hold', query: { state: 'held' } },
] as const;

const COLUMNS: readonly Column<PersonRow>[] = [
  { header: 'Name', cardSlot: 'name', cell: ({ fullname }) => fullname },
  { header: 'Role', cell: ({ role }) => role },
  { header: 'State', cardSlot: 'status', cell: ({ state }) => <StateBadge state={state} /> },
  {
    header: 'Rating',
    cell: ({ rating, ratingCount }) => (rating === null ? '–' : `${rating} of 5 (${ratingCount})`),
  },
  {
    header: 'Since',
    cardSlot: 'date',
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateInText(createdAt)}</time>,
  },
];

const STATE_COLORS = { active: 'completed', suspended: 'cancelled', held: 'pending' } as const;

export const StateBadge = ({ state }: Pick<PersonRow, 'state'>) => (
  <Badge color={STATE_COLORS[state]}>{STATE_TEXTS[state]}</Badge>
);

/** Everybody of the marketplace, newest first. */
export function PeoplePage() {
  const { chip, words, page, change } = usePeopleFilter();
  const q = useDeferredValue(words.trim());
  const people = useQuery({
    queryKey: ['people', chip.name, q, page],
    queryFn: () => operatorApi.listPeople({ query: { ...chip.query, ...(q ? { q } : {}), page: String(page) } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title="People" subtitle="Who uses the marketplace" />
      <div className={styles.filters}>
        <TextInput
          className={styles.search}
          label="Find"
          placeholder="The beginning of a name, or a whole email"
          value={words}
          maxLength={100}
          onChange={(event) => change({ q: event.currentTarget.value })}
        />
        <ChipButtons chosen={chip.name} onChoose={(show) => change({ show })} />
      </div>
      <DataTable
        label="People"
        columns={COLUMNS}
        rows={people.data?.items}
        rowKey={({ id }) => id}
        detailsTo={({ id }) => `/operator/people/${id}`}
        empty={<EmptyState drawing="search" text="Nobody is found" />}
        failure={
          people.isError
            ? { title: 'The people did not load', error: people.error, onRetry: () => void people.refetch() }
            : undefined
        }
      />
      <PageButtons page={page} hasMore={people.data?.hasMore} onPage={(next) => change({ page: next })} />
    </>
  );
}

/** What is looked for stays in the address. A change begins at the first page again. */
function usePeopleFilter() {
  const [params, setParams] = useSearchParams();
  const [words, page] = [params.get('q') ?? '', Math.max(1, Number(params.get('page')) || 1)];
  const chip = CHIPS.find(({ name }) => name === params.get('show')) ?? CHIPS[0];
  const change = (next: { show?: string; q?: string; page?: number }) => {
    const all = { show: chip.name, q: words, page: 1, ...next };
    const kept = Object.entries(all).filter(([, value]) => value !== '' && value !== 'all' && value !== 1);
    setParams(Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), { replace: true });
  };
  return { chip, words, page, change };
}

function ChipButtons({ chosen, onChoose }: { chosen: string; onChoose: (name: string) => void }) {
  return (
    <div className={styles.buttons}>
      {CHIPS.map(({ name, label }) => (
        <Button
          key={name}
          variant={name === chosen ? 'light' : 'default'}
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
