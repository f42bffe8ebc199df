import { Agent, type IncomingMessage, request } from 'node:http';
import { API } from '../contract/api.ts';
import type { Call } from '../contract/call.ts';
import { streamEvents } from '../contract/events.ts';
import { OPERATORS } from '../contract/lists.ts';
import { TEST_CARD } from '../testing/orderSteps.ts';
import { PASSWORD } from '../testing/testServer.ts';
import { asText, type FuzzOptions, generateValue, pick, pickHostileValue } from './fuzzValues.ts';

/** What there is to name in requests. */
export type KnownData = {
  readonly ids: readonly string[];
  readonly emails: readonly string[];
  readonly tokens: Tokens;
};
type Tokens = Readonly<Record<'Bud' | 'Scrub' | 'Duber', readonly string[]>>;

export type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
};
export type Reply = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly text: string };

// Those that hash a password or send a mail cost so much that a few of them are enough.
const EXPENSIVE_CALLS = new Set<Call>([
  API.login,
  API.signUp,
  API.resetPassword,
  API.sendOtpForEmail,
  API.forgotPassword,
]);
const CALLS: readonly Call[] = [...Object.values(API), streamEvents];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
const CARDS = [TEST_CARD, 'cnon:card-nonce-declined', 'cnon:card-nonce-rejected-cvv', 'ccof:unknown', 'x'];

const VALUES_BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  password: [PASSWORD, 'Wrong123!'],
  newPassword: [PASSWORD],
  emailOtp: ['123456', '000000'],
  phone: ['+12025550123', '+442079460000'],
  role: ['Bud', 'Scrub', 'Duber'],
  latitude: [24, 24.001, '24', '24.001'],
  longitude: [67, 67.001, '67', '67.001'],
  rating: [1, 5],
  message: ['Everything came back fresh and folded.'],
  paymentSourceId: CARDS,
  maxDistanceMeters: ['1', '5000', '50000'],
  pageNumber: ['1', '2', '999999', '1000000'],
  pageSize: ['1', '10', '100'],
  sumFields: ['price', 'price,scrubEarning', 'distanceInMeters'],
  fields: ['id,status', 'price,reviews,deliveries', 'order'],
  sortField: ['createdAt', 'status', 'price', 'distanceInMeters'],
};

/** Dice that know what is there. */
export function createFuzzOptions(
  random: FuzzOptions['random'],
  { ids, emails }: KnownData,
  wildness: number,
): FuzzOptions {
  const dice: FuzzOptions = {
    random,
    hostileRate: wildness,
    knownValues: (name) => {
      if (/^id$|Id$/.test(name) && name !== 'paymentSourceId') return ids;
      if (name === 'email') return emails;
      return name === 'filters' ? [generateFilters(dice, ids)] : (VALUES_BY_NAME[name] ?? []);
    },
  };
  return dice;
}

const ID_FIELDS = ['id', 'budId', 'scrubId', 'duberId', 'orderId'];
// One kind as often as another.
const FILTER_FIELD_GROUPS = [ID_FIELDS, ['status', 'loadSize'], ['selfDelivery'], ['createdAt']];
// Those that are times to somebody, and not to everybody.
const EDGE_CASE_TIMES = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.123456789+05:30',
  '0000-01-01T00:00:00Z',
  '0000-06-15T12:00:00.5Z',
  '0000-12-31T23:59:59+01:00',
  '2026-01-01T00:00:00-20:00',
  '2026-06-15T12:00:00+23:59',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-01-01T00:00:00+15:59',
  '2026-01-01T00:00:00-23:59',
  '2024-02-29T23:59:59Z',
];
const FILTER_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  createdAt: EDGE_CASE_TIMES,
  status: ['Requested', 'Pending', 'Delivered', 'Completed'],
  loadSize: ['Small', 'Large'],
  selfDelivery: [true, false],
};

function generateFilters(dice: FuzzOptions, ids: readonly string[]): string {
  const { random, hostileRate: wildness } = dice;
  const one = () => {
    const [field, operator] = [pick(random, pick(random, FILTER_FIELD_GROUPS)), pick(random, OPERATORS)];
    const value = () =>
      random() < wildness ? pickHostileValue(dice) : pick<unknown>(random, FILTER_VALUES[field] ?? ids);
    const list = Array.from({ length: random() * 4 }, value);
    return { field, operator, value: operator === 'in' ? list : value() };
  };
  const all = Array.from({ length: random() * 4 }, one);
  return JSON.stringify(random() < wildness ? pickHostileValue(dice) : all) ?? '';
}

/** A request to some call: by the rightful role mostly, and mostly nearly right. */
export function generateRequest(dice: FuzzOptions, { tokens }: KnownData): Request {
  const { random } = dice;
  let call = pick(random, CALLS);
  if (EXPENSIVE_CALLS.has(call) && random() < 0.8) call = pick(random, CALLS);
  const headers = generateHeaders(dice, call, tokens);
  const body = call.body ? generateBody(dice, generateValue(dice, call.body), headers) : undefined;
  const method = random() < 0.03 ? pick(random, METHODS) : call.method;
  return { method, path: `/api${generatePath(dice, call)}`, headers, body: method === 'GET' ? undefined : body };
}

function generateHeaders(dice: FuzzOptions, call: Call, tokens: Tokens): Record<string, string> {
  const { random, hostileRate: wildness } = dice;
  const headers: Record<string, string> = {};
  const role =
    call.who !== 'anyone' && random() < 0.9 ? pick(random, call.who) : pick(random, ['Bud', 'Scrub', 'Duber']);
  if (random() < 0.97) headers.authorization = `Bearer ${pick(random, tokens[role as keyof Tokens])}`;
  const odd = () => toPrintable(asText(pickHostileValue(dice)));
  if (call.idempotent && random() < 0.5) headers['idempotency-key'] = random() < wildness ? odd() : `key-${random()}`;
  if (random() < wildness / 2) headers['last-event-id'] = random() < 0.5 ? odd() : '9223372036854775807-1';
  if (random() < wildness / 4) headers['x-forwarded-for'] = odd();
  if (random() < wildness / 8) headers.authorization = odd();
  // Whoever signs out is of no use to the requests that follow.
  if (call === API.logout) headers.authorization = `Bearer ${odd()}`;
  return headers;
}

// What a header and an address may hold at all.
const toPrintable = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?').trim();

function generatePath(dice: FuzzOptions, call: Call): string {
  const { random, hostileRate: wildness } = dice;
  const params = (call.params ? generateValue(dice, call.params) : {}) as Record<string, unknown>;
  const made = call.query ? generateValue(dice, call.query) : {};
  const query = (typeof made === 'object' ? made : { made }) as Record<string, unknown> | null;
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encode(params?.[name]) || 'x');
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (random() < wildness / 4) pairs.push(pick(random, pairs) ?? ['a', pickHostileValue(dice)]);
  const search = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const broken = random() < wildness / 8 ? pick(random, ['%', '%ff', '%00', '&=&', '?', '#', '%c0%af']) : '';
  return `${path}${search && `?${search}`}${broken}`;
}

function encode(value: unknown): string {
  return encodeURIComponent(asText(value).toWellFormed());
}

function generateBody(
  { random, hostileRate: wildness }: FuzzOptions,
  value: unknown,
  headers: Record<string, string>,
): Buffer {
  headers['content-type'] = 'application/json';
  let bytes = Buffer.from(JSON.stringify(value) ?? '');
  if (random() > wildness / 2) return bytes;
  const at = Math.floor(random() * bytes.length);
  const ways: (() => void)[] = [
    () => (bytes = bytes.subarray(0, at)),
    () => bytes.writeUInt8(Math.floor(random() * 256), at),
    () => (bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xfe, 0]), bytes.subarray(at)])),
    () => (bytes = Buffer.concat([Buffer.from('\ufeff'), bytes])),
    () => (bytes = Buffer.from(`{"a":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_001)}`)),
    () => (bytes = Buffer.from('1e999')),
    () =>
      (headers['content-type'] = pick(random, [
        'text/plain',
        'application/json; charset=utf-7',
        'multipart/form-data',
        'x',
      ])),
    () => (headers['content-encoding'] = pick(random, ['gzip', 'br', 'x'])),
    () => (headers.expect = '100-continue'),
  ];
  if (bytes.length > 0) pick(random, ways)();
  return bytes;
}

const REQUEST_TIMEOUT_MS = 20_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends it as it is. Fails when no answer comes, or only after so long that it hangs. */
export function send(url: string, { method, path, headers, body }: Request): Promise<Reply> {
  return new Promise((resolve, reject) => {
    // Node would send the body of a HEAD without saying how long it is.
    const length = body ? { 'content-length': String(body.length) } : {};
    const asked = request(url + path, {
      method,
      agent,
      headers: { ...headers, ...length },
      timeout: REQUEST_TIMEOUT_MS,
    });
    asked.on('timeout', () => asked.destroy(new Error('it hangs')));
    asked.on('error', reject);
    asked.on('response', (answer) => {
      const done = (text: string) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      if (answer.headers['content-type']?.startsWith('text/event-stream')) {
        asked.destroy();
        asked.removeAllListeners('error').on('error', () => undefined);
        return done('');
      }
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => done(Buffer.concat(pieces).toString('utf8')));
      answer.on('error', reject);
    });
    asked.end(body);
  });
}
