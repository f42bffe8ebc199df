import { expect, test } from 'vitest';
import { readListState, toListQuery, writeListState } from './listState.ts';

const options = { statuses: ['Requested', 'Completed'] as const, sorts: ['createdAt', 'price'] as const };
const read = (search: string) => readListState(new URLSearchParams(search), options);

test('a list starts unfiltered, on page 1, newest first', () => {
  expect(read('')).toEqual({ status: '', pageNumber: 1, sort: { field: 'createdAt', direction: 'desc' } });
  expect(writeListState(read('')).toString()).toBe('');
});

test('the URL parameters of a state read back as the same state', () => {
  const search = 'status=Completed&page=3&sort=price&direction=asc';
  expect(read(search)).toEqual({ status: 'Completed', pageNumber: 3, sort: { field: 'price', direction: 'asc' } });
  expect(writeListState(read(search)).toString()).toBe(search);
});

test('invalid URL parameters are ignored', () => {
  for (const search of ['status=Lost', 'page=0', 'page=-1', 'page=1e9', 'page=99999999', 'sort=secret', 'direction=up'])
    expect(read(search), search).toEqual(read(''));
});

test('a state maps to the query parameters of a list call', () => {
  expect(toListQuery(read('status=Requested&page=2'))).toEqual({
    pageNumber: '2',
    pageSize: '10',
    sortField: 'createdAt',
    sortDirection: 'desc',
    filters: '[{"field":"status","operator":"eq","value":"Requested"}]',
  });
  expect(toListQuery(read(''))).not.toHaveProperty('filters');
});
