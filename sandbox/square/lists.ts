import type { Place } from './create.ts';
import { ripen } from './payments.ts';
import { ripenRefund } from './refunds.ts';
import type { Books } from './store.ts';
import { type Answer, type Payment, type Refund, refuse } from './types.ts';

type Query = Record<string, string | string[] | undefined>;
type Row = { id: string; created_at: string; updated_at: string; location_id: string };

const LARGEST_PAGE = 100;
const YEAR = 365 * 24 * 60 * 60 * 1000;

export function listPayments(books: Books, query: Query, place: Place): Answer {
  const rows = [...books.payments.values()].map((payment) => ripen(books, payment, place));
  const matches = rows.filter(
    (payment) =>
      hasValue(payment.card_details.card.last_4, read(query, 'last_4')) &&
      hasValue(payment.card_details.card.card_brand, read(query, 'card_brand')) &&
      hasValue(String(payment.total_money.amount), read(query, 'total')),
  );
  const { page, cursor } = turnPage<Payment>(matches, query, place.now());
  return { status: 200, body: { ...(page.length ? { payments: page } : {}), ...(cursor ? { cursor } : {}) } };
}

export function listRefunds(books: Books, query: Query, place: Place): Answer {
  const rows = [...books.refunds.values()].map((refund) => ripenRefund(books, refund, place));
  const matches = rows.filter(
    (refund) =>
      hasValue(refund.status, read(query, 'status')) && hasValue(refund.destination_type, read(query, 'source_type')),
  );
  const { page, cursor } = turnPage<Refund>(matches, query, place.now());
  return { status: 200, body: { ...(page.length ? { refunds: page } : {}), ...(cursor ? { cursor } : {}) } };
}

function turnPage<R extends Row>(rows: R[], query: Query, now: Date): { page: R[]; cursor?: string } {
  const field = readField(query);
  const direction = readOrder(query) === 'ASC' ? 1 : -1;
  const begin = readTime(query, 'begin_time') ?? new Date(now.getTime() - YEAR).toISOString();
  const end = readTime(query, 'end_time');
  const updatedBegin = readTime(query, 'updated_at_begin_time');
  const updatedEnd = readTime(query, 'updated_at_end_time');
  const matches = rows.filter(
    (row) =>
      row.created_at >= begin &&
      (end === undefined || row.created_at < end) &&
      (updatedBegin === undefined || row.updated_at >= updatedBegin) &&
      (updatedEnd === undefined || row.updated_at < updatedEnd) &&
      hasValue(row.location_id, read(query, 'location_id')),
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

function read(query: Query, name: string): string | undefined {
  const value = query[name];
  return (Array.isArray(value) ? value[0] : value) || undefined;
}

function hasValue(actual: string, wanted: string | undefined): boolean {
  return wanted === undefined || actual === wanted;
}

function readTime(query: Query, name: string): string | undefined {
  const text = read(query, name);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw refuse('INVALID_TIME', `\`${text}\` is not a valid RFC 3339 time.`, name);
  return time.toISOString();
}

function readOrder(query: Query): 'ASC' | 'DESC' {
  const order = read(query, 'sort_order') ?? 'DESC';
  if (order === 'ASC' || order === 'DESC') return order;
  throw refuse('INVALID_SORT_ORDER', `\`${order}\` is not a valid sort order.`, 'sort_order');
}

function readField(query: Query): 'created_at' | 'updated_at' {
  const field = read(query, 'sort_field') ?? 'CREATED_AT';
  if (field === 'CREATED_AT') return 'created_at';
  if (field === 'UPDATED_AT') return 'updated_at';
  throw refuse('INVALID_ENUM_VALUE', `\`${field}\` is not a valid enum value for \`sort_field\`.`, 'sort_field');
}

// More than the largest page is not an error on the real wire: the largest page is what one gets.
function readLimit(query: Query): number {
  const text = read(query, 'limit');
  if (text === undefined) return LARGEST_PAGE;
  if (!/^\d+$/.test(text)) throw refuse('EXPECTED_INTEGER', 'Expected an integer value.', 'limit');
  if (Number(text) < 1) throw refuse('VALUE_TOO_LOW', 'Must be greater than or equal to 1.', 'limit');
  return Math.min(Number(text), LARGEST_PAGE);
}

function readCursor(query: Query): string | undefined {
  const text = read(query, 'cursor');
  if (text === undefined) return undefined;
  const place = Buffer.from(text, 'base64url').toString();
  if (!/^\d{4}-\S+Z \S+$/.test(place)) throw refuse('INVALID_CURSOR', 'The cursor is not valid.', 'cursor');
  return place;
}
