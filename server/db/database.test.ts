import { expect, test } from 'vitest';
import { poolSizeFor } from './database.ts';

test.each([
  ['on another machine', 'postgres://u:p@db.example.org/x', 2, 10],
  ['here, on one core', 'postgres://u:p@127.0.0.1:5432/x', 1, 4],
  ['here, on three', 'postgres://localhost/x', 3, 6],
  ['here by IPv6, on many', 'postgres://u@[::1]/x', 64, 10],
  ['here by a socket in the file system', 'postgres:///x?host=/run/postgresql', 2, 4],
  ['on another machine, said in the query', 'postgres:///x?host=db.example.org', 2, 10],
])('a database %s gets as many connections as its cores can serve', (_where, url, cores, connections) => {
  expect(poolSizeFor(url, cores)).toBe(connections);
});
