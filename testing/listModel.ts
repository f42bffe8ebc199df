import { DELIVERY_LIST } from '../contract/deliveries.ts';
import type { Filter, ListShape, Operator } from '../contract/lists.ts';
import { ORDER_LIST } from '../contract/orders.ts';
import { parseOrderNumber } from '../domain/orders.ts';
import { defaultValue, partialValue, pathsOf } from './partialSchema.ts';

export type Item = { readonly id: string } & Readonly<Record<string, unknown>>;
export type ListQuery = {
  pageNumber?: number;
  pageSize?: number;
  after?: string;
  sortField?: string;
  sortDirection?: 'asc' | 'desc';
  filters?: Filter[];
  sumFields?: string[];
  fields?: readonly string[];
};
export type List = {
  readonly call: 'listOrders' | 'listDeliveries';
  readonly path: string;
  readonly shape: ListShape;
};

export const LISTS: readonly List[] = [
  { call: 'listOrders', path: '/scrub-orders', shape: ORDER_LIST },
  { call: 'listDeliveries', path: '/deliveries', shape: DELIVERY_LIST },
];

/** The value that a field is filtered and sorted by; of a price, the total. */
function keyOf(item: Item, field: string): string | number | boolean | null {
  const value = item[field];
  if (field === 'createdAt') return new Date(value as string).getTime();
  if (field === 'number') return parseOrderNumber(value as string) ?? null;
  if (field === 'price' && typeof value === 'object') return (value as { totalPrice: number }).totalPrice;
  return value as string | number | boolean | null;
}

const compare = (a: string | number | boolean, b: string | number | boolean) => (a < b ? -1 : a > b ? 1 : 0);

function isMatch(item: Item, { field, operator, value }: Filter): boolean {
  const actual = keyOf(item, field);
  const expected = (one: unknown) => {
    if (field === 'number') return parseOrderNumber(one as string) ?? Number.NaN;
    return (field === 'createdAt' ? new Date(one as string).getTime() : one) as string | number | boolean;
  };
  if (operator === 'in') return actual !== null && (value as unknown[]).some((one) => expected(one) === actual);
  // A delivery without a Duber only matches "not this Duber".
  if (actual === null) return operator === 'ne';
  const order = compare(actual, expected(value));
  const results: Record<Exclude<Operator, 'in'>, boolean> = {
    eq: order === 0,
    ne: order !== 0,
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  };
  return results[operator];
}

/** The properties of the items of a list without properties of their own. An item by itself may have more. */
function leavesOf(item: List['shape']['item']): string[] {
  const paths = pathsOf(item);
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`)));
}

/** The `next` of a page that ends with the item. Money is in cents there. */
export function positionOf(item: Item, sortField: string): string {
  const key = keyOf(item, sortField);
  const value = typeof key === 'number' && sortField !== 'distanceInMeters' ? Math.round(key * 100) : key;
  const time = new Date(item.createdAt as string).toISOString().replace('Z', '000Z');
  return [time, item.id, ...(sortField === 'createdAt' ? [] : [value])].join('_');
}

/** A plain implementation of lists, to compare the server with. */
export function queryReferenceModel({ shape }: List, rows: readonly Item[], query: ListQuery) {
  const { pageNumber = 1, pageSize = 10, sortField = 'createdAt', sortDirection = 'desc', filters = [] } = query;
  const { sumFields = [], fields = [], after } = query;
  const matching = rows.filter((item) => filters.every((filter) => isMatch(item, filter)));
  const sign = sortDirection === 'asc' ? 1 : -1;
  const compareItems = (a: Item, b: Item) =>
    sign *
    (compare(keyOf(a, sortField) ?? '', keyOf(b, sortField) ?? '') ||
      compare(keyOf(a, 'createdAt') ?? '', keyOf(b, 'createdAt') ?? '') ||
      compare(a.id, b.id));
  const last = rows.find((item) => positionOf(item, sortField) === after);
  const sorted = matching.toSorted(compareItems).filter((item) => !last || compareItems(item, last) > 0);
  const items = sorted.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  const [lastOfPage] = items.slice(pageSize - 1);
  const page = partialValue(items, leavesOf(shape.item));
  const sum = (name: string) =>
    matching.reduce((cents, item) => cents + Math.round((keyOf(item, name) as number) * 100), 0);
  return {
    items: fields.length === 0 ? defaultValue(page, shape.item) : partialValue(page, ['id', ...fields]),
    totalCount: matching.length,
    sumFields: Object.fromEntries(sumFields.map((name) => [`${name}TotalSum`, sum(name) / 100])),
    next: lastOfPage ? positionOf(lastOfPage, sortField) : null,
  };
}

export function toQueryString(query: ListQuery): string {
  const { filters, sumFields, fields, ...plain } = query;
  const entries = Object.entries(plain).map(([name, value]): [string, string] => [name, String(value)]);
  const parameters = new URLSearchParams(entries);
  if (filters) parameters.set('filters', JSON.stringify(filters));
  if (sumFields) parameters.set('sumFields', sumFields.join(','));
  if (fields) parameters.set('fields', fields.join(','));
  return `?${parameters}`;
}
