import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { PAGE_SIZE } from '../../contract/lists.ts';
import type { Sort } from './DataTable.tsx';

/** What of a list is shown. It lives in the address bar, so that back, a refresh and a shared link keep it. */
export type ListState<Status extends string> = {
  readonly status: Status | '';
  readonly pageNumber: number;
  readonly sort: Sort;
};

const DEFAULT_SORT: Sort = { field: 'createdAt', direction: 'desc' }; // spec 9

type ListOptions<Status extends string> = { readonly statuses: readonly Status[]; readonly sorts: readonly string[] };

/** Reads the address bar; what it cannot read is as if it were not there. */
export function readListState<Status extends string>(
  params: URLSearchParams,
  { statuses, sorts }: ListOptions<Status>,
): ListState<Status> {
  const page = params.get('page') ?? '';
  const field = params.get('sort') ?? '';
  const isSorted = sorts.includes(field);
  return {
    status: statuses.find((status) => status === params.get('status')) ?? '',
    pageNumber: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
    sort: {
      field: isSorted ? field : DEFAULT_SORT.field,
      direction: params.get('direction') === 'asc' ? 'asc' : 'desc',
    },
  };
}

/** The address bar for a state; what is as it comes is left out. */
export function writeListState({ status, pageNumber, sort }: ListState<string>): URLSearchParams {
  const params = new URLSearchParams();
  if (status) params.set('status', status);
  if (pageNumber > 1) params.set('page', String(pageNumber));
  if (sort.field !== DEFAULT_SORT.field) params.set('sort', sort.field);
  if (sort.direction !== DEFAULT_SORT.direction) params.set('direction', sort.direction);
  return params;
}

/** The query of a list call (spec 7.3) for a state. */
export function toListQuery({ status, pageNumber, sort }: ListState<string>) {
  return {
    pageNumber: String(pageNumber),
    pageSize: String(PAGE_SIZE),
    sortField: sort.field,
    sortDirection: sort.direction,
    ...(status ? { filters: JSON.stringify([{ field: 'status', operator: 'eq', value: status }]) } : {}),
  };
}

/** A list's state and the ways to change it; another filter or order starts at the first page again. */
export function useListState<Status extends string>(shape: ListOptions<Status>) {
  const [params, setParams] = useSearchParams();
  const state = readListState(params, shape);
  const go = (change: Partial<ListState<Status>>, replace = false) =>
    setParams(writeListState({ ...state, pageNumber: 1, ...change }), { replace });
  return {
    state,
    setStatus: (status: Status | '') => go({ status }),
    setSort: (sort: Sort) => go({ sort }),
    setPage: (pageNumber: number) => go({ pageNumber }),
    /** For a page that is past the end: the visit to it leaves no trace to go back to. */
    replacePage: (pageNumber: number) => go({ pageNumber }, true),
  };
}

/** A page past the end, from an old link or because things moved on, becomes the last one there is. */
export function useRedirectToLastPage(
  found: { items: readonly unknown[]; totalCount: number } | undefined,
  pageNumber: number,
  goTo: (pageNumber: number) => void,
): void {
  const last = found ? Math.max(1, Math.ceil(found.totalCount / PAGE_SIZE)) : undefined;
  const isPast = found !== undefined && found.items.length === 0 && last !== undefined && pageNumber > last;
  useEffect(() => {
    if (isPast) goTo(last);
  });
}
