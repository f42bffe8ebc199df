import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { isValidPhoneNumber } from 'libphonenumber-js/min';
import type { Logger } from 'pino';
import { v7 as newId } from 'uuid';
import { setPhoneValidator } from '../contract/fields.ts';
import { listAccountsWithPassword, replacePasswords } from './accounts/knownPasswords.ts';
import { loadSealer, type Sealer } from './auth/sealing.ts';
import { createSessions } from './auth/sessions.ts';
import { type Config, requireSquare } from './config/config.ts';
import type { Context } from './context.ts';
import { type DatabaseClock, isSkewed } from './db/clock.ts';
import { openDatabaseAndClock } from './db/configuredDatabase.ts';
import type { Database, Tx } from './db/database.ts';
import { type LiveEvents, openLiveEvents } from './events/liveEvents.ts';
import { serveEvents } from './events/stream.ts';
import type { FileParts } from './files/files.ts';
import { openFiles } from './files/openFiles.ts';
import { createHandlers } from './handlers.ts';
import { answerNotFound } from './http/errors.ts';
import { serveHealth } from './http/health.ts';
import { createHttpServer } from './http/httpServer.ts';
import { serveDocs } from './http/openapi/serve.ts';
import { createRateLimits } from './http/rateLimits.ts';
import { pickByLane, serveApi } from './http/routes.ts';
import { serveWeb } from './http/staticFiles.ts';
import type { StartWorker } from './jobs/worker.ts';
import { createLogger, createRequestLog } from './log.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { serveOneClickUnsubscribe } from './notifications/unsubscribe.ts';
import { loadNotificationKeys, type NotificationKeys } from './notifications/vapidKeys.ts';
import { startOutboxWorkers } from './notifications/workers.ts';
import { readFigures } from './operator/figures.sql.ts';
import { ACTS, createOperatorHandlers } from './operator/handlers.ts';
import { createOperatorTools, type OperatorTools } from './operator/operatorTools.ts';
import { warnOfOtherSealingKey } from './operator/otherSealingKey.ts';
import { serveOperatorApi } from './operator/routes.ts';
import { serveTodayStream } from './operator/todayStream.ts';
import { type CircuitBreaker, logCircuitChanges } from './outgoing/circuitBreaker.ts';
import type { MailCircuit } from './outgoing/mailer.ts';
import { createSquareCards, type SquareOptions } from './payments/card/square.ts';
import { serveWebhooks } from './payments/reconcile/webhooks.ts';
import { createStreetRouter, type RouterTimes, type StreetRouter } from './places/streetRouter.ts';
import { readLogo, readShownIdentity } from './town/identity.sql.ts';
import { createWakeUps, startWorkers, type WakeUps } from './workers.ts';

/** Shorter than the 10 s that Docker waits between SIGTERM and SIGKILL. */
const SHUTDOWN_TIMEOUT_MS = 5_000;

export type ServerOptions = {
  /** Adds more routes before the server listens. */
  readonly extend?: (app: FastifyInstance) => Promise<void>;
  /** The folder of the built web app. Without it, the server answers API calls only. */
  readonly webDir?: string;
  /** The folder of an embedded database that has its tables. A new database starts as a copy of it. */
  readonly template?: string;
  readonly logger?: Logger;
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly square?: SquareOptions;
  readonly router?: RouterTimes;
  /** How often the sessions of the open streams are checked, besides at every event that ends one. */
  readonly streamCheckMs?: number;
  /** Replaces how the background jobs run. */
  readonly startWorker?: StartWorker;
};

export type Server = OperatorTools & {
  readonly app: FastifyInstance;
  /** Its database, for tests of what only an operator changes. */
  readonly db: Tx;
  /** Starts to listen. Returns the server's URL. */
  listen(): Promise<string>;
  /**
   * Tells load balancers and clients to go elsewhere, and goes on answering for `drainS` seconds, so that no request meets
   * a closed port.
   */
  drain(): Promise<void>;
  /** Finishes running requests and jobs, then closes everything. */
  close(): Promise<void>;
  /** The port of `/metrics`; undefined where nobody asked for it. */
  metricsPort(): number | undefined;
  /** Whether no account exists yet. */
  hasNoUsers(): Promise<boolean>;
  /** Looks for timers that are due without waiting for the next interval, for tests that move the clock. */
  wakeTimers(): void;
  /** The ids of those of these accounts that have this password. */
  listAccountsWithPassword(emails: readonly string[], password: string): Promise<string[]>;
  /** Gives accounts another password, and signs them out everywhere. */
  replacePasswords(userIds: readonly string[], password: string): Promise<void>;
};

/** Opens the product: database, workers, routes. The caller holds the lock of an embedded database's `dataDir`. */
export async function openServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  setPhoneValidator((phone) => isValidPhoneNumber(phone));
  const logger = options.logger ?? createLogger('info');
  const sealer = loadSealer(config);
  const { database, keys, clock } = await openDatabaseWithKeys(config, options, logger);
  const wakeUps = createWakeUps();
  const cards = createSquareCards(() => requireSquare(config), options.square);
  const context = createContext(config, { database, clock, newId: options.newId ?? newId, cards, wakeUps, logger });
  await warnOfOtherSealingKey(context, sealer);
  const router = createStreetRouter({ url: config.routingUrl, now: clock.now, ...options.router });
  const parts = { database, keys, clock, logger, cardCircuit: cards.circuit, router, files: openFiles(config), sealer };
  let isListening = false;
  const background = await startBackgroundWork(context, {
    ...parts,
    ...{ wakeUps, streamCheckMs: options.streamCheckMs, isListening: () => isListening },
    start: options.startWorker,
  });
  const { liveEvents, mailCircuit, wakeTimers } = background;
  let isDraining = false;
  const metrics =
    config.metrics &&
    createMetrics({
      readFigures: () => readFigures(database.db, clock.now()),
      log: context.log,
      waiting: database.waiting,
      countStreams: liveEvents.hub.countStreams,
      thirdParties: thirdPartiesOf(config, { ...parts, mailCircuit }),
    });
  const app = createApp(context, {
    ...parts,
    liveEvents,
    mailCircuit,
    isDraining: () => isDraining,
    observe: metrics?.observe,
  });
  app.addHook('onListen', async () => {
    isListening = true;
    wakeUps.payments();
  });
  await options.extend?.(app);
  const { db } = database;
  const town = {
    readIdentity: () => readShownIdentity(db, clock.now()),
    readLogo: () => readLogo(db, clock.now()),
  };
  if (options.webDir !== undefined) serveWeb(app, options.webDir, { config, now: clock.now, town });
  else app.setNotFoundHandler(answerNotFound);
  return {
    app,
    db: database.db,
    listen: async () => {
      if (metrics) await once(metrics.server.listen({ ...config.metrics, exclusive: true }), 'listening');
      return app.listen({ host: config.host, port: config.port });
    },
    metricsPort: () => (metrics?.server.address() as AddressInfo | null | undefined)?.port,
    drain: async () => {
      isDraining = true;
      liveEvents.endAll();
      await sleep(config.drainS * 1000);
    },
    close: async () => {
      metrics?.server.close();
      await closeServer(app, background, parts);
    },
    wakeTimers,
    ...createTools(context, parts),
  };
}

async function openDatabaseWithKeys(config: Config, { now, template }: ServerOptions, logger: Logger) {
  const { database, clock } = await openDatabaseAndClock(config, { template, now, log: createRequestLog(logger) });
  try {
    return { database, clock, keys: await loadNotificationKeys(database.db, clock.now()) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

type ContextParts = Pick<Context, 'newId' | 'cards'> & {
  readonly database: Database;
  readonly clock: DatabaseClock;
  readonly wakeUps: WakeUps;
  readonly logger: Logger;
};

function createContext(config: Config, parts: ContextParts): Context {
  const { database, clock, newId, cards, wakeUps, logger } = parts;
  const { now } = clock;
  return {
    db: database.db,
    now,
    newId,
    config,
    rateLimits: createRateLimits(database.stepDb, config.rateLimitScale, now),
    cards,
    wake: (...work) => {
      for (const kind of work) wakeUps[kind]();
    },
    endStreamsOf: (userId) => wakeUps.endStreamsOf(userId),
    log: createRequestLog(logger),
  };
}

type Parts = {
  readonly database: Database;
  readonly keys: NotificationKeys;
  readonly clock: DatabaseClock;
  readonly logger: Logger;
  readonly cardCircuit: CircuitBreaker;
  readonly router: StreetRouter;
  readonly files: FileParts;
  readonly sealer: Sealer;
};

type BackgroundParts = Parts & {
  readonly wakeUps: WakeUps;
  readonly streamCheckMs: number | undefined;
  readonly start: StartWorker | undefined;
  readonly isListening: () => boolean;
};

/** Starts everything that runs without a request, and fills in `wakeUps`. */
async function startBackgroundWork(context: Context, parts: BackgroundParts) {
  const {
    database,
    keys,
    clock,
    logger,
    cardCircuit,
    router,
    files,
    sealer,
    wakeUps,
    streamCheckMs,
    isListening,
    start,
  } = parts;
  const isPaused = () => isSkewed(clock.skewS());
  const workers = startWorkers(context, { isPaused, cardCircuit, isListening, logger, files, sealer, start });
  wakeUps.payments = () => {
    workers.payments.wake();
    workers.disputes.wake();
  };
  wakeUps.broadcasts = workers.broadcasts.wake;
  wakeUps.exports = workers.exports.wake;
  const liveEvents = await openLiveEvents(context, database, streamCheckMs);
  wakeUps.endStreamsOf = liveEvents.endStreamsOf;
  const outbox = startOutboxWorkers(context, keys, { isPaused, ...(start ? { start } : {}) });
  const { mailCircuit } = outbox;
  for (const circuit of [cardCircuit, mailCircuit, router.circuit]) logCircuitChanges(circuit, context.log);
  wakeUps.mail = () => outbox.wake('account-mail');
  // The steps that publish events also queue notifications.
  wakeUps.events = () => {
    liveEvents.wake();
    outbox.wake('mail', 'push');
  };
  return {
    liveEvents,
    mailCircuit,
    wakeTimers: () => {
      workers.timers.wake();
      workers.disputes.wake();
    },
    stop: async () => {
      await liveEvents.close();
      await outbox.stop();
      await Promise.all(Object.values(workers).map((worker) => worker.stop()));
      cardCircuit.stop();
      router.circuit.stop();
    },
  };
}

async function closeServer(
  app: FastifyInstance,
  background: { readonly stop: () => Promise<void> },
  { database, clock, files }: Parts,
): Promise<void> {
  const deadline = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
  await app.close();
  clearTimeout(deadline);
  await background.stop();
  await files.reencoder.close();
  clock.stop();
  await database.close();
}

/** What the code that starts the server can do besides. */
const createTools = (context: Context, { database: { db, stepDb }, sealer, files }: Parts) => ({
  hasNoUsers: async () => (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined,
  ...createOperatorTools({ ...context, db: stepDb, sealer, files }),
  listAccountsWithPassword: (emails: readonly string[], password: string) =>
    listAccountsWithPassword(db, emails, password),
  replacePasswords: (userIds: readonly string[], password: string) => replacePasswords(db, userIds, password),
});

type AppParts = {
  liveEvents: LiveEvents;
  mailCircuit: MailCircuit;
  isDraining: () => boolean;
  observe: Metrics['observe'] | undefined;
};

/** The circuit breakers of the third parties that this server calls. */
const thirdPartiesOf = (
  config: Config,
  { cardCircuit, mailCircuit, router }: Pick<Parts, 'cardCircuit' | 'router'> & Pick<AppParts, 'mailCircuit'>,
) => ({ cardNetwork: cardCircuit, mail: mailCircuit, ...(config.routingUrl ? { router: router.circuit } : {}) });

/** The HTTP server with every route of the API. */
function createApp(context: Context, parts: Parts & AppParts): FastifyInstance {
  const {
    database,
    keys,
    clock,
    logger,
    cardCircuit,
    router,
    files,
    sealer,
    liveEvents,
    mailCircuit,
    isDraining,
    observe,
  } = parts;
  const { db, config, now, rateLimits: limits } = context;
  const forSteps = { ...context, db: database.stepDb };
  const app = createHttpServer({
    logger,
    hosts: config,
    trustProxy: config.trustProxy,
    limits,
    isHttps: config.publicUrl.startsWith('https:'),
    scale: config.rateLimitScale,
    isDraining,
    observe,
  });
  const sessions = createSessions(context, database);
  const thirdParties = thirdPartiesOf(config, { cardCircuit, mailCircuit, router });
  serveHealth(app, { database, clock, isDraining, thirdParties });
  serveDocs(app);
  const handlers = pickByLane(createHandlers(context, parts), createHandlers(forSteps, parts));
  serveApi(app, { handlers, eventCursor: liveEvents.hub.cursor, sessions, now });
  const forConsole = { reads: { ...context, sealer, files }, steps: { ...forSteps, sealer, files } };
  serveOperatorApi(app, { ...forConsole, createHandlers: createOperatorHandlers, acts: ACTS });
  serveOneClickUnsubscribe(app, forSteps, keys.linkSecret);
  serveTodayStream(app, { context: forConsole.reads, database, liveEvents, limits });
  serveEvents(app, { sessions, limits, db, hub: liveEvents.hub, now });
  serveWebhooks(app, context);
  return app;
}
