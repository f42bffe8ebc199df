import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { openSandbox } from '../sandbox/sandbox.ts';
import { codeOf, messageOf, StartFault } from '../server/commands/commandError.ts';
import { type Config, fillStandIns, inUrl, reachableHost, readConfig } from '../server/config/config.ts';
import { Locked, takeLock } from '../server/db/dataDirLock.ts';
import { makeLogger } from '../server/log.ts';
import { openServer, type Server } from '../server/main.ts';
import { buildWeb } from './build.ts';
import { probePort } from './ports.ts';
import { buildTemplate } from './template.ts';

// A line a request is written with those that come in the same moment: by itself it costs a sixth of the request.
const GATHERED = { fd: 2, sync: false, minLength: 16_000, periodicFlush: 100 };

export type House = {
  config: Config;
  server: Server;
  /** The server's address as seen from this machine. */
  ownUrl: string;
};

export type Opening = {
  env: Record<string, string | undefined>;
  /** Without it the server answers the API only. */
  withWeb: boolean;
  say: (line: string) => void;
  /** Is given what to do at the end, the last one first. */
  atEnd: (close: () => unknown) => void;
};

/** Opens the whole product in this process, with the stand-ins that it needs. Throws StartFault or ConfigError. */
export async function openHouse({ env, withWeb, say, atEnd }: Opening): Promise<House> {
  const asked = readConfig(env);
  const port = await claimPort(asked);
  const config = readConfig({ ...env, PORT: String(port) });
  claimFolder(config.dataDir);
  if (!config.databaseUrl) atEnd(claimLock(config.dataDir).release);
  const isNew = config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'pglite'));
  const [webDir, template] = await Promise.all([
    withWeb ? buildWeb({ say, onStart: atEnd }) : undefined,
    isNew ? buildTemplate(atEnd) : undefined,
  ]);
  const sandbox = await openStandIns(config);
  if (sandbox) atEnd(sandbox.close);
  const ownUrl = `http://${inUrl(reachableHost(config.host))}:${port}`;
  const smtpUrl = sandbox?.smtpUrl;
  const filled = fillStandIns(config, { publicUrl: config.publicUrl, ownUrl, ...(smtpUrl ? { smtpUrl } : {}) });
  const server = await openProduct(filled, {
    ...(webDir ? { webDir } : {}),
    ...(template ? { template } : {}),
    ...(sandbox ? { extend: (app) => sandbox.register(app) } : {}),
    // One line a request is for a server that somebody operates; on a laptop it would bury what matters.
    logger: config.databaseUrl
      ? makeLogger('info', pino.destination(GATHERED))
      : makeLogger('warn', pino.destination(2)),
  });
  atEnd(server.close);
  await server.listen().catch((error: unknown) => {
    throw portFault(config, error);
  });
  return { config: filled, server, ownUrl };
}

async function claimPort({ port, host }: Config): Promise<number> {
  return probePort(port, host).catch((error: unknown) => {
    throw portFault({ port, host }, error);
  });
}

function portFault({ port, host }: { port: number; host: string }, error: unknown): unknown {
  const why: Record<string, string> = {
    EADDRINUSE: `PORT ${port} of ${host} is taken: set PORT to another one`,
    EACCES: `PORT ${port} may not be used by this user: set PORT to one above 1023`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine`,
    ENOTFOUND: `HOST ${host} is not known on this machine`,
    EAI_AGAIN: `HOST ${host} is not known on this machine`,
  };
  const line = why[codeOf(error)];
  return line ? new StartFault(line) : error;
}

function claimFolder(folder: string): void {
  const probe = join(folder, `.probe-${process.pid}`);
  try {
    makeFolder(folder);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new StartFault(`DATA_DIR ${folder} cannot be read and written: ${messageOf(error)}`);
  }
}

// Node's own way to make parents, too, tries for ever where a file system refuses with "no such file", as /proc does.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

function claimLock(folder: string) {
  try {
    return takeLock(folder);
  } catch (error) {
    if (!(error instanceof Locked)) throw new StartFault(`DATA_DIR ${folder} cannot be locked: ${messageOf(error)}`);
    throw new StartFault(`DATA_DIR ${error.message}: end that one, or set DATA_DIR to another folder`);
  }
}

async function openStandIns(config: Config) {
  const { dataDir, publicUrl, reachable: parts, sandboxSmtpPort: smtpPort } = config;
  if (!Object.values(parts).includes(true)) return undefined;
  try {
    return await openSandbox({ dataDir, parts, publicUrl, smtpPort, lock: takeLock });
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new StartFault(`SANDBOX_SMTP_PORT ${smtpPort} is taken: set another one`);
    throw new StartFault(`DATA_DIR ${dataDir}: the stand-ins did not start: ${messageOf(error)}`);
  }
}

async function openProduct(config: Config, options: Parameters<typeof openServer>[1]): Promise<Server> {
  try {
    return await openServer(config, options);
  } catch (error) {
    if (!config.databaseUrl) {
      throw new StartFault(`DATA_DIR ${config.dataDir} has no embedded database that opens: ${messageOf(error)}`);
    }
    // Errors with a code come from the network or from PostgreSQL; anything else is a fault of ours.
    if (codeOf(error) === '' && !/timeout|terminated/i.test(messageOf(error))) throw error;
    throw new StartFault(`DATABASE_URL leads to no PostgreSQL that can be used: ${reasonOf(error)}`);
  }
}

// Where a name has several addresses, the error for all of them says nothing itself.
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return messageOf(first);
}
