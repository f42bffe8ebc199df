import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { isPossiblePhoneNumber } from 'libphonenumber-js/min';
import type { Logger } from 'pino';
import { v7 as newId } from 'uuid';
import { usePhoneRules } from '../contract/fields.ts';
import { accountHandlers } from './accounts/accounts.ts';
import { answerResetRequest } from './accounts/passwordResets.ts';
import { openSessions } from './auth/sessions.ts';
import type { Config } from './config/config.ts';
import type { Deps } from './context.ts';
import { dashboardHandlers } from './dashboards/dashboards.ts';
import { type Database, openEmbeddedDatabase, openServerDatabase, row } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { deliveryHandlers } from './deliveries/deliveries.ts';
import { positionHandlers, sweepPositions } from './deliveries/positions.ts';
import { clearOldEvents, openLive } from './events/liveEvents.ts';
import { serveEvents } from './events/stream.ts';
import { serveHealth } from './http/health.ts';
import { serveDocs } from './http/openapi/serve.ts';
import { configHandlers } from './http/publicConfig.ts';
import { makeLimits } from './http/rateLimits.ts';
import { bareServer, type Handlers, serveApi } from './http/routes.ts';
import { serveWeb } from './http/staticFiles.ts';
import { makeSweeper } from './jobs/retention.ts';
import { startWorker } from './jobs/worker.ts';
import { logOfWork, makeLogger } from './log.ts';
import { openPost, type Post, sendDueMail } from './mail/send.ts';
import { notificationHandlers } from './notifications/notifications.ts';
import { serveOneClick } from './notifications/unsubscribe.ts';
import { type Keys, openKeys } from './notifications/vapidKeys.ts';
import { startMessages } from './notifications/workers.ts';
import { expireRequests, orderHandlers } from './orders/orders.ts';
import type { Cards } from './payments/cards.ts';
import { earningsHandlers } from './payments/earnings.ts';
import { workOnPayments } from './payments/paymentJobs.ts';
import { runDuePayouts } from './payments/payouts.ts';
import { squareCards } from './payments/square.ts';
import { serveWebhooks } from './payments/webhooks.ts';
import { placeHandlers } from './places/places.ts';
import { reviewHandlers } from './reviews/reviews.ts';

/** Less than what a supervisor gives a process between SIGTERM and SIGKILL. */
const FINISH_WITHIN_MS = 5_000;
const MAIL_ROUND_MS = 2_000;
/** In rounds of their own and never at once: what a request starts would tell in the time of the next one. */
const RESET_ROUND_MS = 500;
const PAYMENT_ROUND_MS = 1_000;
const EXPIRY_ROUND_MS = 30_000;
const PAYOUT_ROUND_MS = 60_000;
const CLEARING_ROUND_MS = 10 * 60_000;

export type Options = {
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
  isEmpty(): Promise<boolean>;
};

/** Opens the product: database, migrations, workers and routes. The caller holds the lock of an embedded `dataDir`. */
export async function openServer(config: Config, options: Options = {}): Promise<Server> {
  usePhoneRules((phone) => isPossiblePhoneNumber(phone));
  const logger = options.logger ?? makeLogger('info');
  const database = config.databaseUrl
    ? openServerDatabase(config.databaseUrl)
    : await openEmbeddedDatabase(config.dataDir, options.template);
  const keys = await bringUp(config, database)
    .then(() => openKeys(database.db, (options.now ?? (() => new Date()))()))
    .catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
  const { deps, workers, nudges } = wire(config, database, logger, options);
  const live = await openLive(deps, database);
  const messages = startMessages(deps, keys);
  // What the screens are told of is what messages are about.
  nudges.events = () => {
    live.nudge();
    messages.nudge();
  };
  const app = bareServer({
    logger,
    trustProxy: config.trustProxy,
    limits: deps.limits,
    isHttps: config.publicUrl.startsWith('https:'),
    scale: config.rateLimitScale,
  });
  serveHealth(app, database.db);
  serveDocs(app);
  const sessions = openSessions(deps, database.quick);
  serveApi(app, { handlers: handlersOf(deps, keys), place: live.hub.place, sessions });
  serveOneClick(app, deps, keys.unsubscribe);
  serveEvents(app, { sessions, limits: deps.limits, db: deps.db, hub: live.hub, now: deps.now });
  serveWebhooks(app, deps);
  await options.extend?.(app);
  if (options.webDir !== undefined) serveWeb(app, options.webDir, config);
  return {
    app,
    listen: () => app.listen({ host: config.host, port: config.port }),
    close: async () => {
      // Whoever dawdles over what is under way holds nobody up: everything is cut that is not done by then.
      const cut = setTimeout(() => app.server.closeAllConnections(), FINISH_WITHIN_MS);
      await app.close();
      clearTimeout(cut);
      await live.close();
      await messages.stop();
      await workers.stop();
      await database.close();
    },
    isEmpty: async () => (await row(database.db, sql`select 1 as someone from users limit 1`)) === undefined,
  };
}

async function bringUp({ databaseUrl }: Config, database: Database): Promise<void> {
  if (databaseUrl === undefined) return migrate(database.db);
  const patient = openServerDatabase(databaseUrl, 1, 'endless');
  await migrate(patient.db).finally(patient.close);
}

function handlersOf(deps: Deps, keys: Keys): Handlers {
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

function wire(config: Config, database: Database, logger: Logger, options: Options) {
  const now = options.now ?? (() => new Date());
  const post = openPost(config);
  const nudges = { mail: () => {}, payments: () => {}, events: () => {} };
  const deps: Deps = {
    db: database.db,
    now,
    newId: options.newId ?? newId,
    config,
    limits: makeLimits(database.db, config.rateLimitScale, now),
    cards: options.cards ?? squareCards(() => found(config)),
    nudge: (work) => nudges[work](),
    log: logOfWork(logger),
  };
  const workers = startWorkers(deps, post, logger);
  nudges.mail = workers.mail.nudge;
  nudges.payments = workers.payments.nudge;
  const stop = async () => {
    await Promise.all(Object.values(workers).map((worker) => worker.stop()));
    post.close();
  };
  return { deps, workers: { stop }, nudges };
}

function startWorkers(deps: Deps, post: Post, log: Logger) {
  const work = (name: string, everyMs: number, doOne: () => Promise<boolean>) =>
    startWorker({ name, everyMs, doOne, log });
  return {
    mail: work('mail', MAIL_ROUND_MS, () => sendDueMail(deps, post)),
    resets: work('resets', RESET_ROUND_MS, () => answerResetRequest(deps)),
    payments: work('payments', PAYMENT_ROUND_MS, () => workOnPayments(deps)),
    expiry: work('expiry', EXPIRY_ROUND_MS, async () => (await expireRequests(deps)) > 0),
    clearing: work('clearing', CLEARING_ROUND_MS, async () => {
      await sweepPositions(deps);
      return clearOldEvents(deps);
    }),
    sweeping: work('sweeping', CLEARING_ROUND_MS, makeSweeper(deps)),
    payouts: work('payouts', PAYOUT_ROUND_MS, () => runDuePayouts(deps)),
  };
}

function found(config: Config) {
  if (!config.square) throw new Error('the configuration names no card network');
  return config.square;
}
