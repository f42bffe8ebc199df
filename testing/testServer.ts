import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino, { type Logger } from 'pino';
import { v7 as newUuid } from 'uuid';
import { vi } from 'vitest';
import type { User } from '../contract/accounts.ts';
import { type Client, createClient } from '../contract/client.ts';
import type { Role } from '../domain/accounts.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { fillStandIns, readConfig } from '../server/config/config.ts';
import { openServer, type Server } from '../server/main.ts';
import { createCheckedClient } from './checkedClient.ts';

export type DatabaseKind = 'embedded' | 'postgres';
/** Both databases that every call is tested on; PostgreSQL only where the run has one. */
export const DATABASE_KINDS: readonly DatabaseKind[] = process.env.TEST_DATABASE_URL
  ? ['embedded', 'postgres']
  : ['embedded'];

export const PASSWORD = 'Rubadub1!';

export type TestUser = { readonly user: User; readonly token: string; readonly api: Client };

type SharedResources = { readonly sandbox: Sandbox; readonly clock: { ahead: number } };
type Sandbox = { readonly url: string; readonly smtpUrl: string; readonly close: () => Promise<void> };

export type TestServer = {
  readonly server: Server;
  /** The API's base address. */
  readonly apiUrl: string;
  /** The address of the stand-ins. */
  readonly sandboxUrl: string;
  readonly databaseUrl: string | undefined;
  /** What a second server beside this one shares with it. */
  readonly shared: SharedResources;
  /** Moves the server's clock on. */
  advanceClock(ms: number): void;
  now(): Date;
  api(token?: string): Client;
  /** The newest mail to an address (whose subject says so), waiting until it is there. */
  waitForMail(email: string, subject?: string): Promise<{ subject: string; text: string; html: string }>;
  /** Signs somebody new up, `north` and `east` metres from the middle of the made-up city. */
  createUser(
    role: Role,
    options?: { fullname?: string; email?: string; north?: number; east?: number },
  ): Promise<TestUser>;
  close(): Promise<void>;
};

const CITY_CENTER = { latitude: 24, longitude: 67 };
const METERS_PER_DEGREE = 111_195;

/** A point some metres from the middle of the made-up city. */
export function pointAt(north: number, east: number) {
  const latitude = CITY_CENTER.latitude + north / METERS_PER_DEGREE;
  const longitude =
    CITY_CENTER.longitude + east / (METERS_PER_DEGREE * Math.cos((CITY_CENTER.latitude * Math.PI) / 180));
  return { latitude, longitude };
}

/** A new empty PostgreSQL database beside the one of the test run. */
export async function createTestDatabase(): Promise<string> {
  const base = new URL(process.env.TEST_DATABASE_URL ?? '');
  const name = `t_${newUuid().replaceAll('-', '')}`;
  const admin = new pg.Client(base.href);
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  base.pathname = `/${name}`;
  return base.href;
}

/**
 * The real server on a real database, with the stand-ins beside it, listening on loopback. `beside` another one it
 * shares that one's PostgreSQL, stand-ins and clock.
 */
export async function openTestServer(
  kind: DatabaseKind,
  options: { beside?: TestServer; env?: Record<string, string>; logger?: Logger } = {},
): Promise<TestServer> {
  const { beside } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-'));
  const databaseUrl = kind === 'postgres' ? (beside?.databaseUrl ?? (await createTestDatabase())) : undefined;
  const sandbox = beside?.shared.sandbox ?? (await openSandboxServer(dataDir));
  const clock = beside?.shared.clock ?? { ahead: 0 };
  const config = fillStandIns(
    readConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      RATE_LIMIT_SCALE: '1000',
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
      ...options.env,
    }),
    { publicUrl: sandbox.url, ownUrl: sandbox.url, smtpUrl: sandbox.smtpUrl },
  );
  const now = () => new Date(Date.now() + clock.ahead);
  const server = await openServer(config, {
    now,
    logger: options.logger ?? pino({ level: process.env.TEST_LOG ?? 'silent' }),
    ...(process.env.TEST_TEMPLATE ? { template: process.env.TEST_TEMPLATE } : {}),
  });
  const host = `${await server.listen()}/api`;
  const api = (token?: string) => createCheckedClient(createClient(host, () => token));
  const mailTo = (email: string, subject?: string) => waitForMail(sandbox.url, email, subject);
  return {
    server,
    apiUrl: host,
    sandboxUrl: sandbox.url,
    databaseUrl,
    shared: { sandbox, clock },
    advanceClock: (ms) => {
      clock.ahead += ms;
    },
    now,
    api,
    waitForMail: mailTo,
    createUser: (role, person = {}) => createTestUser(api, mailTo, role, person),
    close: async () => {
      await server.close();
      if (!beside) await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function openSandboxServer(dataDir: string): Promise<Sandbox> {
  const { default: Fastify } = await import('fastify');
  const app = Fastify({ logger: false, forceCloseConnections: true });
  let url = '';
  // Without address search, because drawing its city takes a second of CPU time per server.
  const parts = { square: true, places: false, map: false, mail: true };
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: () => url });
  await sandbox.register(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  const smtpUrl = sandbox.smtpUrl;
  if (!smtpUrl) throw new Error('the sandbox has no mail');
  const close = async () => {
    await app.close();
    await sandbox.close();
  };
  return { url, smtpUrl, close };
}

const MAIL_TIMEOUT_MS = 15_000;

/** The newest mail to an address in the inbox of the stand-ins at `sandboxUrl`, waiting until it is there. */
export function waitForMail(sandboxUrl: string, email: string, subject = '') {
  return vi.waitFor(
    async () => {
      const response = await fetch(`${sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`);
      const mails = (await response.json()) as { subject: string; text: string; html: string }[];
      const newest = mails.find((mail) => mail.subject.includes(subject));
      if (!newest) throw new Error(`no mail to ${email} about "${subject}"`);
      return newest;
    },
    { timeout: MAIL_TIMEOUT_MS, interval: 20 },
  );
}

/** Signs somebody new up over HTTP, as `World.join` says. */
export async function createTestUser(
  api: (token?: string) => Client,
  mailTo: TestServer['waitForMail'],
  role: Role,
  person: { fullname?: string; email?: string; north?: number; east?: number },
): Promise<TestUser> {
  const email = person.email ?? `${role.toLowerCase()}-${newUuid()}@rubadub.test`;
  await api().sendOtpForEmail({ body: { email } });
  const [emailOtp = ''] = /\d{6}/.exec((await mailTo(email)).text) ?? [];
  const { authToken, user } = await api().signUp({
    body: {
      email,
      emailOtp,
      fullname: person.fullname ?? `${role} of the tests`,
      password: PASSWORD,
      role,
      phone: '+12025550123',
      address: {
        label: 'Default',
        address: '12 Heron Street, Soapwick',
        ...pointAt(person.north ?? 0, person.east ?? 0),
      },
    },
  });
  return { user, token: authToken, api: api(authToken) };
}
