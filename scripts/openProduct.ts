import cluster from 'node:cluster';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { openSandbox } from '../sandbox/sandbox.ts';
import { CommandError, errorCodeOf, errorMessageOf } from '../server/commands/commandError.ts';
import { serveCommandSocket } from '../server/commands/commandSocket.ts';
import {
  type Config,
  fillStandIns,
  isLocalOnly,
  reachableHost,
  readConfig,
  toUrlHost,
} from '../server/config/config.ts';
import { DataDirError, openDataDir } from '../server/db/dataDir.ts';
import { DataDirLockedError, takeLock } from '../server/db/dataDirLock.ts';
import { SchemaError } from '../server/db/ensureSchema.ts';
import { createLogger } from '../server/log.ts';
import { openServer, type Server } from '../server/main.ts';
import { buildWeb } from './build.ts';
import { buildDatabaseTemplate } from './databaseTemplate.ts';
import { createDemoClock, type DemoClock } from './demo/clock.ts';
import { createMaintenance, type Maintenance } from './demo/maintenance.ts';
import { describeOpenOperator, describePeople, listOpenAccounts } from './demo/openAccounts.ts';
import { createPaceControl, type PaceControl } from './demo/pace.ts';
import { prepareDemoOperators, prepareDemoPassword } from './demo/password.ts';
import { signUpTime } from './demo/plan.ts';
import { readSeed } from './demo/seedState.ts';
import { createVisits, type Visits } from './demo/visits.ts';
import { probePort } from './ports.ts';

// Log lines are written in batches: one write per request would cost a sixth of the request's time.
const BUFFERED_LOG = { fd: 2, sync: false, minLength: 16_000, periodicFlush: 100 };

export type Product = {
  config: Config;
  server: Server;
  /** The server's address as seen from this machine. */
  localUrl: string;
  /** The password of the demo people. */
  demoPassword: string;
  /** The server's clock, if the demo may move it: without others at its database. */
  demoClock: DemoClock | undefined;
  /** On until the demo is complete. The code that adds the demo ends it. */
  maintenance: Maintenance;
  /** What visitors do, for the neighbours of a live demo. */
  visits: Visits | undefined;
  /** How fast the neighbours act, where visitors on this machine may choose. */
  paceControl: PaceControl | undefined;
};

export type ProductOptions = {
  env: Record<string, string | undefined>;
  /** Without it the server answers the API only. */
  withWeb: boolean;
  /** Whether other machines can reach the server through another process, whatever HOST and PUBLIC_URL are. */
  isOpen?: boolean;
  /** Whether the server may start before the web app's files are compressed. */
  mayCompressLater?: boolean;
  log: (line: string) => void;
  /** Registers a function for shutdown. The last one registered must run first. */
  onClose: (close: () => unknown) => void;
};

/** Opens the server and the stand-ins that it needs in this process. Throws CommandError or ConfigError. */
export async function openProduct(options: ProductOptions): Promise<Product> {
  const { env, withWeb, log, onClose } = options;
  // A worker of a cluster shares the port that was found for all of them.
  const port = cluster.isWorker ? readConfig(env).port : await findPort(readConfig(env));
  const config = readConfig({ ...env, PORT: String(port) });
  ensureWritableFolder(config.dataDir, log);
  if (!config.databaseUrl) onClose(lockDataDir(config.dataDir).release);
  const isNew = config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'pglite'));
  const [webDir, template] = await Promise.all([
    withWeb ? buildWeb({ log, onStart: onClose, mayCompressLater: options.mayCompressLater ?? false }) : undefined,
    isNew ? buildDatabaseTemplate(onClose) : undefined,
  ]);
  const demoClock = config.demo && !config.databaseUrl ? openDemoClock(config.dataDir) : undefined;
  const maintenance = createMaintenance(demoClock !== undefined && readSeed(config.dataDir).state !== 'done');
  const clockOption = demoClock ? { now: demoClock.now } : {};
  const visits = config.isDemoLive ? openVisits(config.dataDir, maintenance, demoClock) : undefined;
  const sandbox = await openStandIns(config, clockOption);
  if (sandbox) onClose(sandbox.close);
  const localUrl = `http://${toUrlHost(reachableHost(config.host))}:${port}`;
  const smtpUrl = sandbox?.smtpUrl;
  const { publicUrl } = config;
  const isLocal = !options.isOpen && isLocalOnly(config);
  const paceControl = config.isDemoLive && isLocal ? createPaceControl() : undefined;
  const configWithDemo = {
    ...config,
    ...(config.demo ? describeDemo(config.dataDir, isLocal) : {}),
    // Only where its accounts are offered afterwards. Visitors wait everywhere.
    ...(isLocal ? { isDemoPreparing: maintenance.isOn } : {}),
  };
  const fullConfig = fillStandIns(configWithDemo, { publicUrl, ownUrl: localUrl, ...(smtpUrl ? { smtpUrl } : {}) });
  const server = await openServerOrFail(fullConfig, {
    ...(webDir ? { webDir } : {}),
    ...(template ? { template } : {}),
    ...clockOption,
    extend: async (app) => {
      maintenance.register(app);
      visits?.register(app);
      paceControl?.register(app);
      await sandbox?.register(app);
    },
    // Request logs are for operated servers. On a laptop they would hide the warnings.
    logger: config.databaseUrl
      ? createLogger('info', pino.destination(BUFFERED_LOG))
      : createLogger('warn', pino.destination(2)),
  });
  onClose(server.close);
  const demoPassword = await prepareDemoPassword(server, config.dataDir, isLocal);
  if (config.demo) await prepareDemoOperators(server, config.dataDir, demoPassword);
  await server.listen().catch((error: unknown) => {
    throw portError(config, error);
  });
  onClose(await serveCommandSocket(server.console));
  return { config: fullConfig, server, localUrl, demoPassword, demoClock, maintenance, visits, paceControl };
}

const openVisits = (dataDir: string, { isOwn }: Maintenance, clock: DemoClock | undefined): Visits =>
  createVisits({ isOwn, now: () => (clock?.now() ?? new Date()).getTime(), dataDir });

/** What the app shows of the demo, once it is complete. */
const describeDemo = (
  dataDir: string,
  isLocal: boolean,
): Pick<Config, 'demoPeople' | 'demoAccounts' | 'demoOperator'> => ({
  demoPeople: () => describePeople(dataDir),
  ...(isLocal
    ? { demoAccounts: () => listOpenAccounts(dataDir), demoOperator: () => describeOpenOperator(dataDir) }
    : {}),
});

// An interrupted demo continues in its past: to the jobs of a server of today, its open orders would be weeks old.
function openDemoClock(dataDir: string): DemoClock {
  const { state, startedAt } = readSeed(dataDir);
  return createDemoClock(state === 'begun' && startedAt ? signUpTime(new Date(startedAt)) : undefined);
}

export async function findPort({ port, host }: Config): Promise<number> {
  return probePort(port, host).catch((error: unknown) => {
    throw portError({ port, host }, error);
  });
}

function portError({ port, host }: { port: number; host: string }, error: unknown): unknown {
  const messages: Record<string, string> = {
    EADDRINUSE: `PORT ${port} of ${host} is taken: set PORT to another one`,
    EACCES: `PORT ${port} may not be used by this user: set PORT to one above 1023`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine`,
    ENOTFOUND: `HOST ${host} is not known on this machine`,
    EAI_AGAIN: `HOST ${host} is not known on this machine`,
  };
  const message = messages[errorCodeOf(error)];
  return message ? new CommandError(message) : error;
}

function ensureWritableFolder(folder: string, log: ProductOptions['log']): void {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    openDataDir(folder, (line) => log(`DATA_DIR ${line}`));
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    if (error instanceof DataDirError) throw new CommandError(`DATA_DIR ${error.message}`);
    throw new CommandError(`DATA_DIR ${folder} cannot be read and written: ${errorMessageOf(error)}`);
  }
}

function lockDataDir(folder: string) {
  try {
    return takeLock(folder);
  } catch (error) {
    if (!(error instanceof DataDirLockedError))
      throw new CommandError(`DATA_DIR ${folder} cannot be locked: ${errorMessageOf(error)}`);
    throw new CommandError(`DATA_DIR ${error.message}: stop that process or set DATA_DIR to another folder`);
  }
}

async function openStandIns(config: Config, clock: { now?: () => Date }) {
  const { dataDir, publicUrl, reachable: parts, sandboxSmtpPort: smtpPort } = config;
  if (!Object.values(parts).includes(true)) return undefined;
  try {
    return await openSandbox({ dataDir, parts, publicUrl, smtpPort, lock: takeLock, ...clock });
  } catch (error) {
    if (errorCodeOf(error) === 'EADDRINUSE')
      throw new CommandError(`SANDBOX_SMTP_PORT ${smtpPort} is taken: set another one`);
    throw new CommandError(`DATA_DIR ${dataDir}: the stand-ins did not start: ${errorMessageOf(error)}`);
  }
}

async function openServerOrFail(config: Config, options: Parameters<typeof openServer>[1]): Promise<Server> {
  try {
    return await openServer(config, options);
  } catch (error) {
    if (error instanceof SchemaError) throw new CommandError(error.message);
    if (!config.databaseUrl) {
      throw new CommandError(
        `DATA_DIR ${config.dataDir} has no embedded database that opens: ${errorMessageOf(error)}`,
      );
    }
    // Errors with a code come from the network or PostgreSQL. Anything else is a bug.
    if (errorCodeOf(error) === '' && !/timeout|terminated/i.test(errorMessageOf(error))) throw error;
    throw new CommandError(`DATABASE_URL leads to no PostgreSQL that can be used: ${reasonOf(error)}`);
  }
}

// If a host name has several addresses, the combined error has no message.
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return errorMessageOf(first);
}
