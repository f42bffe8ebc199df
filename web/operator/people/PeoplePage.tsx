import { TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useSearchParams } from 'react-router';
import type { PersonRow } from '../../../contract/operator/people.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { PagedListPage, useFilter } from '../ListPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { STATE_TEXTS } from '../peopleTexts.ts';
import { TownTime } from '../TownTime.tsx';
import styles from './people.module.css';

const SHOWN = [
  { value: 'all', label: 'All' },
  { value: 'buds', label: 'Buds' },
  { value: 'scrubs', label: 'Scrubs' },
  { value: 'dubers', label: 'Dubers' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'held', label: 'On Hold' },
] as const;

const QUERIES = {
  all: {},
  buds: { role: 'Bud' },
  scrubs: { role: 'Scrub' },
  dubers: { role: 'Duber' },
  suspended: { state: 'suspended' },
  held: { state: 'held' },
} as const;

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
    cell: ({ createdAt }) => <TownTime at={createdAt} />,
  },
];

const STATE_COLORS = { active: 'completed', suspended: 'cancelled', held: 'pending' } as const;

export const StateBadge = ({ state }: Pick<PersonRow, 'state'>) => (
  <Badge color={STATE_COLORS[state]}>{STATE_TEXTS[state]}</Badge>
);

/** Everybody of the marketplace, newest first. */
export function PeoplePage() {
  const filter = useFilter(SHOWN);
  const { value: shown, page } = filter;
  const [params, setParams] = useSearchParams();
  const words = params.get('q') ?? '';
  const q = useDeferredValue(words.trim());
  const people = useQuery({
    queryKey: ['people', shown, q, page],
    queryFn: () => operatorApi.listPeople({ query: { ...QUERIES[shown], ...(q ? { q } : {}), page: String(page) } }),
    placeholderData: keepPreviousData,
  });
  const find = (typed: string) => {
    const kept = shown === 'all' ? {} : { show: shown };
    setParams({ ...kept, ...(typed === '' ? {} : { q: typed }) }, { replace: true });
  };
  return (
    <PagedListPage
      title="People"
      subtitle="Who uses the marketplace"
      search={
        <div className={styles.filters}>
          <TextInput
            className={styles.search}
            label="Find"
            placeholder="The beginning of a name, or a whole email"
            value={words}
            maxLength={100}
            onChange={(event) => find(event.currentTarget.value)}
          />
        </div>
      }
      filter={filter}
      what="people"
      query={people}
      empty="No people found"
      drawing="search"
    >
      {(rows) => (
        <DataTable
          label="People"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          detailsTo={({ id }) => `/operator/people/${id}`}
        />
      )}
    </PagedListPage>
  );
}
