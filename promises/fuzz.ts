import { Agent, type IncomingMessage, request } from 'node:http';
import { API } from '../contract/api.ts';
import type { Call, CallShape } from '../contract/call.ts';
import { streamEvents } from '../contract/events.ts';
import { OPERATORS } from '../contract/lists.ts';
import { PHOTO_TYPES } from '../domain/files.ts';
import { FIELDS_OF_CALLS } from '../testing/fieldSets.ts';
import { TEST_CARD } from '../testing/orderSteps.ts';
import { SMALL_PHOTO } from '../testing/photos.ts';
import { PASSWORD } from '../testing/testServer.ts';
import { asText, type FuzzOptions, generateValue, pick, pickHostileValue } from './fuzzValues.ts';

/** Existing data that requests refer to. */
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

// Calls that hash a password, send mail or decode a photo are slow, so they are sent less often.
const EXPENSIVE_CALLS = new Set<Call>([
  API.login,
  API.signUp,
  API.resetPassword,
  API.sendOtpForEmail,
  API.forgotPassword,
  API.changePassword,
  API.sendEmailChangeCodes,
  API.exportPersonalData,
  API.eraseAccount,
  API.createFile,
]);
const CALLS: readonly Call[] = [...Object.values(API), streamEvents];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
const CARDS = [TEST_CARD, 'cnon:card-nonce-declined', 'cnon:card-nonce-rejected-cvv', 'ccof:unknown', 'x'];

// Times that some parsers accept and others reject.
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
const WINDOW_TIMES = ['2026-12-04T17:00:00.000Z', ...EDGE_CASE_TIMES];

const VALUES_BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  password: [PASSWORD, 'Wrong123!'],
  newPassword: [PASSWORD],
  currentPassword: ['Wrong123!'],
  emailOtp: ['123456', '000000'],
  oldCode: ['123456'],
  newCode: ['000000'],
  newEmail: ['moved@rubadub.test'],
  phone: ['+12025550123', '+442079460000'],
  role: ['Bud', 'Scrub', 'Duber'],
  latitude: [24, 24.001, '24', '24.001'],
  longitude: [67, 67.001, '67', '67.001'],
  rating: [1, 5],
  reason: ['ill', 'unsafe', 'nobody-home', 'other', 'too-busy', 'changed-mind'],
  words: ['The street is flooded.'],
  pin: ['4821', '0000'],
  bags: [1, 2, 20],
  code: ['7KQ2MB', '7kq2mb', 'https://rubadub.test/b/7KQ2MB', '0OIL11'],
  bagCodes: ['7KQ2MB', '7kq2mb'],
  message: ['Everything came back fresh and folded.'],
  paymentSourceId: CARDS,
  maxDistanceMeters: ['1', '5000', '50000'],
  pageNumber: ['1', '2', '999999', '1000000'],
  pageSize: ['1', '10', '100'],
  after: [
    '2026-11-21T12:00:00.000000Z_0192f0c1-7a3b-7c4d-8e5f-0123456789ab',
    '2026-11-21T12:00:00.000000Z_0192f0c1-7a3b-7c4d-8e5f-0123456789ab_In_Progress',
    '2999-01-01T00:00:00+14:00_0192f0c1-7a3b-7c4d-8e5f-0123456789ab_2683',
  ],
  sumFields: ['price', 'price,scrubEarning', 'distanceInMeters'],
  fields: [
    'id,status',
    'price,reviews,deliveries',
    'order',
    'scrub.fullname',
    'status,statusHistory.createdAt,scrub.addresses.latitude',
    'delivery.order.bud,distanceMeters',
    'latestDeliveries.bud,pendingDeliveries.delivery.id,activeDelivery.duber.phone',
    'totalSpent,latestScrubOrders.scrub.addresses.address,latestJobs.bud.email',
    ...Object.values(FIELDS_OF_CALLS).flatMap(({ screenSets }) => screenSets.map((fields) => fields.join())),
  ],
  items: [[{ what: 'Blue shirt', kind: 'missing', worth: 40, ageMonths: 2, asked: 20 }]],
  fileIds: [['0192f0c1-7a3b-7c4d-8e5f-0123456789ab']],
  fee: [0, 5.99],
  pickupFrom: WINDOW_TIMES,
  pickupUntil: WINDOW_TIMES,
  returnFrom: WINDOW_TIMES,
  returnUntil: WINDOW_TIMES,
  sortField: ['createdAt', 'status', 'price', 'distanceInMeters'],
};

export function createFuzzOptions(
  random: FuzzOptions['random'],
  { ids, emails }: KnownData,
  hostileRate: number,
): FuzzOptions {
  const options: FuzzOptions = {
    random,
    hostileRate,
    knownValues: (name) => {
      if (/^id$|Id$/.test(name) && name !== 'paymentSourceId') return ids;
      if (name === 'email') return emails;
      return name === 'filters' ? [generateFilters(options, ids)] : (VALUES_BY_NAME[name] ?? []);
    },
  };
  return options;
}

const ID_FIELDS = ['id', 'budId', 'scrubId', 'duberId', 'orderId'];
// Each group is equally likely, so that ids do not crowd out the others.
const FILTER_FIELD_GROUPS = [ID_FIELDS, ['status', 'loadSize'], ['selfDelivery'], ['createdAt']];
const FILTER_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  createdAt: EDGE_CASE_TIMES,
  status: ['Requested', 'Pending', 'Delivered', 'Completed'],
  loadSize: ['Small', 'Large'],
  selfDelivery: [true, false],
};

function generateFilters(options: FuzzOptions, ids: readonly string[]): string {
  const { random, hostileRate } = options;
  const one = () => {
    const [field, operator] = [pick(random, pick(random, FILTER_FIELD_GROUPS)), pick(random, OPERATORS)];
    const value = () =>
      random() < hostileRate ? pickHostileValue(options) : pick<unknown>(random, FILTER_VALUES[field] ?? ids);
    const list = Array.from({ length: random() * 4 }, value);
    return { field, operator, value: operator === 'in' ? list : value() };
  };
  const all = Array.from({ length: random() * 4 }, one);
  return JSON.stringify(random() < hostileRate ? pickHostileValue(options) : all) ?? '';
}

/** A request to a random call, usually by a permitted role and nearly valid. */
export function generateRequest(options: FuzzOptions, { tokens }: KnownData): Request {
  const { random } = options;
  let call = pick(random, CALLS);
  if (EXPENSIVE_CALLS.has(call) && random() < 0.8) call = pick(random, CALLS);
  const headers = generateHeaders(options, call, tokens);
  const body = generateBody(options, call, headers);
  const method = random() < 0.03 ? pick(random, METHODS) : call.method;
  return { method, path: `/api${generatePath(options, call)}`, headers, body: method === 'GET' ? undefined : body };
}

function generateHeaders(options: FuzzOptions, call: Call, tokens: Tokens): Record<string, string> {
  const { random, hostileRate } = options;
  const headers: Record<string, string> = {};
  const role =
    call.who !== 'anyone' && random() < 0.9 ? pick(random, call.who) : pick(random, ['Bud', 'Scrub', 'Duber']);
  if (random() < 0.97) headers.authorization = `Bearer ${pick(random, tokens[role as keyof Tokens])}`;
  const hostileText = () => toPrintable(asText(pickHostileValue(options)));
  if (call.idempotent && random() < 0.5)
    headers['idempotency-key'] = random() < hostileRate ? hostileText() : `key-${random()}`;
  if (random() < hostileRate / 2) headers['last-event-id'] = random() < 0.5 ? hostileText() : '9223372036854775807-1';
  if (random() < hostileRate / 4) headers['x-forwarded-for'] = hostileText();
  if (random() < hostileRate / 8) headers.authorization = hostileText();
  // A real logout would end the session for the requests that follow.
  if (call === API.logout) headers.authorization = `Bearer ${hostileText()}`;
  return headers;
}

// Headers and URLs may hold printable ASCII only.
const toPrintable = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?').trim();

export function generatePath(options: FuzzOptions, call: CallShape): string {
  const { random, hostileRate } = options;
  const params = (call.params ? generateValue(options, call.params) : {}) as Record<string, unknown>;
  const generated = call.query ? generateValue(options, call.query) : {};
  const query = (typeof generated === 'object' ? generated : { generated }) as Record<string, unknown> | null;
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encode(params?.[name]) || 'x');
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (random() < hostileRate / 4) pairs.push(pick(random, pairs) ?? ['a', pickHostileValue(options)]);
  const search = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const malformed = random() < hostileRate / 8 ? pick(random, ['%', '%ff', '%00', '&=&', '?', '#', '%c0%af']) : '';
  return `${path}${search && `?${search}`}${malformed}`;
}

function encode(value: unknown): string {
  return encodeURIComponent(asText(value).toWellFormed());
}

export function generateBody(
  options: FuzzOptions,
  call: CallShape,
  headers: Record<string, string>,
): Buffer | undefined {
  if (call.takesPhoto) {
    headers['content-type'] = pick(options.random, PHOTO_TYPES);
    return mutateBody(options, Buffer.from(SMALL_PHOTO), headers);
  }
  if (!call.body) return undefined;
  headers['content-type'] = 'application/json';
  return mutateBody(options, Buffer.from(JSON.stringify(generateValue(options, call.body)) ?? ''), headers);
}

/** The same bytes, or now and then hostile ones in their place. */
function mutateBody({ random, hostileRate }: FuzzOptions, whole: Buffer, headers: Record<string, string>): Buffer {
  let bytes = whole;
  if (random() > hostileRate / 2) return bytes;
  const at = Math.floor(random() * bytes.length);
  const mutations: (() => void)[] = [
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
  if (bytes.length > 0) pick(random, mutations)();
  return bytes;
}

const REQUEST_TIMEOUT_MS = 20_000;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends the request unchanged. Rejects when no answer arrives in time. */
export function send(url: string, { method, path, headers, body }: Request): Promise<Reply> {
  return new Promise((resolve, reject) => {
    // Node sends the body of a HEAD request without its length.
    const length = body ? { 'content-length': String(body.length) } : {};
    const outgoing = request(url + path, {
      method,
      agent,
      headers: { ...headers, ...length },
      timeout: REQUEST_TIMEOUT_MS,
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('the request hangs')));
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const finish = (text: string) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        outgoing.destroy();
        outgoing.removeAllListeners('error').on('error', () => undefined);
        return finish('');
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => finish(Buffer.concat(chunks).toString('utf8')));
      response.on('error', reject);
    });
    outgoing.end(body);
  });
}
