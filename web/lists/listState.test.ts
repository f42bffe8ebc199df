import { expect, test } from 'vitest';
import { readListState, toListQuery, writeListState } from './listState.ts';

const options = {
  statuses: ['Requested', 'Completed'] as const,
  sorts: ['createdAt', 'price'] as const,
  hasNumbers: true,
};
const read = (search: string) => readListState(new URLSearchParams(search), options);

test('a list starts unfiltered, on page 1, newest first', () => {
  expect(read('')).toEqual({ status: '', number: '', pageNumber: 1, sort: { field: 'createdAt', direction: 'desc' } });
  expect(writeListState(read('')).toString()).toBe('');
});

test('the URL parameters of a state read back as the same state', () => {
  const search = 'status=Completed&number=1042&page=3&sort=price&direction=asc';
  expect(read(search)).toEqual({
    status: 'Completed',
    number: '1042',
    pageNumber: 3,
    sort: { field: 'price', direction: 'asc' },
  });
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
  expect(toListQuery(read('status=Requested&number=r 1042')).filters).toBe(
    '[{"field":"status","operator":"eq","value":"Requested"},{"field":"number","operator":"eq","value":"R-1042"}]',
  );
});

test('a text that is no order number filters nothing, and neither does a number where the list has none', () => {
  expect(toListQuery(read('number=socks'))).not.toHaveProperty('filters');
  const params = new URLSearchParams('number=1042');
  expect(readListState(params, { ...options, hasNumbers: false })).toEqual(read(''));
});
