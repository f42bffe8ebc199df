import { DELIVERY_LIST } from '../contract/deliveries.ts';
import type { Filter, ListShape, Operator } from '../contract/lists.ts';
import { ORDER_LIST } from '../contract/orders.ts';

export type Item = { readonly id: string } & Readonly<Record<string, unknown>>;
export type ListQuery = {
  pageNumber?: number;
  pageSize?: number;
  sortField?: string;
  sortDirection?: 'asc' | 'desc';
  filters?: Filter[];
  sumFields?: string[];
  fields?: string[];
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

/** What a field is compared by: an order's price is its total. */
function keyOf(item: Item, field: string): string | number | boolean | null {
  const value = item[field];
  if (field === 'createdAt') return new Date(value as string).getTime();
  if (field === 'price' && typeof value === 'object') return (value as { totalPrice: number }).totalPrice;
  return value as string | number | boolean | null;
}

const compare = (a: string | number | boolean, b: string | number | boolean) => (a < b ? -1 : a > b ? 1 : 0);

function isMatch(item: Item, { field, operator, value }: Filter): boolean {
  const own = keyOf(item, field);
  const given = (one: unknown) =>
    (field === 'createdAt' ? new Date(one as string).getTime() : one) as string | number | boolean;
  if (operator === 'in') return own !== null && (value as unknown[]).some((one) => given(one) === own);
  // A delivery that nobody has taken is not a given Duber's, and neither before nor after one.
  if (own === null) return operator === 'ne';
  const order = compare(own, given(value));
  const verdicts: Record<Exclude<Operator, 'in'>, boolean> = {
    eq: order === 0,
    ne: order !== 0,
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  };
  return verdicts[operator];
}

/** The list as the plainest program there is would make it. */
export function queryReferenceModel(rows: readonly Item[], query: ListQuery) {
  const { pageNumber = 1, pageSize = 10, sortField = 'createdAt', sortDirection = 'desc', filters = [] } = query;
  const { sumFields = [], fields = [] } = query;
  const left = rows.filter((item) => filters.every((filter) => isMatch(item, filter)));
  const sign = sortDirection === 'asc' ? 1 : -1;
  const sorted = left.toSorted(
    (a, b) =>
      sign *
      (compare(keyOf(a, sortField) ?? '', keyOf(b, sortField) ?? '') ||
        compare(keyOf(a, 'createdAt') ?? '', keyOf(b, 'createdAt') ?? '') ||
        compare(a.id, b.id)),
  );
  const page = sorted.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  const picked = page.map((item) =>
    fields.length === 0
      ? item
      : Object.fromEntries(Object.entries(item).filter(([name]) => name === 'id' || fields.includes(name))),
  );
  const sum = (name: string) =>
    left.reduce((cents, item) => cents + Math.round((keyOf(item, name) as number) * 100), 0);
  return {
    items: picked,
    totalCount: left.length,
    sumFields: Object.fromEntries(sumFields.map((name) => [`${name}TotalSum`, sum(name) / 100])),
  };
}

export function toQueryString(query: ListQuery): string {
  const { filters, sumFields, fields, ...plain } = query;
  const entries = Object.entries(plain).map(([name, value]): [string, string] => [name, String(value)]);
  const given = new URLSearchParams(entries);
  if (filters) given.set('filters', JSON.stringify(filters));
  if (sumFields) given.set('sumFields', sumFields.join(','));
  if (fields) given.set('fields', fields.join(','));
  return `?${given}`;
}
