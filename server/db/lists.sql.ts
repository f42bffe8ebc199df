import { type RawBuilder, sql } from 'kysely';
import { ALL_FIELDS, defaultFields, type FieldTree, fieldTree } from '../../contract/answerFields.ts';
import {
  type FieldKind,
  type Filter,
  type FilterValue,
  ITEM_FIELDS,
  type ListQuery,
  type ListShape,
  type Operator,
} from '../../contract/lists.ts';
import type { Caller } from '../../domain/accounts.ts';
import { parseOrderNumber } from '../../domain/orders.ts';
import { prepareByFields } from './answerFields.ts';
import { cacheByKey } from './caches.ts';
import { emptyObject, type Json, type JsonProperties, list, object, orNull, quoted, raw } from './json.sql.ts';
import { type JsonQuery, type JsonSelect, prepareByPrivacy } from './query.sql.ts';

type SqlFragment = RawBuilder<unknown>;

/** The person who sees the answer, the time (placeholders of a statement), and whether the policy is `careful`. */
export type Viewer = {
  readonly role: Caller['role'];
  readonly id: RawBuilder<unknown>;
  readonly now: RawBuilder<unknown>;
  readonly isCareful: boolean;
};

const OPERATOR_SQL: Record<Exclude<Operator, 'in'>, SqlFragment> = {
  eq: sql`=`,
  // So that "not this Duber" is true of a delivery without a Duber.
  ne: sql`is distinct from`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

const SQL_TYPES = { id: 'uuid', time: 'timestamptz', boolean: 'boolean', 'order-number': 'bigint' } as const;
const sqlTypeOf = (kind: FieldKind) => sql.raw(typeof kind === 'string' ? SQL_TYPES[kind] : 'text');

/** A filter's value as a parameter. People write the number of an order in several ways. */
function toParameter(kind: FieldKind | undefined, value: FilterValue): unknown {
  if (kind !== 'order-number') return value;
  const parse = (one: unknown) => parseOrderNumber(String(one));
  return Array.isArray(value) ? value.map(parse) : parse(value);
}

/** Only SQL from such a map ever becomes part of a statement. */
type Columns = Readonly<Record<string, SqlFragment>>;

function columnOf(columns: Columns, field: string): SqlFragment {
  const column = columns[field];
  if (!column) throw new Error(`the list has no column for ${field}`);
  return column;
}

/** The part of a query that decides its statement; the rest are the statement's parameters. */
type QueryShape = Pick<ListQuery, 'sortField' | 'sortDirection' | 'sumFields'> & {
  readonly filters: readonly Pick<Filter, 'field' | 'operator'>[];
  /** Whether the page begins after a position in the list, and not at an offset. */
  readonly isAfter: boolean;
};

function queryShapeOf(query: ListQuery): QueryShape {
  const { sortField, sortDirection, sumFields, after } = query;
  const filters = query.filters.map(({ field, operator }) => ({ field, operator }));
  return { sortField, sortDirection, sumFields, filters, isAfter: after !== undefined };
}

type SumOf<L extends ListShape> = L['sums'][number];

/**
 * A list of the caller's own items. The contract's shape L says what can be filtered, sorted and summed: each of those
 * fields has a column here, or it does not compile.
 */
export type ListDefinition<Role extends Caller['role'], L extends ListShape, Item> = {
  readonly list: L;
  /** The items' table, and its alias in all SQL of this definition. */
  readonly table: string;
  readonly alias: string;
  readonly scope: (owner: { readonly role: Role; readonly id: SqlFragment }) => SqlFragment;
  readonly columns: Readonly<Record<(keyof L['filters'] & string) | L['sorts'][number] | SumOf<L>, SqlFragment>>;
  /** What `properties` needs besides the items' table. */
  readonly joins: (viewer: Viewer) => SqlFragment;
  readonly properties: (viewer: Viewer) => JsonProperties<Item>;
  /** Whether the privacy policy is the one that `joins` and `properties` were built for. */
  readonly isPrivacy: (isCareful: boolean, now: SqlFragment) => RawBuilder<boolean>;
  /** The JSON of each sum, and the column `t.<name>` of the tallies that has it. */
  readonly sums: Readonly<
    Record<SumOf<L>, { readonly tally: string; readonly toJson: (sum: RawBuilder<number>) => Json<number> }>
  >;
  /** The sets of `fields` that the screens ask for. */
  readonly screenFields: readonly (readonly string[])[];
  /** The table of running counts by person and status; its column with the name of `table` counts the items. */
  readonly tallies: string;
};

/** The parts of a definition that do not depend on its types. */
type UntypedDefinition<Role extends Caller['role'], Item> = ListDefinition<Role, ListShape, Item>;

/** One page: the shape of its query, and placeholders for the parameters. */
type Page<Role> = {
  readonly viewer: Viewer & { readonly role: Role };
  readonly shape: QueryShape;
  readonly filterValues: readonly SqlFragment[];
  readonly limit: SqlFragment;
  /** The offset, or the values of a position in the order of `sortColumns`. */
  readonly start: readonly SqlFragment[];
};

/** The scope and the filters of a query, on these columns. */
function buildWhere(
  scope: SqlFragment,
  { list: { filters: kinds } }: { readonly list: ListShape },
  columns: Columns,
  { shape, filterValues }: Pick<Page<never>, 'shape' | 'filterValues'>,
): SqlFragment {
  const conditions = shape.filters.map(({ field, operator }, index) => {
    const [column, value, type] = [columnOf(columns, field), filterValues[index], sqlTypeOf(kinds[field] ?? [])];
    return operator === 'in'
      ? sql`${column} = any(${value}::${type}[])`
      : sql`${column} ${OPERATOR_SQL[operator]} ${value}::${type}`;
  });
  return sql.join([scope, ...conditions], sql` and `);
}

type Direction = QueryShape['sortDirection'];

type SortedDefinition = { readonly columns: Columns; readonly alias: string };

/** Rows with the same value are ordered by time and id, so that no two pages show the same row. */
function sortColumns({ columns, alias }: SortedDefinition, field: string): SqlFragment[] {
  const order = [columnOf(columns, field), sql.ref(`${alias}.created_at`), sql.ref(`${alias}.id`)];
  return order.slice(field === 'createdAt' ? 1 : 0);
}

const orderBy = (columns: readonly SqlFragment[], direction: Direction) =>
  sql.join(columns.map((column) => sql`${column} ${sql.raw(direction)}`));

/** The count and the sums. They come from the tallies, without reading the items, when those know every filtered field. */
function buildTotals<R extends Caller['role'], Item>(
  definition: UntypedDefinition<R, Item>,
  page: Page<R>,
): SqlFragment {
  const { viewer, shape } = page;
  const { columns, sums, table } = definition;
  const tallyColumns: Columns = {
    status: sql`t.status collate "C"`,
    [`${viewer.role.toLowerCase()}Id`]: sql`t.person_id`,
  };
  const isTallied = shape.filters.every(({ field }) => Object.hasOwn(tallyColumns, field));
  const sumColumns = Object.entries(sums).map(([name, { tally }]) => {
    const column = isTallied ? sql.ref(`t.${tally}`) : columnOf(columns, name);
    return sql`, coalesce(sum(${column}), 0) as ${sql.ref(name)}`;
  });
  return isTallied
    ? sql`select coalesce(sum(${sql.ref(`t.${table}`)}), 0)::bigint as count${sql.join(sumColumns, sql``)}
        from ${sql.table(definition.tallies)} t
        where ${buildWhere(sql`t.person_id = ${viewer.id}::uuid`, definition, tallyColumns, page)}`
    : sql`select count(*) as count${sql.join(sumColumns, sql``)} from ${sql.table(table)} ${sql.ref(definition.alias)}
        where ${buildWhere(definition.scope(viewer), definition, columns, page)}`;
}

/** The columns of `page`, by which it is sorted. */
const PAGE_COLUMNS = { value: sql.ref('page.value'), created_at: sql.ref('page.created_at'), id: sql.ref('page.id') };
const pageColumns = (field: string): SqlFragment[] => Object.values(PAGE_COLUMNS).slice(field === 'createdAt' ? 1 : 0);

/** The ids of the page and what it is sorted by, from an index. Only then are whole rows read. */
function buildPage<R extends Caller['role'], Item>(definition: UntypedDefinition<R, Item>, page: Page<R>): SqlFragment {
  const { viewer, shape, limit, start } = page;
  const { sortField, sortDirection: direction } = shape;
  const columns = sortColumns(definition, sortField);
  const names = Object.keys(PAGE_COLUMNS).slice(-columns.length);
  const named = sql.join(columns.map((column, index) => sql`${column} as ${sql.ref(names[index] ?? '')}`));
  const where = buildWhere(definition.scope(viewer), definition, definition.columns, page);
  const select = (condition: SqlFragment, order: Direction, count: SqlFragment, skip: SqlFragment) =>
    sql`(select ${named} from ${sql.table(definition.table)} ${sql.ref(definition.alias)} where ${condition}
      order by ${orderBy(columns, order)} limit ${count} offset ${skip})`;
  if (shape.isAfter) {
    const isBeyond = sql`(${sql.join(columns)}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${sql.join(start)})`;
    return select(sql`${where} and ${isBeyond}`, direction, sql`${limit}::int`, sql`0`);
  }
  const reverse = direction === 'asc' ? 'desc' : 'asc';
  // A page is read from the nearer end of the list: the select from the other end has limit 0.
  const [offset] = start;
  const total = sql`(select count from totals)`;
  const isNearStart = sql`2 * ${offset}::bigint <= ${total}`;
  const left = sql`${total} - ${offset}::bigint`;
  const fromStart = select(
    where,
    direction,
    sql`case when ${isNearStart} then ${limit}::int else 0 end`,
    sql`${offset}::bigint`,
  );
  const fromEnd = select(
    where,
    reverse,
    sql`case when ${isNearStart} then 0 else greatest(least(${limit}::int, ${left}), 0) end`,
    sql`greatest(${left} - ${limit}::int, 0)`,
  );
  return sql`${fromStart} union all ${fromEnd}`;
}

/** The position of the last item of a full page, as the contract reads it. */
function buildNext({ shape, limit }: Pick<Page<never>, 'shape' | 'limit'>): Json<string | null> {
  const columns = pageColumns(shape.sortField);
  const { value, created_at, id } = PAGE_COLUMNS;
  const time = sql`to_char(${created_at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const position =
    columns.length > 2 ? sql`concat(${time}, '_', ${id}, '_', ${value})` : sql`concat(${time}, '_', ${id})`;
  const last = sql<string | null>`(select ${position} from page order by ${orderBy(columns, shape.sortDirection)}
    limit 1 offset ${limit}::int - 1)`;
  return orNull(quoted, last);
}

type ListPage<Item> = {
  data: { items: Item[]; totalCount: number; sumFields: Record<string, number>; next: string | null };
};

function buildListJson<R extends Caller['role'], Item extends object>(
  definition: UntypedDefinition<R, Item>,
  page: Page<R>,
): JsonSelect<ListPage<Item>> {
  const { viewer, shape } = page;
  const { sums } = definition;
  const sumFields = Object.fromEntries(
    shape.sumFields.map((name) => [`${name}TotalSum`, sums[name]?.toJson(sql.ref<number>(`totals.${name}`))]),
  ) as Record<string, Json<number>>;
  const json = object({
    data: object({
      items: list(
        object(definition.properties(viewer)),
        orderBy(sortColumns(definition, shape.sortField), shape.sortDirection),
        sql`page cross join lateral
          (select * from ${sql.table(definition.table)} whole where whole.id = page.id offset 0)
          ${sql.ref(definition.alias)} ${definition.joins(viewer)}`,
      ),
      totalCount: raw(sql<number>`totals.count`),
      sumFields: shape.sumFields.length === 0 ? emptyObject : object(sumFields),
      next: buildNext(page),
    }),
  });
  const steps = sql`totals as (${buildTotals(definition, page)}),
    page as materialized (${buildPage(definition, page)})`;
  return { with: steps, json, from: sql`totals` };
}

const pagesOfItems = new WeakMap<object, FieldTree>();

/** The fields of a whole answer with these fields of its items: the same tree for the same items, by which queries are kept. */
function pageFields(items: FieldTree): FieldTree {
  if (items === true) return ALL_FIELDS;
  const page = pagesOfItems.get(items) ?? {
    data: { items, totalCount: ALL_FIELDS, sumFields: ALL_FIELDS, next: ALL_FIELDS },
  };
  pagesOfItems.set(items, page);
  return page;
}

type ListParameters = [caller: string, now: Date, limit: number, ...values: unknown[]];

/** The parameters that say where a page begins. */
function startOf({ after, pageNumber, pageSize }: ListQuery): unknown[] {
  if (after === undefined) return [(pageNumber - 1) * pageSize];
  return [...(after.value === undefined ? [] : [after.value]), after.createdAt, after.id];
}

/** Prepares the query for pages of a list, with the count and the sums of all items that pass the filters. */
export function prepareList<C extends Caller, L extends ListShape, Item extends object>(
  definition: ListDefinition<C['role'], L, Item>,
) {
  const { item } = definition.list;
  const known = [defaultFields(item), ...definition.screenFields.map((paths) => fieldTree(item, paths, ITEM_FIELDS))]
    .filter((fields) => fields !== ALL_FIELDS)
    .map(pageFields);
  const queryFor = cacheByKey((key) => {
    const { role, shape } = JSON.parse(key) as { role: C['role']; shape: QueryShape };
    const filters = shape.filters.length;
    const starts = shape.isAfter ? sortColumns(definition, shape.sortField).length : 1;
    return prepareByFields<ListParameters, ListPage<Item>>(known, (part) =>
      prepareByPrivacy(
        (isCareful) =>
          (id, now, limit, ...values) => ({
            ...buildListJson(definition, {
              ...{ viewer: { role, id, now, isCareful }, shape, limit },
              ...{ filterValues: values.slice(0, filters), start: values.slice(filters) },
            }),
            applies: definition.isPrivacy(isCareful, now),
          }),
        { count: 3 + filters + starts, ...part },
      ),
    );
  });
  return (caller: C, query: ListQuery, now: Date): JsonQuery<ListPage<Item>> => {
    const read = queryFor(JSON.stringify({ role: caller.role, shape: queryShapeOf(query) }));
    const values = query.filters.map(({ field, value }) => toParameter(definition.list.filters[field], value));
    return read(pageFields(query.fields), caller.id, now, query.pageSize, ...values, ...startOf(query));
  };
}
