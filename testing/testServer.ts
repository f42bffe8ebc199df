import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino, { type Logger } from 'pino';
import { v7 as newUuid } from 'uuid';
import type { User } from '../contract/accounts.ts';
import { type Client, createClient } from '../contract/client.ts';
import type { Role } from '../domain/accounts.ts';
import { openSandbox } from '../sandbox/sandbox.ts';
import { fillStandIns, readConfig } from '../server/config/config.ts';
import { openServerDatabase, type Tx } from '../server/db/database.ts';
import { ensureSchema } from '../server/db/ensureSchema.ts';
import type { StartWorker } from '../server/jobs/worker.ts';
import { openServer, type Server } from '../server/main.ts';
import { LEASE_S } from '../server/notifications/outbox.sql.ts';
import type { SquareOptions } from '../server/payments/card/square.ts';
import type { RouterTimes } from '../server/places/streetRouter.ts';
import { createCheckedClient } from './checkedClient.ts';
import { queryAt } from './databaseConnection.ts';
import { waitFor } from './waits.ts';

export type DatabaseKind = 'embedded' | 'postgres';
/** The databases for what may differ between them. */
export const DATABASE_KINDS: readonly DatabaseKind[] = ['embedded', 'postgres'];
/** For what does not depend on the database: a server on PostgreSQL takes half of the CPU time. */
export const CHEAPEST_DATABASE: DatabaseKind = 'postgres';
/**
 * The databases for rules that are the same on both: PostgreSQL, which takes half of the CPU time of the embedded database.
 * `npm run night` runs them on both (decision 119).
 */
export const RULE_DATABASES: readonly DatabaseKind[] =
  process.env.TEST_DATABASES === 'all' ? DATABASE_KINDS : [CHEAPEST_DATABASE];

export const PASSWORD = 'Rubadub1!';

export type TestUser = { readonly user: User; readonly token: string; readonly api: Client };

/** What servers on one database share. Only the addresses and the clock mean something in another process. */
export type SharedResources = {
  readonly sandbox: Sandbox;
  readonly clock: { offsetMs: number; stoppedAt: number | undefined };
};
type Sandbox = { readonly url: string; readonly smtpUrl: string; readonly close: () => Promise<void> };

export type TestServer = {
  readonly server: Server;
  /** The API's base address. */
  readonly apiUrl: string;
  /** The address of the stand-ins. */
  readonly sandboxUrl: string;
  readonly databaseUrl: string | undefined;
  readonly shared: SharedResources;
  /** Moves the server's clock forward. */
  advanceClock(ms: number): void;
  now(): Date;
  api(token?: string): Client;
  /** Waits for a mail to an address whose subject contains `subject` and returns the newest. */
  waitForMail(email: string, subject?: string): Promise<{ subject: string; text: string; html: string }>;
  /** Signs up a new user, `north` and `east` metres from the center of the fictional city. */
  createUser(
    role: Role,
    options?: { fullname?: string; email?: string; north?: number; east?: number },
  ): Promise<TestUser>;
  close(): Promise<void>;
};

const CITY_CENTER = { latitude: 24, longitude: 67 };
const METERS_PER_DEGREE = 111_195;

/** A point `north` and `east` metres from the center of the fictional city. */
export function pointAt(north: number, east: number) {
  const latitude = CITY_CENTER.latitude + north / METERS_PER_DEGREE;
  const longitude =
    CITY_CENTER.longitude + east / (METERS_PER_DEGREE * Math.cos((CITY_CENTER.latitude * Math.PI) / 180));
  return { latitude, longitude };
}

/** Creates a database on the test run's PostgreSQL, empty or as a copy of `template`, and returns its URL. */
export async function createTestDatabase(template = 'template1'): Promise<string> {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  const name = `t_${newUuid().replaceAll('-', '')}`;
  await queryAt(url.href, `create database ${name} template ${template}`);
  url.pathname = `/${name}`;
  return url.href;
}

let databaseWithTables: Promise<string> | undefined;

/** Creates a database with every table. Copying one costs a third of the CPU that making them does. */
async function createDatabaseWithTables(): Promise<string> {
  databaseWithTables ??= createTestDatabase().then(async (url) => {
    const { db, close } = openServerDatabase(url, 1);
    await ensureSchema(db).finally(close);
    return new URL(url).pathname.slice(1);
  });
  return createTestDatabase(await databaseWithTables);
}

/**
 * Opens the real server on a real database and the stand-ins, listening on loopback. `beside` is another test server: both
 * then share the PostgreSQL database, the stand-ins and the clock.
 */
export async function openTestServer(
  kind: DatabaseKind,
  options: {
    beside?: Pick<TestServer, 'databaseUrl' | 'shared'>;
    env?: Record<string, string>;
    logger?: Logger;
    streamCheckMs?: number;
    /** Lets no time pass except by `advanceClock`, for limits per second that a slow machine would not reach. */
    isClockStopped?: boolean;
    /** Stops the clock there instead of at the current time. */
    stoppedAt?: Date;
    /** The URL of an existing PostgreSQL database with every table, instead of a new one. */
    databaseUrl?: string;
    startWorker?: StartWorker;
    square?: SquareOptions;
    router?: RouterTimes;
    /** Adds to the server before it listens. */
    extend?: (app: FastifyInstance) => Promise<void>;
    /** The folder of the built web app. Without it, the server answers API calls only. */
    webDir?: string;
    /** Whether the stand-ins have the made-up city: its map, its addresses and its streets. */
    hasCity?: boolean;
  } = {},
): Promise<TestServer> {
  const { beside } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-'));
  const databaseUrl =
    kind === 'postgres'
      ? (beside?.databaseUrl ?? options.databaseUrl ?? (await createDatabaseWithTables()))
      : undefined;
  const sandbox = beside?.shared.sandbox ?? (await openSandboxServer(dataDir, options.hasCity));
  const stoppedAt = options.stoppedAt?.getTime() ?? (options.isClockStopped ? Date.now() : undefined);
  const clock = beside?.shared.clock ?? { offsetMs: 0, stoppedAt };
  const environment = {
    ...{ PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_SCALE: '1000' },
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...options.env,
  };
  const config = {
    ...fillStandIns(readConfig(environment), {
      ...{ publicUrl: sandbox.url, ownUrl: sandbox.url, smtpUrl: sandbox.smtpUrl },
    }),
    ...(options.env?.PUBLIC_URL ? { publicUrl: options.env.PUBLIC_URL } : {}),
  };
  const now = () => new Date((clock.stoppedAt ?? Date.now()) + clock.offsetMs);
  const server = await openServer(config, {
    now,
    logger: options.logger ?? pino({ level: process.env.TEST_LOG ?? 'silent' }),
    ...(options.square ? { square: options.square } : {}),
    ...(options.router ? { router: options.router } : {}),
    ...(options.extend ? { extend: options.extend } : {}),
    ...(options.startWorker ? { startWorker: options.startWorker } : {}),
    ...(options.webDir ? { webDir: options.webDir } : {}),
    ...(options.streamCheckMs === undefined ? {} : { streamCheckMs: options.streamCheckMs }),
    ...(process.env.TEST_TEMPLATE ? { template: process.env.TEST_TEMPLATE } : {}),
  });
  const apiUrl = `${await server.listen()}/api`;
  const api = (token?: string) => createCheckedClient(createClient(apiUrl, () => token));
  const waitForMailTo = (email: string, subject?: string) =>
    waitForMail(sandbox.url, email, subject, async (waitedMs) => {
      if (clock.stoppedAt !== undefined) await retryFailedMails(server.db, now(), waitedMs);
    });
  return {
    server,
    apiUrl,
    sandboxUrl: sandbox.url,
    databaseUrl,
    shared: { sandbox, clock },
    advanceClock: (ms) => {
      clock.offsetMs += ms;
    },
    now,
    api,
    waitForMail: waitForMailTo,
    createUser: (role, userOptions = {}) => createTestUser(api, waitForMailTo, role, userOptions),
    close: async () => {
      await server.close();
      if (!beside) await sandbox.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function openSandboxServer(dataDir: string, hasCity = false): Promise<Sandbox> {
  const { default: Fastify } = await import('fastify');
  const app = Fastify({ logger: false, forceCloseConnections: true });
  // A free port, which is known later.
  let url = 'http://127.0.0.1:0';
  // The city only where a test needs it, because drawing it takes a second of CPU time per server.
  const parts = { square: true, places: hasCity, map: hasCity, mail: true };
  const sandbox = await openSandbox({ dataDir, parts, publicUrl: () => url });
  await sandbox.register(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  const smtpUrl = sandbox.smtpUrl;
  if (!smtpUrl) throw new Error('the sandbox has no mail server');
  const close = async () => {
    await app.close();
    await sandbox.close();
  };
  return { url, smtpUrl, close };
}

/** Longer than a mail server may take for a mail. */
const LEASE_IS_LOST_MS = 40_000;

/**
 * Makes mails due whose sending failed, as on a machine that stood still: a clock that is stopped never reaches their next try.
 * A mail that a worker has leased is left to that worker, unless the worker must have lost it.
 */
async function retryFailedMails(db: Tx, now: Date, waitedMs: number): Promise<void> {
  const leasedUntil = new Date(now.getTime() + LEASE_S * 1_000);
  const isLeaseLost = waitedMs > LEASE_IS_LOST_MS;
  await db
    .updateTable('notifications')
    .set({ due_at: now })
    .where('channel', 'in', ['mail', 'account-mail'])
    .where('state', '=', 'due')
    .where('due_at', '>', now)
    .$if(!isLeaseLost, (query) => query.where('failure', 'is not', null).where('due_at', '!=', leasedUntil))
    .execute();
}

/**
 * Waits for a mail to an address in the inbox of the stand-ins at `sandboxUrl` and returns the newest. `onMissing` runs after
 * each look without a mail, with the time waited so far in milliseconds.
 */
export function waitForMail(
  sandboxUrl: string,
  email: string,
  subject = '',
  onMissing: (waitedMs: number) => Promise<void> = async () => {},
) {
  const startedAt = performance.now();
  return waitFor(async () => {
    const response = await fetch(`${sandboxUrl}/sandbox/mail/messages?to=${encodeURIComponent(email)}`);
    const mails = (await response.json()) as { subject: string; text: string; html: string }[];
    const newest = mails.find((mail) => mail.subject.includes(subject));
    if (!newest) {
      await onMissing(performance.now() - startedAt);
      throw new Error(`no mail to ${email} about "${subject}"`);
    }
    return newest;
  });
}

let phones = 0;
/** Everybody has their own: people with the same number may be the same person. */
const nextPhone = (): string => {
  phones += 1;
  return `+1202555${String(phones).padStart(4, '0')}`;
};

/** Signs up a new user over HTTP, as `TestServer.createUser` describes. */
export async function createTestUser(
  api: (token?: string) => Client,
  waitForMailTo: TestServer['waitForMail'],
  role: Role,
  options: { fullname?: string; email?: string; phone?: string; north?: number; east?: number },
): Promise<TestUser> {
  const email = options.email ?? `${role.toLowerCase()}-${newUuid()}@rubadub.test`;
  await api().sendOtpForEmail({ body: { email } });
  const [emailOtp = ''] = /\d{6}/.exec((await waitForMailTo(email)).text) ?? [];
  const { authToken, user } = await api().signUp({
    body: {
      email,
      emailOtp,
      fullname: options.fullname ?? `Test ${role}`,
      password: PASSWORD,
      role,
      phone: options.phone ?? nextPhone(),
      address: {
        label: 'Default',
        address: '12 Heron Street, Soapwick',
        ...pointAt(options.north ?? 0, options.east ?? 0),
      },
    },
  });
  return { user, token: authToken, api: api(authToken) };
}
