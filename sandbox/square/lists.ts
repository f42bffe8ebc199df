import type { SquareContext } from './createPayment.ts';
import { refreshPayment } from './payments.ts';
import { completePendingRefund } from './refunds.ts';
import type { SquareStore } from './store.ts';
import { type ApiResponse, type Payment, type Refund, refuse } from './types.ts';

type Query = Record<string, string | string[] | undefined>;
type ListItem = { id: string; created_at: string; updated_at: string; location_id: string };

const MAX_PAGE_SIZE = 100;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

export function listPayments(store: SquareStore, query: Query, place: SquareContext): ApiResponse {
  const rows = [...store.payments.values()].map((payment) => refreshPayment(store, payment, place));
  const matches = rows.filter(
    (payment) =>
      isFilterMatch(payment.card_details.card.last_4, readParam(query, 'last_4')) &&
      isFilterMatch(payment.card_details.card.card_brand, readParam(query, 'card_brand')) &&
      isFilterMatch(String(payment.total_money.amount), readParam(query, 'total')),
  );
  const { page, cursor } = paginate<Payment>(matches, query, place.now());
  return { status: 200, body: { ...(page.length ? { payments: page } : {}), ...(cursor ? { cursor } : {}) } };
}

export function listRefunds(store: SquareStore, query: Query, place: SquareContext): ApiResponse {
  const rows = [...store.refunds.values()].map((refund) => completePendingRefund(store, refund, place));
  const matches = rows.filter(
    (refund) =>
      isFilterMatch(refund.status, readParam(query, 'status')) &&
      isFilterMatch(refund.destination_type, readParam(query, 'source_type')),
  );
  const { page, cursor } = paginate<Refund>(matches, query, place.now());
  return { status: 200, body: { ...(page.length ? { refunds: page } : {}), ...(cursor ? { cursor } : {}) } };
}

function paginate<R extends ListItem>(rows: R[], query: Query, now: Date): { page: R[]; cursor?: string } {
  const field = readSortField(query);
  const direction = readSortOrder(query) === 'ASC' ? 1 : -1;
  const begin = readTime(query, 'begin_time') ?? new Date(now.getTime() - YEAR_MS).toISOString();
  const end = readTime(query, 'end_time');
  const updatedBegin = readTime(query, 'updated_at_begin_time');
  const updatedEnd = readTime(query, 'updated_at_end_time');
  const matches = rows.filter(
    (row) =>
      row.created_at >= begin &&
      (end === undefined || row.created_at < end) &&
      (updatedBegin === undefined || row.updated_at >= updatedBegin) &&
      (updatedEnd === undefined || row.updated_at < updatedEnd) &&
      isFilterMatch(row.location_id, readParam(query, 'location_id')),
  );
  const place = (row: R) => `${row[field]} ${row.id}`;
  const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -direction : direction);
  matches.sort((a, b) => compare(place(a), place(b)));
  const after = readCursor(query);
  const rest = after === undefined ? matches : matches.filter((row) => compare(place(row), after) > 0);
  const page = rest.slice(0, readLimit(query));
  const last = page.at(-1);
  if (!last || page.length === rest.length) return { page };
  return { page, cursor: Buffer.from(place(last)).toString('base64url') };
}

function readParam(query: Query, name: string): string | undefined {
  const value = query[name];
  return (Array.isArray(value) ? value[0] : value) || undefined;
}

function isFilterMatch(actual: string, wanted: string | undefined): boolean {
  return wanted === undefined || actual === wanted;
}

function readTime(query: Query, name: string): string | undefined {
  const text = readParam(query, name);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw refuse('INVALID_TIME', `\`${text}\` is not a valid RFC 3339 time.`, name);
  return time.toISOString();
}

function readSortOrder(query: Query): 'ASC' | 'DESC' {
  const order = readParam(query, 'sort_order') ?? 'DESC';
  if (order === 'ASC' || order === 'DESC') return order;
  throw refuse('INVALID_SORT_ORDER', `\`${order}\` is not a valid sort order.`, 'sort_order');
}

function readSortField(query: Query): 'created_at' | 'updated_at' {
  const field = readParam(query, 'sort_field') ?? 'CREATED_AT';
  if (field === 'CREATED_AT') return 'created_at';
  if (field === 'UPDATED_AT') return 'updated_at';
  throw refuse('INVALID_ENUM_VALUE', `\`${field}\` is not a valid enum value for \`sort_field\`.`, 'sort_field');
}

// As with Square, a limit above the maximum is not an error: the maximum applies.
function readLimit(query: Query): number {
  const text = readParam(query, 'limit');
  if (text === undefined) return MAX_PAGE_SIZE;
  if (!/^\d+$/.test(text)) throw refuse('EXPECTED_INTEGER', 'Expected an integer value.', 'limit');
  if (Number(text) < 1) throw refuse('VALUE_TOO_LOW', 'Must be greater than or equal to 1.', 'limit');
  return Math.min(Number(text), MAX_PAGE_SIZE);
}

function readCursor(query: Query): string | undefined {
  const text = readParam(query, 'cursor');
  if (text === undefined) return undefined;
  const place = Buffer.from(text, 'base64url').toString();
  if (!/^\d{4}-\S+Z \S+$/.test(place)) throw refuse('INVALID_CURSOR', 'The cursor is not valid.', 'cursor');
  return place;
}
