import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { PAGE_SIZE } from '../../contract/lists.ts';
import { formatOrderNumber, parseOrderNumber } from '../../domain/orders.ts';
import type { Sort } from './DataTable.tsx';

/** The filters, the sort order and the page of a list. Kept in the URL so that Back, a reload and a shared link keep them. */
export type ListState<Status extends string> = {
  readonly status: Status | '';
  /** What somebody typed to find an order by its number. */
  readonly number: string;
  readonly pageNumber: number;
  readonly sort: Sort;
};

const DEFAULT_SORT: Sort = { field: 'createdAt', direction: 'desc' }; // spec 9

type ListOptions<Status extends string> = {
  readonly statuses: readonly Status[];
  readonly sorts: readonly string[];
  /** Whether its orders can be found by their number. */
  readonly hasNumbers?: boolean;
};

/** Reads the state from the URL. Ignores invalid values. */
export function readListState<Status extends string>(
  params: URLSearchParams,
  { statuses, sorts, hasNumbers = false }: ListOptions<Status>,
): ListState<Status> {
  const page = params.get('page') ?? '';
  const field = params.get('sort') ?? '';
  const isSorted = sorts.includes(field);
  return {
    status: statuses.find((status) => status === params.get('status')) ?? '',
    number: hasNumbers ? (params.get('number') ?? '') : '',
    pageNumber: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    sort: {
      field: isSorted ? field : DEFAULT_SORT.field,
      direction: params.get('direction') === 'asc' ? 'asc' : 'desc',
    },
  };
}

/** Writes the state as URL parameters. Omits defaults. */
export function writeListState({ status, number, pageNumber, sort }: ListState<string>): URLSearchParams {
  const params = new URLSearchParams();
  if (status) params.set('status', status);
  if (number) params.set('number', number);
  if (pageNumber > 1) params.set('page', String(pageNumber));
  if (sort.field !== DEFAULT_SORT.field) params.set('sort', sort.field);
  if (sort.direction !== DEFAULT_SORT.direction) params.set('direction', sort.direction);
  return params;
}

/** The query parameters of the list call (spec 7.3). */
export function toListQuery({ status, number, pageNumber, sort }: ListState<string>) {
  const orderNumber = parseOrderNumber(number);
  const filters = [
    ...(status ? [{ field: 'status', operator: 'eq', value: status }] : []),
    ...(orderNumber === undefined ? [] : [{ field: 'number', operator: 'eq', value: formatOrderNumber(orderNumber) }]),
  ];
  return {
    pageNumber: String(pageNumber),
    pageSize: String(PAGE_SIZE),
    sortField: sort.field,
    sortDirection: sort.direction,
    ...(filters.length > 0 ? { filters: JSON.stringify(filters) } : {}),
  };
}

/** The state of a list and its setters. A new filter or sort order goes back to page 1. */
export function useListState<Status extends string>(options: ListOptions<Status>) {
  const [params, setParams] = useSearchParams();
  const state = readListState(params, options);
  const update = (change: Partial<ListState<Status>>, replace = false) =>
    setParams(writeListState({ ...state, pageNumber: 1, ...change }), { replace });
  return {
    state,
    /** Replaces the history entry: Back leaves the search instead of going through what was typed. */
    setNumber: (number: string) => update({ number }, true),
    showAll: () => update({ status: '', number: '' }),
    setStatus: (status: Status | '') => update({ status }),
    setSort: (sort: Sort) => update({ sort }),
    setPage: (pageNumber: number) => update({ pageNumber }),
    /** Replaces the history entry, for a page past the end that Back must not return to. */
    replacePage: (pageNumber: number) => update({ pageNumber }, true),
  };
}

/** Goes to the last page when the URL names a page past the end. */
export function useRedirectToLastPage(
  result: { items: readonly unknown[]; totalCount: number } | undefined,
  pageNumber: number,
  goTo: (pageNumber: number) => void,
): void {
  const last = result ? Math.max(1, Math.ceil(result.totalCount / PAGE_SIZE)) : undefined;
  const isPast = result !== undefined && result.items.length === 0 && last !== undefined && pageNumber > last;
  useEffect(() => {
    if (isPast) goTo(last);
  });
}
