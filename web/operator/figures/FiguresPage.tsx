import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { FiguresRow } from '../../../contract/operator/figures.ts';
import { FIGURES_BY, FIGURES_WEEKS, type FiguresBy, MAX_FIGURES_WEEKS } from '../../../domain/figures.ts';
import { type Column, DataTable } from '../../lists/DataTable.tsx';
import { downloadFile } from '../../ui/downloadFile.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { QueryError } from '../../ui/ErrorState.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { FilterButtons, type FilterOptions, useFilter } from '../ListPage.tsx';
import { operatorApi } from '../operatorApi.ts';
import { useHasRight } from '../operatorSession.ts';
import { PageButtons } from '../PageButtons.tsx';
import styles from './FiguresPage.module.css';
import { BY_TEXTS, FIGURE_TEXTS, type FigureName, nameOf, toFiguresCsv } from './figureTexts.ts';
import { Sparkline } from './Sparkline.tsx';

const WEEKS = [4, FIGURES_WEEKS, MAX_FIGURES_WEEKS];
const OPTIONS = FIGURES_BY.map((value) => ({
  value,
  label: BY_TEXTS[value].label,
})) as unknown as FilterOptions<FiguresBy>;
/** Reading them takes long in a large town, and they hardly change while somebody looks at them. */
const FRESH_MS = 5 * 60_000;

const useFigures = (by: FiguresBy, weeks: number, page = 1) =>
  useQuery({
    queryKey: ['figures', by, weeks, page],
    queryFn: ({ signal }) =>
      operatorApi.listFigures({ query: { by, weeks: String(weeks), page: String(page) } }, { signal }),
    staleTime: FRESH_MS,
    refetchInterval: false,
    refetchOnWindowFocus: false,
  });
type FiguresQuery = ReturnType<typeof useFigures>;

/** The number of weeks, in the address. */
function useWeeks() {
  const [params, setParams] = useSearchParams();
  const weeks = WEEKS.find((one) => String(one) === params.get('weeks')) ?? FIGURES_WEEKS;
  const setWeeks = (next: string) => {
    const kept = new URLSearchParams(params);
    kept.delete('page');
    kept.set('weeks', next);
    setParams(kept, { replace: true });
  };
  return [weeks, setWeeks] as const;
}

/** How the town does: by week, by zone and by Scrub. */
export function FiguresPage() {
  const filter = useFilter(OPTIONS);
  const [weeks, setWeeks] = useWeeks();
  const seesMoney = useHasRight('money');
  const overall = useFigures('week', weeks);
  const listed = useFigures(filter.value, weeks, filter.page);
  const names = (Object.keys(FIGURE_TEXTS) as FigureName[]).filter((name) => seesMoney || name !== 'kept');
  return (
    <>
      <PageHeader title="Figures" subtitle={subtitleOf(overall.data?.weeks ?? weeks, weeks)}>
        <NativeSelect
          aria-label="Weeks"
          data={WEEKS.map((one) => ({ value: String(one), label: `${one} weeks` }))}
          value={String(weeks)}
          onChange={(event) => setWeeks(event.currentTarget.value)}
        />
      </PageHeader>
      {overall.data?.total.orders === 0 ? (
        <EmptyState text="No orders were placed in these weeks." drawing="washer" isCard />
      ) : (
        <div className={styles.page}>
          <Cards
            query={overall}
            names={['onTime', 'minutesToYes', 'orderedAgain', seesMoney ? 'kept' : 'hoursToReturn']}
          />
          <section>
            <div className={styles.top}>
              <FilterButtons filter={filter} />
              <Button
                variant="default"
                disabled={!listed.data}
                onClick={() =>
                  listed.data &&
                  downloadFile(
                    `figures-by-${filter.value}-${listed.data.from}.csv`,
                    toFiguresCsv(filter.value, listed.data.items, names),
                  )
                }
              >
                Download CSV
              </Button>
            </div>
            <Table query={listed} by={filter.value} names={names} />
            <PageButtons
              page={filter.page}
              hasMore={listed.data?.hasMore}
              onPage={filter.setPage}
              labels={['Previous', 'Next']}
            />
          </section>
          <Meanings names={names} timeZone={overall.data?.timeZone} />
        </div>
      )}
    </>
  );
}

function subtitleOf(weeks: number, asked: number): string {
  const shown = weeks === 1 ? 'this week' : `the last ${weeks} weeks, this one included`;
  const fewer = weeks < asked ? `. ${asked} weeks have too many orders to be read at once` : '';
  return `Orders that were placed in ${shown}${fewer}`;
}

/** The figures of all the weeks, each over a small chart of them. */
function Cards({ query: { data, isError }, names }: { query: FiguresQuery; names: readonly FigureName[] }) {
  const weeks = data?.items.toReversed();
  return (
    <dl className={styles.cards}>
      {names.map((name) => (
        <div key={name}>
          <dt>{FIGURE_TEXTS[name].header}</dt>
          <dd>
            <span className={styles.value}>
              {data ? FIGURE_TEXTS[name].format(data.total[name]) : isError ? '–' : <Skeleton width="60%" />}
            </span>
            <Sparkline values={weeks?.map((week) => week[name]) ?? []} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const columnsOf = (by: FiguresBy, names: readonly FigureName[]): readonly Column<FiguresRow>[] => [
  {
    header: BY_TEXTS[by].header,
    cardSlot: by === 'week' ? 'title' : 'name',
    cell: (row) => <Name by={by} row={row} />,
  },
  { header: 'Completed', align: 'end', cell: ({ orders, completed }) => `${completed} of ${orders}` },
  ...names.map(
    (name): Column<FiguresRow> => ({
      header: FIGURE_TEXTS[name].header,
      align: 'end',
      cardSlot: FIGURE_TEXTS[name].cardSlot ?? 'detail',
      cell: (row) => FIGURE_TEXTS[name].format(row[name]),
    }),
  ),
];

function Name({ by, row }: { by: FiguresBy; row: FiguresRow }) {
  const name = nameOf(by, row);
  if (by === 'scrub') return <Link to={`/operator/people/${row.key}`}>{name}</Link>;
  return <span className={styles.name}>{name}</span>;
}

function Table({ query, by, names }: { query: FiguresQuery; by: FiguresBy; names: readonly FigureName[] }) {
  if (query.isError && !query.data) return <QueryError query={query} title="The figures did not load" isCard />;
  return (
    <DataTable
      label={BY_TEXTS[by].rows}
      columns={columnsOf(by, names)}
      rows={query.data?.items}
      rowKey={({ key }) => key ?? ''}
      empty="No orders in these weeks"
    />
  );
}

function Meanings({ names, timeZone }: { names: readonly FigureName[]; timeZone: string | undefined }) {
  return (
    <Fold title="What these figures say">
      <dl className={styles.meanings}>
        {names.map((name) => (
          <div key={name}>
            <dt>{FIGURE_TEXTS[name].header}</dt>
            <dd>{FIGURE_TEXTS[name].means}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet" style={{ marginTop: 12 }}>
        Each figure is of the orders that were placed in the week, whenever the rest happened. Weeks begin on Monday in{' '}
        {timeZone?.replaceAll('_', ' ') ?? 'the town’s time zone'}. A dash: no order says anything about it yet.
      </p>
    </Fold>
  );
}
