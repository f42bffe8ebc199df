import { type RawBuilder, sql } from 'kysely';
import type { Filter, ListQuery, Operator } from '../../contract/lists.ts';
import type { Caller } from '../../domain/accounts.ts';
import { pickFields, type Viewer } from '../visibility.sql.ts';
import { type Json, list, object, raw, toSql } from './json.sql.ts';
import { cacheByKey } from './prepared.ts';
import { type JsonQuery, prepareJsonQuery } from './query.sql.ts';

/** What a field of a list is in SQL. Only what stands in such a map ever reaches a statement. */
export type Column = { readonly sql: RawBuilder<unknown>; readonly type: 'uuid' | 'text' | 'boolean' | 'timestamptz' };
export type Columns = Readonly<Record<string, Column>>;

const OPERATOR_SQL: Record<Exclude<Operator, 'in'>, RawBuilder<unknown>> = {
  eq: sql`=`,
  // Distinct-ness, so that "not this Duber" holds for a delivery that has none.
  ne: sql`is distinct from`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

type SqlFragment = RawBuilder<unknown>;

function buildCondition(
  columns: Columns,
  { field, operator }: Pick<Filter, 'field' | 'operator'>,
  place: SqlFragment,
): RawBuilder<unknown> {
  const column = columns[field];
  if (!column) throw new Error(`the list has no column for its field ${field}`);
  const type = sql.raw(column.type);
  if (operator === 'in') return sql`${column.sql} = any(${place}::${type}[])`;
  return sql`${column.sql} ${OPERATOR_SQL[operator]} ${place}::${type}`;
}

/** What of a list's query makes its statement; the rest are the values that it is run with. */
type ListQueryShape = Pick<ListQuery, 'sortField' | 'sortDirection' | 'fields' | 'sumFields'> & {
  readonly filters: readonly Pick<Filter, 'field' | 'operator'>[];
};

function queryShapeOf(query: ListQuery): ListQueryShape {
  const { sortField, sortDirection, fields, sumFields } = query;
  const filters = query.filters.map(({ field, operator }) => ({ field, operator }));
  return { sortField, sortDirection, fields, sumFields, filters };
}

/** The rows a list is about: the caller's own first, narrowed by the filters, whose values stand at `places`. */
function buildWhere(
  scope: SqlFragment,
  columns: Columns,
  { filters }: ListQueryShape,
  places: readonly SqlFragment[],
): SqlFragment {
  const narrowed = filters.map((filter, index) => buildCondition(columns, filter, places[index] as SqlFragment));
  return sql.join([scope, ...narrowed], sql` and `);
}

/** What a list can be sorted by, and in what SQL. */
type Sorts = Readonly<Record<string, SqlFragment>>;

type Direction = ListQueryShape['sortDirection'];

/** The order of a list. Rows that are equal stand by time and id, so that no page repeats what another showed. */
function buildOrderBy(
  own: Pick<ListDefinition<never>, 'alias' | 'sorts'>,
  field: string,
  direction: Direction,
): SqlFragment {
  const by = own.sorts[field];
  if (!by) throw new Error(`the list has no column for its sort ${field}`);
  const columns = [by, sql.ref(`${own.alias}.created_at`), sql.ref(`${own.alias}.id`)];
  const way = sql.raw(direction);
  return sql.join(columns.slice(field === 'createdAt' ? 1 : 0).map((column) => sql`${column} ${way}`));
}

/** A sum of a list: of which column, under which name the tallies `t` keep it, and how it is written. */
type Sum = {
  readonly column: SqlFragment;
  readonly tallyColumn: SqlFragment;
  readonly toJson: (sum: SqlFragment) => Json;
};

/** A list of the caller's own: a table of items, what of it may be asked for, and what they look like. */
type ListDefinition<Role extends Caller['role']> = {
  /** The items' table and the short name that the rest of this calls it by. */
  readonly table: string;
  readonly alias: string;
  readonly scope: (owner: { readonly role: Role; readonly id: SqlFragment }) => SqlFragment;
  readonly columns: Columns;
  readonly sorts: Sorts;
  /** Follows the items' table: what their shape needs besides. */
  readonly joins: (looker: Viewer) => SqlFragment;
  readonly shape: (looker: Viewer) => Record<string, Json>;
  readonly sums: Readonly<Record<string, Sum>>;
  /** The running counts by person and status; their column of the table's name counts the items. */
  readonly tallies: string;
};

/** What one page is read with: places of its statement, and the form that the statement has. */
type Page<Role> = {
  readonly viewer: Viewer & { readonly role: Role };
  readonly shape: ListQueryShape;
  readonly filterValues: readonly SqlFragment[];
  readonly limit: SqlFragment;
  readonly offset: SqlFragment;
};

/** The count and the sums. What is filtered by nothing but what the tallies know is counted without reading a history. */
function buildTotals<R extends Caller['role']>(
  own: ListDefinition<R>,
  { viewer: looker, shape: form, filterValues: places }: Page<R>,
): SqlFragment {
  const tallied: Columns = {
    status: { sql: sql`t.status collate "C"`, type: 'text' },
    [`${looker.role.toLowerCase()}Id`]: { sql: sql`t.person_id`, type: 'uuid' },
  };
  const isTallied = form.filters.every(({ field }) => Object.hasOwn(tallied, field));
  const sums = Object.entries(own.sums).map(
    ([name, sum]) => sql`, coalesce(sum(${isTallied ? sum.tallyColumn : sum.column}), 0) as ${sql.ref(name)}`,
  );
  return isTallied
    ? sql`select coalesce(sum(${sql.ref(`t.${own.table}`)}), 0)::bigint as count${sql.join(sums, sql``)}
        from ${sql.table(own.tallies)} t where ${buildWhere(sql`t.person_id = ${looker.id}::uuid`, tallied, form, places)}`
    : sql`select count(*) as count${sql.join(sums, sql``)}
        from ${sql.table(own.table)} ${sql.ref(own.alias)} where ${buildWhere(own.scope(looker), own.columns, form, places)}`;
}

/** A whole list as the JSON that leaves. The page's ids are found in an index before anything else of a row is read. */
function buildListJson<R extends Caller['role']>(own: ListDefinition<R>, page: Page<R>): SqlFragment {
  const { viewer: looker, shape: form, filterValues: places, limit, offset } = page;
  const table = sql.table(own.table);
  const row = sql.ref(own.alias);
  const id = sql.ref(`${own.alias}.id`);
  const order = (direction: Direction) => buildOrderBy(own, form.sortField, direction);
  const slice = (direction: Direction, most: SqlFragment, after: SqlFragment) =>
    sql`(select ${id} from ${table} ${row} where ${buildWhere(own.scope(looker), own.columns, form, places)}
      order by ${order(direction)} limit ${most} offset ${after})`;
  const { sortDirection: direction } = form;
  // A page is looked for from the nearer end of the list: one of the two is asked for no row at all.
  const isNear = sql`2 * ${offset}::bigint <= totals.count`;
  const left = sql`totals.count - ${offset}::bigint`;
  const items = sql`(${slice(direction, sql`case when ${isNear} then ${limit}::int else 0 end`, sql`${offset}::bigint`)}
      union all ${slice(
        direction === 'asc' ? 'desc' : 'asc',
        sql`case when ${isNear} then 0 else greatest(least(${limit}::int, ${left}), 0) end`,
        sql`greatest(${left} - ${limit}::int, 0)`,
      )}) page
    cross join lateral (select * from ${table} whole where whole.id = page.id offset 0) ${row} ${own.joins(looker)}`;
  const sums = form.sumFields.map((name) => {
    const sum = own.sums[name];
    if (!sum) throw new Error(`the list has no column for its sum ${name}`);
    return [`${name}TotalSum`, sum.toJson(sql.ref(`totals.${name}`))] as const;
  });
  const body = object({
    data: object({
      items: list(object(pickFields(own.shape(looker), form.fields)), order(direction), items),
      totalCount: raw(sql`totals.count`),
      sumFields: sums.length === 0 ? ['{}'] : object(Object.fromEntries(sums)),
    }),
  });
  return sql`select ${toSql(body)} as json from (${buildTotals(own, page)}) totals`;
}

type ListParameters = [caller: string, now: Date, limit: number, offset: number, ...values: unknown[]];

/** Prepares the reading of pages of a list, with the count and sums of all that the filters let through. */
export function prepareList<C extends Caller>(own: ListDefinition<C['role']>) {
  const readingOf = cacheByKey((key) => {
    const { role, form } = JSON.parse(key) as { role: C['role']; form: ListQueryShape };
    return prepareJsonQuery<ListParameters>(
      (id, now, limit, offset, ...places) =>
        buildListJson(own, { viewer: { role, id, now }, shape: form, filterValues: places, limit, offset }),
      4 + form.filters.length,
    );
  });
  return (caller: C, query: ListQuery, now: Date): JsonQuery => {
    const { pageNumber, pageSize, filters } = query;
    const read = readingOf(JSON.stringify({ role: caller.role, form: queryShapeOf(query) }));
    return read(caller.id, now, pageSize, (pageNumber - 1) * pageSize, ...filters.map(({ value }) => value));
  };
}
