import { createHash } from 'node:crypto';
import { type Money, refuse } from './types.ts';

export type Body = Record<string, unknown>;

export function readBody(body: unknown, known: readonly string[]): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuse('EXPECTED_JSON_BODY', 'A JSON object is expected in the body of the request.');
  }
  for (const field of Object.keys(body)) {
    if (!known.includes(field)) throw refuse('BAD_REQUEST', `The field named '${field}' is unrecognized`, field);
  }
  return body as Body;
}

/** As with Square, null counts as absent. */
export function readText(body: Body, field: string, longest: number): string | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw refuse('EXPECTED_STRING', 'Expected a string value.', field);
  if (value.length > longest) {
    throw refuse('VALUE_TOO_LONG', `Field must not be greater than ${longest} in length`, field);
  }
  return value;
}

export function requireText(body: Body, field: string, longest: number): string {
  const value = readText(body, field, longest);
  if (value === undefined) throw refuse('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', field);
  if (value.trim() === '') throw refuse('VALUE_EMPTY', 'Field must not be blank', field);
  return value;
}

export function readBoolean(body: Body, field: string, otherwise: boolean): boolean {
  const value = body[field] ?? otherwise;
  if (typeof value !== 'boolean') throw refuse('EXPECTED_BOOLEAN', 'Expected a boolean value.', field);
  return value;
}

/** Amounts are whole cents. */
export function readMoney(body: Body, field: string): Money | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'object') throw refuse('EXPECTED_OBJECT', 'Expected an object value.', field);
  const { amount, currency } = value as Body;
  if (amount === undefined || amount === null) {
    throw refuse('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${field}.amount`);
  }
  if (!Number.isSafeInteger(amount)) throw refuse('EXPECTED_INTEGER', 'Expected an integer value.', `${field}.amount`);
  if (currency === undefined || currency === null) {
    throw refuse('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${field}.currency`);
  }
  if (typeof currency !== 'string') throw refuse('EXPECTED_STRING', 'Expected a string value.', `${field}.currency`);
  if (currency !== 'USD') {
    const detail = `This merchant can only process payments in USD, but amount was provided in ${currency}.`;
    throw refuse('INVALID_VALUE', detail, `${field}.currency`);
  }
  if (Number(amount) < 0) throw refuse('VALUE_TOO_LOW', 'Must be greater than or equal to 0.', `${field}.amount`);
  return { amount: Number(amount), currency };
}

export function requireMoney(body: Body, field: string, least: number): Money {
  const money = readMoney(body, field);
  if (!money) throw refuse('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', field);
  if (money.amount < least) {
    throw refuse('VALUE_TOO_LOW', `Must be greater than or equal to ${least}.`, `${field}.amount`);
  }
  return money;
}

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/** Milliseconds. A card that is not present can be held for one minute to seven days. */
export function readDuration(text: string, field: string): number {
  const [, days, hours, minutes, seconds] = DURATION.exec(text) ?? [];
  const length = ((Number(days ?? 0) * 24 + Number(hours ?? 0)) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  const total = length + Number(seconds ?? 0) * 1000;
  if (!DURATION.test(text) || total < MINUTE_MS || total > WEEK_MS) {
    throw refuse('INVALID_VALUE', `${field} must be an RFC 3339 duration between PT1M and P7D.`, field);
  }
  return total;
}

/** The same request has the same fingerprint, independent of the order of its fields. */
export function fingerprint(body: Body): string {
  return createHash('sha256')
    .update(JSON.stringify(sortFields(body)))
    .digest('base64url');
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sortFields(inner)]));
}
