import { type RawBuilder, sql } from 'kysely';
import type { Filter, FilterValue, ListQuery, Operator } from '../contract/lists.ts';

/** What a field of a list is in SQL. Only what stands in such a map ever reaches a statement. */
export type Column = { readonly sql: RawBuilder<unknown>; readonly type: 'uuid' | 'text' | 'boolean' | 'timestamptz' };
export type Columns = Readonly<Record<string, Column>>;

const COMPARE: Record<Exclude<Operator, 'in'>, RawBuilder<unknown>> = {
  // Distinct-ness, so that "not this Duber" holds for a delivery that has none.
  eq: sql`is not distinct from`,
  ne: sql`is distinct from`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

const cast = (value: FilterValue, type: string) => sql`${value}::${sql.raw(type)}`;

function condition(columns: Columns, { field, operator, value }: Filter): RawBuilder<unknown> {
  const column = columns[field];
  if (!column) throw new Error(`the list has no column for its field ${field}`);
  if (operator === 'in') return sql`${column.sql} = any(${cast(value, `${column.type}[]`)})`;
  return sql`${column.sql} ${COMPARE[operator]} ${cast(value, column.type)}`;
}

/** The rows a list is about: the caller's own first, narrowed by the filters. */
export function whereOf(scope: RawBuilder<unknown>, columns: Columns, query: ListQuery): RawBuilder<unknown> {
  return sql.join([scope, ...query.filters.map((filter) => condition(columns, filter))], sql` and `);
}

/** Order and page. Rows that are equal stand by their ids, so that no page repeats what another showed. */
export function pageOf(
  sorts: Readonly<Record<string, RawBuilder<unknown>>>,
  id: RawBuilder<unknown>,
  query: ListQuery,
): RawBuilder<unknown> {
  const by = sorts[query.sortField];
  if (!by) throw new Error(`the list has no column for its sort ${query.sortField}`);
  const direction = query.sortDirection === 'asc' ? sql`asc` : sql`desc`;
  const offset = (query.pageNumber - 1) * query.pageSize;
  return sql`order by ${by} ${direction}, ${id} ${direction} limit ${query.pageSize} offset ${offset}`;
}

/** Keeps only the named properties of an item, and its id; all of them when none is named. */
export function project<T extends { id: string }>(item: T, fields: readonly string[]): T {
  if (fields.length === 0) return item;
  return Object.fromEntries(
    Object.entries(item).filter(([name]) => name === 'id' || fields.includes(name)),
  ) as unknown as T;
}
