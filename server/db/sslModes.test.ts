import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/testServer.ts';
import { adviseOnTls, findUrlProblem } from '../config/databaseHosts.ts';
import { openServerDatabase, queryRow } from './database.ts';
import { inspectPooler } from './pooler.ts';

// Of a CA of its own, for db.rubadub.test, for these tests only. Valid for a hundred years.
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBrTCCAVOgAwIBAgIUR3dDoYvJr222iOqMYhTFXXI2iA8wCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSVGVzdCBDQSBvZiBSdWJhZHViMCAXDTI2MTEyOTExMjg0MVoY
DzIxMjYxMTA1MTEyODQxWjAdMRswGQYDVQQDDBJUZXN0IENBIG9mIFJ1YmFkdWIw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATnLT32T5Tk6eKXHpNAqhdFeAsLuqro
Lyso9tRDZWVzYdeuivz1dXtOoGDN4zdIAVfgUQjEljx02sw3Fy2hiAq2o28wbTAd
BgNVHQ4EFgQUU4B/VDvALsB0N+xEZ0r7RulPlAswHwYDVR0jBBgwFoAUU4B/VDvA
LsB0N+xEZ0r7RulPlAswDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgg9kYi5y
dWJhZHViLnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIhAIfDBHyMvrb/wi1Uihwo7o3z
yEBtd++lfn7Ncy378hyaAiBhQlQUJr/XeGbBUc1NUSmUhVs3CBZjb3SAoL6SyUWE
LQ==
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxZ/oEQB9m+n+sZrd
rsKE940JjnLqSr79pYdysKREixKhRANCAATnLT32T5Tk6eKXHpNAqhdFeAsLuqro
Lyso9tRDZWVzYdeuivz1dXtOoGDN4zdIAVfgUQjEljx02sw3Fy2hiAq2
-----END PRIVATE KEY-----`;

/** PostgreSQL's SSLRequest has eight bytes and this code. */
const SSL_REQUEST = 80_877_103;
type Answers = 'with TLS' | 'without TLS' | 'only with TLS';

/** Stands before PostgreSQL and speaks TLS for it, or refuses to, as it would itself. */
async function startTlsFront({ hostname, port }: URL) {
  const state: { answers: Answers; used: string[] } = { answers: 'with TLS', used: [] };
  const sockets = new Set<Socket>();
  const forward = (client: Socket, first?: Buffer) => {
    const database = connect(Number(port), hostname);
    sockets.add(database);
    if (first) database.write(first);
    client.pipe(database).pipe(client);
    for (const socket of [client, database]) socket.on('error', () => [client, database].map((one) => one.destroy()));
  };
  const secureContext = createSecureContext({ key: KEY, cert: CERTIFICATE });
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()));
    socket.once('data', (first) => {
      const asksForTls = first.length === 8 && first.readInt32BE(4) === SSL_REQUEST;
      state.used.push(asksForTls ? 'TLS' : 'plain');
      if (!asksForTls && state.answers === 'only with TLS') return void socket.destroy();
      if (!asksForTls) return forward(socket, first);
      if (state.answers === 'without TLS') return void socket.write('N');
      socket.write('S');
      forward(new TLSSocket(socket, { isServer: true, secureContext }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    state,
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

let front: Awaited<ReturnType<typeof startTlsFront>>;
let url: URL;
const folder = mkdtempSync(join(tmpdir(), 'rubadub-ssl-'));
const caFile = join(folder, 'ca.pem');
beforeAll(async () => {
  writeFileSync(caFile, CERTIFICATE);
  url = new URL(await createTestDatabase());
  front = await startTlsFront(url);
});
afterAll(() => {
  front?.close();
  rmSync(folder, { recursive: true });
});

/** How a database is reached with these parameters: with TLS or without, or why not. */
async function reach(parameters: string, answers: Answers): Promise<string> {
  front.state.answers = answers;
  front.state.used = [];
  const target = new URL(url);
  target.host = `127.0.0.1:${front.port}`;
  const database = openServerDatabase(`${target.href}?${parameters}`, 1);
  try {
    await queryRow(database.db, sql`select 1`);
    return front.state.used.at(-1) ?? '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await database.close();
  }
}

test.each([
  ['', 'with TLS', 'plain'],
  ['sslmode=disable', 'with TLS', 'plain'],
  ['sslmode=allow', 'with TLS', 'plain'],
  ['sslmode=allow', 'only with TLS', 'TLS'],
  ['sslmode=prefer', 'with TLS', 'TLS'],
  ['sslmode=prefer', 'without TLS', 'plain'],
  ['sslmode=require', 'only with TLS', 'TLS'],
  ['sslmode=require&channel_binding=require', 'with TLS', 'TLS'],
  ['sslmode=no-verify', 'with TLS', 'TLS'],
  ['sslmode=require', 'without TLS', 'The server does not support SSL connections'],
  ['sslmode=require&sslrootcert=CA', 'with TLS', 'TLS'],
  ['sslmode=verify-ca&sslrootcert=CA', 'with TLS', 'TLS'],
  ['sslmode=verify-full', 'with TLS', 'self-signed certificate'],
  ['sslmode=verify-full&sslrootcert=CA', 'with TLS', "Hostname/IP does not match certificate's altnames"],
  ['sslrootcert=system', 'with TLS', 'self-signed certificate'],
] as const)('a database with "%s", which is reached %s: %s', async (parameters, answers, outcome) => {
  expect(await reach(parameters.replace('CA', encodeURIComponent(caFile)), answers)).toContain(outcome);
});

test.each([
  ['sslmode=on', 'has the sslmode "on": it is one of disable, allow, prefer, require, verify-ca, verify-full'],
  ['sslmode=verify-ca', 'has sslmode=verify-ca without sslrootcert'],
  ['sslmode=require&sslrootcert=system', 'has sslrootcert=system with a weak sslmode'],
  [
    'sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
    'names a file in sslrootcert that cannot be read: /nowhere/ca.pem',
  ],
  ['sslmode=require&sslcert=/nowhere/me.crt', 'names a file in sslcert that cannot be read'],
])('a database URL with %s is refused in one line, before anything connects', (parameters, problem) => {
  expect(findUrlProblem(`postgres://me:secret@db.example.org/rubadub?${parameters}`)).toContain(problem);
});

test.each([
  ['sslmode=verify-full', 'with TLS', 'add sslrootcert=<the file of its CA>'],
  ['sslmode=verify-full&sslrootcert=CA', 'with TLS', 'use the name that is in it'],
  ['sslmode=require', 'without TLS', 'use sslmode=prefer or disable'],
] as const)(
  'a server that starts with "%s", and is answered %s, says in one line what to do',
  async (parameters, answers, advice) => {
    front.state.answers = answers;
    const withFile = parameters.replace('CA', encodeURIComponent(caFile));
    const start = inspectPooler(
      `${url.protocol}//${url.username}:${url.password}@127.0.0.1:${front.port}${url.pathname}?${withFile}`,
      undefined,
    );
    await expect(start).rejects.toThrow(new RegExp(`^DATABASE_URL leads to .*${advice}[^\\n]*$`));
  },
);

test('a managed service that takes no connection without TLS is named by what it answers', () => {
  const refused = 'no pg_hba.conf entry for host "1.2.3.4", user "me", database "rubadub", no encryption';
  expect(adviseOnTls(Object.assign(new Error(refused), { code: '28000' }))).toContain('add ?sslmode=require');
  expect(adviseOnTls(new Error('Connection terminated unexpectedly'))).toBeUndefined();
});

test('the usual strings of managed services are accepted', () => {
  for (const parameters of [
    'sslmode=require',
    'sslmode=require&channel_binding=require',
    'sslmode=verify-full',
    'ssl=true',
  ])
    expect(findUrlProblem(`postgresql://me:secret@db.example.org:25060/defaultdb?${parameters}`)).toBeUndefined();
});
