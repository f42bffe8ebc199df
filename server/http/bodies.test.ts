import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API, type CallName } from '../../contract/api.ts';
import type { Call } from '../../contract/call.ts';
import { OPERATOR_API } from '../../contract/operator/api.ts';
import type { OperatorCall } from '../../contract/operator/call.ts';
import { PHOTO_MAX_BYTES } from '../../domain/files.ts';
import { createOperator } from '../../testing/operators.ts';
import { createParticipants, type Participants } from '../../testing/orderSteps.ts';
import { SMALL_PHOTO } from '../../testing/photos.ts';
import { beginRaw } from '../../testing/rawSocket.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { waitFor } from '../../testing/waits.ts';

// A request whose body never comes, or never ends: an answer proves that the server decided without it, or after the bytes
// that were sent. Without a limit before the body, these requests wait.

let testServer: TestServer;
let people: Participants;

beforeAll(async () => {
  testServer = await openTestServer(CHEAPEST_DATABASE, { env: { TRUST_PROXY: 'on' } });
  people = await createParticipants(testServer);
});
afterAll(() => testServer?.close());

const BODY_MAX_BYTES = 64 * 1024;
const ID = '01932f6e-7d1c-7a3b-8c5d-1e2f3a4b5c6d';

type Begun = { path: string; method?: string; token?: string | undefined; type?: string; headers: readonly string[] };

/** The beginning of a request. The body, if any is sent, comes behind. */
function begun({ path, method = 'POST', token, type = 'application/json', headers }: Begun): Buffer {
  const head = [
    `${method} /api${path.replaceAll(/:\w+/g, ID)} HTTP/1.1`,
    ...['host: localhost', 'connection: close', `content-type: ${type}`],
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...headers,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
}

async function statusOf(request: Begun, sent = Buffer.alloc(0)): Promise<number | undefined> {
  const { answered, leave } = beginRaw(testServer.apiUrl, Buffer.concat([begun(request), sent]));
  const { status } = await answered;
  leave();
  return status;
}

const HUGE = ['content-length: 1000000000'];
const CHUNKED = ['transfer-encoding: chunked'];
/** One byte more than a body may have, as a chunk behind which more could come. */
const ONE_MORE = Buffer.concat([
  Buffer.from(`${(BODY_MAX_BYTES + 1).toString(16)}\r\n`),
  Buffer.alloc(BODY_MAX_BYTES + 1),
]);

const CALLS = Object.entries(API) as [CallName, Call][];
const OPERATOR_CALLS: [string, OperatorCall][] = Object.entries(OPERATOR_API);

describe('nothing large is buffered before its limit', () => {
  test('no call reads a body of a stranger, unless strangers may make it', async () => {
    const calls = [
      ...CALLS.filter(([, { who }]) => who !== 'anyone'),
      ...OPERATOR_CALLS.filter(([, { permission }]) => permission !== 'anyone'),
    ];
    const answers = calls.flatMap(([name, { path, method, ...call }]) => {
      const type = 'takesPhoto' in call && call.takesPhoto ? 'image/jpeg' : 'application/json';
      return [['content-length: 10'], HUGE, CHUNKED].map(async (headers) => [
        name,
        await statusOf({ path, method, type, headers }),
      ]);
    });
    expect(answers.length).toBeGreaterThan(300);
    expect((await Promise.all(answers)).filter(([, status]) => status !== 401)).toEqual([]);
  });

  test('every call refuses a body above its limit, by its length alone or at the first byte above it', async () => {
    const { token: operator } = await createOperator(testServer);
    // GET calls have no body: they answer without it.
    const withBody = ({ method }: Pick<Call, 'method'>) => method !== 'GET';
    const calls = [
      ...CALLS.filter(([, call]) => withBody(call)).map(([name, { path, method, who, takesPhoto }]) => {
        const role = who === 'anyone' ? undefined : who[0];
        const token = role && { Bud: people.bud, Scrub: people.scrub, Duber: people.duber }[role].token;
        return { name, path, method, token, type: takesPhoto ? 'image/jpeg' : 'application/json' };
      }),
      ...OPERATOR_CALLS.filter(([, call]) => withBody(call)).map(([name, { path, method, permission }]) => {
        return { name, path, method, token: permission === 'anyone' ? undefined : operator, type: 'application/json' };
      }),
      ...['/webhooks/square', '/unsubscribe/one-click', '/nowhere'].map((path) => ({
        ...{ name: path, path, method: 'POST', token: undefined, type: 'application/json' },
      })),
    ];
    const answers = calls.flatMap(({ name, ...call }) => [
      statusOf({ ...call, headers: HUGE }).then((status) => [name, status]),
      // No photo without a length: it is refused before its first byte.
      statusOf({ ...call, headers: CHUNKED }, name === 'createFile' ? undefined : ONE_MORE).then((status) => [
        `${name} in chunks`,
        status,
      ]),
    ]);
    const others = (await Promise.all(answers)).filter(([, status]) => status !== 413);
    expect(others).toEqual([['createFile in chunks', 411]]);
  });
});

describe('photos are counted before their first byte', () => {
  type Sent = { token: string; from?: string; length?: number; body?: Buffer };
  const photoHead = ({ token, from = '192.0.2.1', length = PHOTO_MAX_BYTES }: Sent) =>
    begun({
      path: '/files',
      ...{ token, type: 'image/png' },
      headers: [`content-length: ${length}`, `x-forwarded-for: ${from}`],
    });
  /** A photo of which the body, or the rest of it, never comes. */
  const beginPhoto = (sent: Sent) =>
    beginRaw(testServer.apiUrl, Buffer.concat([photoHead(sent), sent.body ?? Buffer.alloc(0)]));
  /** A small photo, whole. */
  async function sendPhoto(token: string, from?: string): Promise<string> {
    const sent = { token, ...(from ? { from } : {}), length: SMALL_PHOTO.length, body: SMALL_PHOTO };
    const { answered, leave } = beginPhoto(sent);
    const { text } = await answered;
    leave();
    return text;
  }
  const isWritten = (token: string, from?: string) =>
    waitFor(async () => expect(await sendPhoto(token, from)).toMatch(/^HTTP\/1\.1 201 /));
  type Photo = { readonly leave: () => void };
  /** Begins a photo that is counted. The small photo that looks for its slot may come first and take it: then begins another one. */
  async function beginCounted<P extends Photo>(token: string, begin: () => P): Promise<P> {
    for (;;) {
      const photo = begin();
      if (/^HTTP\/1\.1 429 /.test(await sendPhoto(token))) return photo;
      photo.leave();
      await isWritten(token);
    }
  }

  test('three hundred connections of one account hold one photo, and none when it leaves', async () => {
    const { token } = people.bud;
    const first = await beginCounted(token, () => beginPhoto({ token, body: Buffer.alloc(1_000) }));
    const more = Array.from({ length: 300 }, async () => {
      const { answered, leave } = beginPhoto({ token });
      const { text } = await answered;
      leave();
      return /^HTTP\/1\.1 429 [\s\S]*retry-after: \d+\r\n/i.test(text);
    });
    expect(await Promise.all(more)).toEqual(Array(300).fill(true));
    first.leave();
    await isWritten(token);
  });

  test('the slot of a request that never gets its answer is released with its connection', async () => {
    const { token } = people.scrub;
    const stream = begun({ path: '/events', method: 'GET', token, headers: ['x-forwarded-for: 192.0.2.1'] });
    const keptAlive = Buffer.from(`${stream}${photoHead({ token })}`.replaceAll('connection: close\r\n', ''));
    const pipelined = await beginCounted(token, () => beginRaw(testServer.apiUrl, keptAlive));
    pipelined.leave();
    await isWritten(token);
  });

  test('a process holds 64 MB of photos, and no network more than a quarter of that', async () => {
    const buds = await Promise.all(Array.from({ length: 13 }, () => testServer.createUser('Bud')));
    const [{ token: late }, ...senders] = buds as [TestUser, ...TestUser[]];
    const refused: string[] = [];
    const send = (sent: Sent) => {
      const photo = beginPhoto(sent);
      void photo.answered.then(({ status, text }) => status !== undefined && refused.push(text));
      return photo;
    };
    const ofOneNetwork = senders.slice(0, 3).map(({ token }) => send({ token, from: '198.51.100.1' }));
    await waitFor(() => expect(refused).toHaveLength(1));
    for (const { leave } of ofOneNetwork) leave();
    await isWritten(late, '198.51.100.1');

    // Ten of 6 MB are under way; two are above 64.
    const photos = senders.map(({ token }, index) => send({ token, from: `203.0.113.${Math.floor(index / 2)}` }));
    await waitFor(() => expect(refused).toHaveLength(3));
    for (const text of refused) expect(text).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d+\r\n/i);
    await isWritten(late);
    expect(refused).toHaveLength(3);
    for (const { leave } of photos) leave();
  });
});
