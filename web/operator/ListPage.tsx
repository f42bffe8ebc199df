import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../ui/EmptyState.tsx';
import { QueryError } from '../ui/ErrorState.tsx';
import { PageHeader } from '../ui/PageHeader.tsx';
import { LoadingRows } from './LoadingRows.tsx';
import { PageButtons } from './PageButtons.tsx';

type ListProps<Row> = {
  /** What the rows are: "orders". */
  readonly what: string;
  readonly query: Parameters<typeof QueryError>[0]['query'] & {
    readonly isPending: boolean;
    readonly isError: boolean;
  };
  /** Undefined until they have loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly empty: string;
  readonly drawing?: Parameters<typeof EmptyState>[0]['drawing'];
  /** Inside of a card the list needs no frame of its own. */
  readonly isInCard?: boolean;
  /** The rows, when there are some. */
  readonly children: (rows: readonly Row[]) => ReactNode;
};

/** The rows of a list, or what there is instead: while it loads, when it failed, and when it is empty. */
export function List<Row>({ what, query, rows, empty, drawing = 'line', isInCard = false, children }: ListProps<Row>) {
  if (rows && rows.length > 0) return children(rows);
  if (rows) return isInCard ? <p className="quiet">{empty}</p> : <EmptyState text={empty} drawing={drawing} isCard />;
  return query.isError ? (
    <QueryError query={query} title={`The ${what} did not load`} isCard={!isInCard} />
  ) : (
    <LoadingRows label={what} isInCard={isInCard} {...(isInCard ? { rows: 1 } : {})} />
  );
}

type FilterOption<Value extends string> = { readonly value: Value; readonly label: string };
export type FilterOptions<Value extends string> = readonly [FilterOption<Value>, ...FilterOption<Value>[]];

type Filter<Value extends string> = {
  readonly options: readonly FilterOption<Value>[];
  readonly value: Value;
  readonly page: number;
  readonly choose: (value: Value) => void;
  readonly setPage: (page: number) => void;
};

const ALL = [{ value: 'all', label: 'All' }] as const;

/**
 * What a list shows, in the address, so that Back keeps it. The first option is the default; without options the list has only
 * its pages. A choice begins at the first page.
 */
export function useFilter<const Value extends string = 'all'>(
  options: FilterOptions<Value> = ALL as unknown as FilterOptions<Value>,
): Filter<Value> {
  const [params, setParams] = useSearchParams();
  const [first] = options;
  const value = options.find((one) => one.value === params.get('show'))?.value ?? first.value;
  const page = Math.max(1, Number(params.get('page')) || 1);
  const change = (show: Value, next: number) => {
    const kept = new URLSearchParams(params);
    kept.delete('show');
    kept.delete('page');
    if (show !== first.value) kept.set('show', show);
    if (next > 1) kept.set('page', String(next));
    setParams(kept, { replace: true });
  };
  return { options, value, page, choose: (show) => change(show, 1), setPage: (next) => change(value, next) };
}

/** The one kind of filter of the console: a button for each choice. */
export function FilterButtons<Value extends string>({ filter: { options, value, choose } }: { filter: Filter<Value> }) {
  if (options.length < 2) return null;
  return (
    <div className="buttons" style={{ marginBottom: 16 }}>
      {options.map((option) => (
        <Button
          key={option.value}
          size="compact-md"
          variant={option.value === value ? 'light' : 'default'}
          aria-pressed={option.value === value}
          onClick={() => choose(option.value)}
        >
          {option.label}
        </Button>
      ))}
    </div>
  );
}

type ListPageProps<Row> = ListProps<Row> & {
  readonly title: string;
  readonly subtitle?: string;
  readonly actions?: ReactNode;
  /** Above the list: its filter or its search. */
  readonly filter?: ReactNode;
  /** Below the list: its other pages. */
  readonly more?: ReactNode;
};

/** A page with one list. */
export function ListPage<Row>({ title, subtitle, actions, filter, more, ...list }: ListPageProps<Row>) {
  return (
    <>
      <PageHeader title={title} subtitle={subtitle}>
        {actions}
      </PageHeader>
      {filter}
      <List {...list} />
      {more}
    </>
  );
}

type PagedListProps<Row, Value extends string> = Omit<ListProps<Row>, 'query' | 'rows'> & {
  readonly filter: Filter<Value>;
  readonly query: ListProps<Row>['query'] & {
    readonly data: { readonly items: readonly Row[]; readonly hasMore: boolean } | undefined;
  };
  readonly labels?: Parameters<typeof PageButtons>[0]['labels'];
};

/** A list in numbered pages, below the buttons of its filter. */
export function PagedList<Row, Value extends string>({ filter, query, labels, ...list }: PagedListProps<Row, Value>) {
  return (
    <>
      <FilterButtons filter={filter} />
      <List {...list} query={query} rows={query.data?.items} />
      <PageButtons page={filter.page} hasMore={query.data?.hasMore} onPage={filter.setPage} labels={labels} />
    </>
  );
}

type PagedListPageProps<Row, Value extends string> = PagedListProps<Row, Value> &
  Pick<ListPageProps<Row>, 'title' | 'subtitle' | 'actions' | 'more'> & {
    /** Above the filter. */
    readonly search?: ReactNode;
  };

/** A page with one list in numbered pages. */
export function PagedListPage<Row, Value extends string>(props: PagedListPageProps<Row, Value>) {
  const { title, subtitle, actions, search, more, ...list } = props;
  return (
    <>
      <PageHeader title={title} subtitle={subtitle}>
        {actions}
      </PageHeader>
      {search}
      <PagedList {...list} />
      {more}
    </>
  );
}
