import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API } from '../../contract/api.ts';
import type { Call } from '../../contract/call.ts';
import { OPERATOR_API } from '../../contract/operator/api.ts';
import { PHOTO_MAX_BYTES } from '../../domain/files.ts';
import { SMALL_PHOTO } from '../../testing/photos.ts';
import { CHEAPEST_DATABASE, openTestServer, type TestServer, type TestUser } from '../../testing/testServer.ts';
import { API_BASE } from './routes.ts';

let testServer: TestServer;
let bud: TestUser;
let duber: TestUser;
beforeAll(async () => {
  testServer = await openTestServer(CHEAPEST_DATABASE);
  [bud, duber] = [await testServer.createUser('Bud'), await testServer.createUser('Duber')];
});
afterAll(() => testServer.close());

type Sent = { readonly method: string; readonly path: string; readonly headers: readonly string[] };

/** Sends the head of a request, and nothing of the body that it announces. Says what the server answers, and ends the connection. */
function openRequest({ method, path, headers }: Sent) {
  const { hostname, port, host } = new URL(testServer.apiUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  socket.write([`${method} ${path} HTTP/1.1`, `host: ${host}`, ...headers, '', ''].join('\r\n'));
  const answered = new Promise<string>((resolve) => {
    socket.once('data', (head) => resolve(head.toString('latin1').slice(9, 12)));
  });
  return { socket, answered };
}

/** What the server answers to a request of which it has read the head only. */
async function statusOf(sent: Sent): Promise<number> {
  const { socket, answered } = openRequest(sent);
  const status = await answered;
  socket.destroy();
  return Number(status);
}

const LARGE = PHOTO_MAX_BYTES;
const withBody = Object.entries({ ...API, ...OPERATOR_API } as Record<string, Call>).filter(
  ([, { method }]) => method !== 'GET',
);
const pathOf = ({ path }: Call) => `${API_BASE}${path.replaceAll(/:\w+/g, '0192f0c1-7a3b-7c4d-8e5f-0123456789ab')}`;
const authorized = ({ token }: TestUser) => `authorization: Bearer ${token}`;

describe('no call reads a large body before it has refused it', () => {
  const answersTo = (more: readonly string[]) =>
    Promise.all(
      withBody.map(async ([name, call]) => {
        const type = `content-type: ${call.takesPhoto ? 'image/png' : 'application/json'}`;
        const headers = [type, `content-length: ${LARGE + 1}`, ...more];
        return { name, status: await statusOf({ method: call.method, path: pathOf(call), headers }) };
      }),
    );

  test('of a stranger, a Bud and a Duber', async () => {
    for (const more of [[], [authorized(bud)], [authorized(duber)]]) {
      const answers = await answersTo(more);
      expect(answers.filter(({ status }) => ![401, 403, 413].includes(status))).toEqual([]);
    }
  });
});

describe('photos have a place before they are read', () => {
  const photo = (user: TestUser, ...more: string[]): Sent => ({
    method: 'POST',
    path: `${API_BASE}/files`,
    headers: ['content-type: image/png', authorized(user), ...more],
  });
  /** A photo of which only the head has arrived. The server waits for the rest. */
  const openUpload = async (user: TestUser, bytes: number) => {
    const { socket, answered } = openRequest(photo(user, `content-length: ${bytes}`, 'expect: 100-continue'));
    return { socket, status: await answered };
  };
  const close = async (socket: ReturnType<typeof connect>) => {
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await closed;
  };

  test('one photo of a person is under way, and its place is free again when the connection is gone', async () => {
    const first = await openUpload(bud, LARGE);
    expect(first.status).toBe('100');
    await expect.poll(() => statusOf(photo(bud, `content-length: ${LARGE}`))).toBe(429);
    await close(first.socket);
    const send = () => bud.api.createFile({ photo: new Blob([SMALL_PHOTO.slice()], { type: 'image/png' }) });
    await expect
      .poll(() => send().catch(({ statusCode }: { statusCode: number }) => statusCode))
      .toMatchObject({ width: 8 });
  });

  test('a photo says how large it is', async () => {
    expect(await statusOf(photo(bud, 'transfer-encoding: chunked'))).toBe(411);
  });

  test('a process reads ten of the largest photos at the same time, and has room again once one is gone', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => testServer.createUser('Scrub')));
    const uploads = await Promise.all(people.map((person) => openUpload(person, LARGE)));
    expect(new Set(uploads.map(({ status }) => status))).toEqual(new Set(['100']));
    await expect.poll(() => statusOf(photo(bud, `content-length: ${LARGE}`))).toBe(503);
    for (const { socket } of uploads) await close(socket);
    const send = () => bud.api.createFile({ photo: new Blob([SMALL_PHOTO.slice()], { type: 'image/png' }) });
    await expect
      .poll(() => send().catch(({ statusCode }: { statusCode: number }) => statusCode))
      .toMatchObject({ width: 8 });
  });
});
