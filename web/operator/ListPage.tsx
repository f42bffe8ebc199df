import { Button, Group } from '@mantine/core';
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
  /** The rows, when there are some. */
  readonly children: (rows: readonly Row[]) => ReactNode;
};

/** The rows of a list, or what there is instead: while it loads, when it failed, and when it is empty. */
export function List<Row>({ what, query, rows, empty, drawing = 'line', children }: ListProps<Row>) {
  if (rows && rows.length > 0) return children(rows);
  if (rows) return <EmptyState text={empty} drawing={drawing} isCard />;
  return query.isError ? (
    <QueryError query={query} title={`The ${what} did not load`} isCard />
  ) : (
    <LoadingRows label={what} />
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

/** What a list shows, in the address, so that Back keeps it. The first option is the default. A choice begins at the first page. */
export function useFilter<const Value extends string>(options: FilterOptions<Value>): Filter<Value> {
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
  return (
    <Group gap={8} mb={16}>
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
    </Group>
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

type PagedListPageProps<Row, Value extends string> = Omit<ListPageProps<Row>, 'filter' | 'more' | 'query' | 'rows'> & {
  readonly filter: Filter<Value>;
  readonly query: ListProps<Row>['query'] & {
    readonly data: { readonly items: readonly Row[]; readonly hasMore: boolean } | undefined;
  };
  readonly labels?: Parameters<typeof PageButtons>[0]['labels'];
};

/** A page with one list in numbered pages, below the buttons of its filter. */
export function PagedListPage<Row, Value extends string>({
  filter,
  query,
  labels,
  ...rest
}: PagedListPageProps<Row, Value>) {
  const { data } = query;
  return (
    <ListPage
      {...rest}
      query={query}
      rows={data?.items}
      filter={<FilterButtons filter={filter} />}
      more={<PageButtons page={filter.page} hasMore={data?.hasMore} onPage={filter.setPage} labels={labels} />}
    />
  );
}
