import { expect, test } from 'vitest';
import { readListState, toListQuery, writeListState } from './listState.ts';

const shape = { statuses: ['Requested', 'Completed'] as const, sorts: ['createdAt', 'price'] as const };
const read = (search: string) => readListState(new URLSearchParams(search), shape);

test('a list starts with all of it, page 1, newest first', () => {
  expect(read('')).toEqual({ status: '', pageNumber: 1, sort: { field: 'createdAt', direction: 'desc' } });
  expect(writeListState(read('')).toString()).toBe('');
});

test('the address bar gives back the state that was written to it', () => {
  const search = 'status=Completed&page=3&sort=price&direction=asc';
  expect(read(search)).toEqual({ status: 'Completed', pageNumber: 3, sort: { field: 'price', direction: 'asc' } });
  expect(writeListState(read(search)).toString()).toBe(search);
});

test('nonsense in the address bar reads as nothing', () => {
  for (const search of ['status=Lost', 'page=0', 'page=-1', 'page=1e9', 'page=99999999', 'sort=secret', 'direction=up'])
    expect(read(search), search).toEqual(read(''));
});

test('a state becomes the query of a list call', () => {
  expect(toListQuery(read('status=Requested&page=2'))).toEqual({
    pageNumber: '2',
    pageSize: '10',
    sortField: 'createdAt',
    sortDirection: 'desc',
    filters: '[{"field":"status","operator":"eq","value":"Requested"}]',
  });
  expect(toListQuery(read(''))).not.toHaveProperty('filters');
});
