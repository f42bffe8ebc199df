import { type RawBuilder, sql } from 'kysely';
import type { Filter, ListQuery, Operator } from '../contract/lists.ts';
import { bare, type Json, list, nothing, object, written } from './json.sql.ts';

/** What a field of a list is in SQL. Only what stands in such a map ever reaches a statement. */
export type Column = { readonly sql: RawBuilder<unknown>; readonly type: 'uuid' | 'text' | 'boolean' | 'timestamptz' };
export type Columns = Readonly<Record<string, Column>>;

const COMPARE: Record<Exclude<Operator, 'in'>, RawBuilder<unknown>> = {
  eq: sql`=`,
  // Distinct-ness, so that "not this Duber" holds for a delivery that has none.
  ne: sql`is distinct from`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

type Place = RawBuilder<unknown>;

function condition(columns: Columns, { field, operator }: Filter, place: Place): RawBuilder<unknown> {
  const column = columns[field];
  if (!column) throw new Error(`the list has no column for its field ${field}`);
  const type = sql.raw(column.type);
  if (operator === 'in') return sql`${column.sql} = any(${place}::${type}[])`;
  return sql`${column.sql} ${COMPARE[operator]} ${place}::${type}`;
}

/** What of a list's query makes its statement; the rest are the values that it is run with. */
export type ListForm = Pick<ListQuery, 'sortField' | 'sortDirection' | 'fields' | 'sumFields'> & {
  readonly filters: readonly Filter[];
};

export function formOf(query: ListQuery): ListForm {
  const { sortField, sortDirection, fields, sumFields } = query;
  const filters = query.filters.map(({ field, operator }) => ({ field, operator, value: true }));
  return { sortField, sortDirection, fields, sumFields, filters };
}

/** The rows a list is about: the caller's own first, narrowed by the filters, whose values stand at `places`. */
export function whereOf(
  scope: RawBuilder<unknown>,
  columns: Columns,
  { filters }: ListForm,
  places: readonly Place[],
): RawBuilder<unknown> {
  const narrowed = filters.map((filter, index) => condition(columns, filter, places[index] as Place));
  return sql.join([scope, ...narrowed], sql` and `);
}

export type Sorts = Readonly<Record<string, RawBuilder<unknown>>>;

/** The order of a list. Rows that are equal stand by their ids, so that no page repeats what another showed. */
export function orderOf(sorts: Sorts, id: RawBuilder<unknown>, form: ListForm): RawBuilder<unknown> {
  const by = sorts[form.sortField];
  if (!by) throw new Error(`the list has no column for its sort ${form.sortField}`);
  const direction = form.sortDirection === 'asc' ? sql`asc` : sql`desc`;
  return sql`${by} ${direction}, ${id} ${direction}`;
}

/** What a list is made of: its table and columns, its totals, and the shape of its items. */
export type ListParts = {
  readonly form: ListForm;
  readonly places: readonly Place[];
  /** `o` or `d`: the items' own table under its short name. */
  readonly table: RawBuilder<unknown>;
  readonly alias: string;
  readonly scope: RawBuilder<unknown>;
  readonly columns: Columns;
  readonly sorts: Sorts;
  /** Follows the items' table: what their shape needs besides. */
  readonly joins: RawBuilder<unknown>;
  readonly item: Json;
  /** Of one row: the count, and the sums by their names. */
  readonly totals: RawBuilder<unknown>;
  readonly sums: Readonly<Record<string, Json>>;
  readonly limit: Place;
  readonly offset: Place;
};

/** A whole list as the JSON that leaves. The page's ids are found in an index before anything else of a row is read. */
export function listJson(parts: ListParts): RawBuilder<unknown> {
  const { form, places, table, alias, scope, columns, sorts, joins, item, totals, sums, limit, offset } = parts;
  const row = sql.ref(alias);
  const id = sql.ref(`${alias}.id`);
  const order = orderOf(sorts, id, form);
  const page = sql`(select ${id} from ${table} ${row} where ${whereOf(scope, columns, form, places)}
    order by ${order} limit ${limit}::int offset ${offset}::int) page
    cross join lateral (select * from ${table} whole where whole.id = page.id offset 0) ${row}`;
  const chosen = Object.fromEntries(form.sumFields.map((name) => [`${name}TotalSum`, sums[name] ?? nothing]));
  const body = object({
    data: object({
      items: list(item, order, sql`${page} ${joins}`),
      totalCount: bare(sql`totals.count`),
      sumFields: form.sumFields.length === 0 ? ['{}'] : object(chosen),
    }),
  });
  return sql`select ${written(body)} as json from (${totals}) totals`;
}
