import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { isPossiblePhoneNumber } from 'libphonenumber-js/min';
import type { Logger } from 'pino';
import { v7 as newId } from 'uuid';
import { setPhoneValidator } from '../contract/fields.ts';
import { accountHandlers } from './accounts/accounts.ts';
import { processResetRequest } from './accounts/passwordResets.ts';
import { createSessions } from './auth/sessions.ts';
import type { Config } from './config/config.ts';
import type { Context } from './context.ts';
import { dashboardHandlers } from './dashboards/dashboards.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, queryRow } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { deliveryHandlers } from './deliveries/deliveries.ts';
import { deleteExpiredPositions, positionHandlers } from './deliveries/positions.ts';
import { deleteOldEvents, openLiveEvents } from './events/liveEvents.ts';
import { serveEvents } from './events/stream.ts';
import { serveHealth } from './http/health.ts';
import { serveDocs } from './http/openapi/serve.ts';
import { createRateLimits } from './http/rateLimits.ts';
import { createHttpServer, type Handlers, serveApi } from './http/routes.ts';
import { serveWeb } from './http/staticFiles.ts';
import { createRetentionJob } from './jobs/retention.ts';
import { startWorker } from './jobs/worker.ts';
import { createLogger, createRequestLog } from './log.ts';
import { type Mailer, openMailer, sendDueMail } from './mail/send.ts';
import { notificationHandlers } from './notifications/notifications.ts';
import { serveOneClickUnsubscribe } from './notifications/unsubscribe.ts';
import { loadNotificationKeys, type NotificationKeys } from './notifications/vapidKeys.ts';
import { startNotificationWorkers } from './notifications/workers.ts';
import { expireRequests, orderHandlers } from './orders/orders.ts';
import type { Cards } from './payments/cards.ts';
import { earningsHandlers } from './payments/earnings.ts';
import { runPaymentJobs } from './payments/paymentJobs.ts';
import { runDuePayouts } from './payments/payouts.ts';
import { configHandlers } from './payments/publicConfig.ts';
import { createSquareCards } from './payments/square.ts';
import { serveWebhooks } from './payments/webhooks.ts';
import { placeHandlers } from './places/places.ts';
import { reviewHandlers } from './reviews/reviews.ts';

/** Less than what a supervisor gives a process between SIGTERM and SIGKILL. */
const SHUTDOWN_TIMEOUT_MS = 5_000;
const MAIL_INTERVAL_MS = 2_000;
/** In rounds of their own and never at once: what a request starts would tell in the time of the next one. */
const PASSWORD_RESET_INTERVAL_MS = 500;
const PAYMENT_INTERVAL_MS = 1_000;
const EXPIRY_INTERVAL_MS = 30_000;
const PAYOUT_INTERVAL_MS = 60_000;
const CLEANUP_INTERVAL_MS = 10 * 60_000;

export type ServerOptions = {
  /** Adds routes of its own before the server listens. */
  readonly extend?: (app: FastifyInstance) => Promise<void>;
  /** The built web app; without it the server answers the API only. */
  readonly webDir?: string;
  /** An embedded database to begin with, after every migration. */
  readonly template?: string;
  readonly logger?: Logger;
  readonly now?: () => Date;
  readonly newId?: () => string;
  readonly cards?: Cards;
};

export type Server = {
  readonly app: FastifyInstance;
  /** Starts to listen and gives the address that was taken. */
  listen(): Promise<string>;
  /** Lets what is under way finish, then closes everything. */
  close(): Promise<void>;
  /** Whether nobody has an account yet. */
  hasNoUsers(): Promise<boolean>;
};

/** Opens the product: database, migrations, workers and routes. The caller holds the lock of an embedded `dataDir`. */
export async function openServer(config: Config, options: ServerOptions = {}): Promise<Server> {
  setPhoneValidator((phone) => isPossiblePhoneNumber(phone));
  const logger = options.logger ?? createLogger('info');
  const database = config.databaseUrl
    ? openServerDatabase(config.databaseUrl)
    : await openEmbeddedDatabase(config.dataDir, options.template);
  const keys = await migrateDatabase(config, database)
    .then(() => loadNotificationKeys(database.db, (options.now ?? (() => new Date()))()))
    .catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
  const { deps, workers, nudges } = createContext(config, database, logger, options);
  const live = await openLiveEvents(deps, database);
  const messages = startNotificationWorkers(deps, keys);
  // What the screens are told of is what messages are about.
  nudges.events = () => {
    live.wake();
    messages.wake();
  };
  const app = createHttpServer({
    logger,
    trustProxy: config.trustProxy,
    limits: deps.rateLimits,
    isHttps: config.publicUrl.startsWith('https:'),
    scale: config.rateLimitScale,
  });
  serveHealth(app, database.db);
  serveDocs(app);
  const sessions = createSessions(deps, database.pipeline);
  serveApi(app, { handlers: createHandlers(deps, keys), eventCursor: live.hub.cursor, sessions });
  serveOneClickUnsubscribe(app, deps, keys.unsubscribeSecret);
  serveEvents(app, { sessions, limits: deps.rateLimits, db: deps.db, hub: live.hub, now: deps.now });
  serveWebhooks(app, deps);
  await options.extend?.(app);
  if (options.webDir !== undefined) serveWeb(app, options.webDir, config);
  return {
    app,
    listen: () => app.listen({ host: config.host, port: config.port }),
    close: async () => {
      // Whoever dawdles over what is under way holds nobody up: everything is cut that is not done by then.
      const cut = setTimeout(() => app.server.closeAllConnections(), SHUTDOWN_TIMEOUT_MS);
      await app.close();
      clearTimeout(cut);
      await live.close();
      await messages.stop();
      await workers.stop();
      await database.close();
    },
    hasNoUsers: async () => (await queryRow(database.db, sql`select 1 as someone from users limit 1`)) === undefined,
  };
}

async function migrateDatabase({ databaseUrl }: Config, database: Database): Promise<void> {
  if (databaseUrl === undefined) return migrate(database.db);
  const patient = openServerDatabase(databaseUrl, 1, 'endless');
  await migrate(patient.db).finally(patient.close);
}

function createHandlers(deps: Context, keys: NotificationKeys): Handlers {
  return {
    ...configHandlers(deps),
    ...accountHandlers(deps),
    ...placeHandlers(deps),
    ...orderHandlers(deps),
    ...deliveryHandlers(deps),
    ...positionHandlers(deps),
    ...reviewHandlers(deps),
    ...dashboardHandlers(deps),
    ...earningsHandlers(deps),
    ...notificationHandlers(deps, keys),
  };
}

function createContext(config: Config, database: Database, logger: Logger, options: ServerOptions) {
  const now = options.now ?? (() => new Date());
  const post = openMailer(config);
  const nudges = { mail: () => {}, payments: () => {}, events: () => {} };
  const deps: Context = {
    db: database.db,
    now,
    newId: options.newId ?? newId,
    config,
    rateLimits: createRateLimits(database.db, config.rateLimitScale, now),
    cards: options.cards ?? createSquareCards(() => requireSquareConfig(config)),
    wake: (work) => nudges[work](),
    log: createRequestLog(logger),
  };
  const workers = startWorkers(deps, post, logger);
  nudges.mail = workers.mail.wake;
  nudges.payments = workers.payments.wake;
  const stop = async () => {
    await Promise.all(Object.values(workers).map((worker) => worker.stop()));
    post.close();
  };
  return { deps, workers: { stop }, nudges };
}

function startWorkers(deps: Context, post: Mailer, log: Logger) {
  const work = (name: string, everyMs: number, doOne: () => Promise<boolean>) =>
    startWorker({ name, everyMs, runOnce: doOne, log });
  return {
    mail: work('mail', MAIL_INTERVAL_MS, () => sendDueMail(deps, post)),
    resets: work('resets', PASSWORD_RESET_INTERVAL_MS, () => processResetRequest(deps)),
    payments: work('payments', PAYMENT_INTERVAL_MS, () => runPaymentJobs(deps)),
    expiry: work('expiry', EXPIRY_INTERVAL_MS, async () => (await expireRequests(deps)) > 0),
    clearing: work('clearing', CLEANUP_INTERVAL_MS, async () => {
      await deleteExpiredPositions(deps);
      return deleteOldEvents(deps);
    }),
    sweeping: work('sweeping', CLEANUP_INTERVAL_MS, createRetentionJob(deps)),
    payouts: work('payouts', PAYOUT_INTERVAL_MS, () => runDuePayouts(deps)),
  };
}

function requireSquareConfig(config: Config) {
  if (!config.square) throw new Error('the configuration names no card network');
  return config.square;
}
