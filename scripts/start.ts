import cluster from 'node:cluster';
import { describeError, errorMessageOf } from '../server/commands/commandError.ts';
import { type Config, readConfig } from '../server/config/config.ts';
import { formatBanner } from './banner.ts';
import { buildWeb } from './build.ts';
import { startCluster } from './cluster.ts';
import { openLiveDemo } from './demo/live.ts';
import { prepareDemoOperators } from './demo/password.ts';
import { seedDemo } from './demo/seed.ts';
import { readSeed, writeSeed } from './demo/seedState.ts';
import { findPort, openProduct, type Product } from './openProduct.ts';

const SHUTDOWN_TIMEOUT_MS = 10_000;
const SAME_SIGNAL_MS = 1_000;

const closers: (() => unknown)[] = [];
let drain = async () => {};
let isShuttingDown = false;
let shutdownStartedAt = 0;

const log = (line: string) => process.stderr.write(`rubadub: ${line}\n`);

async function shutDown(code: number, signal?: NodeJS.Signals): Promise<void> {
  if (isShuttingDown) {
    // npm forwards the Ctrl-C that the terminal has already sent us. A later one means "stop now".
    if (performance.now() - shutdownStartedAt > SAME_SIGNAL_MS) process.exit(1);
    return;
  }
  isShuttingDown = true;
  shutdownStartedAt = performance.now();
  // Ctrl-C comes from a person, who should not have to wait for load balancers.
  if (signal === 'SIGTERM') await drain();
  setTimeout(() => {
    log('the shutdown timed out; all committed data is kept');
    process.exit(1);
  }, SHUTDOWN_TIMEOUT_MS).unref();
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      log(`during shutdown: ${describeError(error)}`);
    }
  }
  process.exit(code);
}

const withWeb = !process.argv.includes('--api');

async function start(): Promise<void> {
  const config = readConfig(process.env);
  if (config.workers === 1 || cluster.isWorker) return startServer();
  const port = await findPort(config);
  if (withWeb) await buildWeb({ log });
  await startCluster({ ...config, port, log });
}

/** Whether this process is the only one, or the last one of those that start together. */
const isLastToStart = ({ workers }: Config) => cluster.isPrimary || cluster.worker?.id === workers;

async function startServer(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shutDown(0, signal));
  const isOpen = process.argv.includes('--open');
  const onClose = (close: () => unknown) => closers.push(close);
  const product = await openProduct({ env: process.env, withWeb, isOpen, mayCompressLater: true, log, onClose });
  const { config, demoPassword } = product;
  drain = product.server.drain;
  if (config.demo) await seedDemoOnce(product).finally(product.maintenance.end);
  if (isShuttingDown || !isLastToStart(config)) return;
  const hasDemo = config.demo && readSeed(config.dataDir).state === 'done';
  const demo = hasDemo ? demoPassword : undefined;
  // A start does not fail because of it: the next one prints a link.
  const firstOperatorLink = config.demo
    ? undefined
    : await product.server.inviteFirstOperator().catch((error: unknown) => {
        log(`no link for the first operator: ${describeError(error)}`);
        return undefined;
      });
  process.stdout.write(`${formatBanner(config, { demoPassword: demo, firstOperatorLink })}\n`);
  if (hasDemo && config.isDemoLive) onClose(openLiveDemo(product).close);
}

async function seedDemoOnce(product: Product): Promise<void> {
  const { config, server, localUrl, demoPassword: password, demoClock, maintenance } = product;
  const { dataDir } = config;
  const isEmpty = await server.hasNoUsers();
  const begun = readSeed(dataDir);
  if (!isEmpty && begun.state !== 'begun') return;
  const startedAt = (begun.state === 'begun' ? begun.startedAt : undefined) ?? new Date().toISOString();
  writeSeed(dataDir, { state: 'begun', password, startedAt });
  await prepareDemoOperators(server, dataDir, password);
  log(`${config.publicUrl} is up; adding demo people and orders (some seconds, once) ...`);
  try {
    const { send } = maintenance;
    const inboxUrl = `${localUrl}/sandbox/mail/messages`;
    const target = { apiUrl: `${localUrl}/api`, inboxUrl, password, isEmpty, send };
    await seedDemo(target, demoClock && { startedAt: new Date(startedAt), clock: demoClock, server });
    writeSeed(dataDir, { state: 'done', password, doneAt: new Date().toISOString() });
  } catch (error) {
    // The product works without the demo, so this is not fatal.
    if (!isShuttingDown) log(`the demo is incomplete; the next start continues it: ${errorMessageOf(error)}`);
  }
}

start().catch((error: unknown) => {
  // Errors during a shutdown are caused by the interruption.
  if (isShuttingDown) return;
  log(describeError(error));
  void shutDown(1);
});
