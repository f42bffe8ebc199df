import { expect, test } from 'vitest';
import { poolSizeFor } from './database.ts';

test.each([
  ['on another machine', 'postgres://u:p@db.example.org/x', 2, 10],
  ['on this machine with one core', 'postgres://u:p@127.0.0.1:5432/x', 1, 6],
  ['on this machine with three cores', 'postgres://localhost/x', 3, 8],
  ['on this machine by IPv6 with many cores', 'postgres://u@[::1]/x', 64, 10],
  ['on this machine by a Unix socket', 'postgres:///x?host=/run/postgresql', 2, 6],
  ['on another machine, named in the query', 'postgres:///x?host=db.example.org', 2, 10],
])('the pool for a database %s has the right size', (_where, url, cores, connections) => {
  expect(poolSizeFor(url, cores)).toBe(connections);
});
