import { describeError, errorMessageOf } from '../server/commands/commandError.ts';
import { formatBanner } from './banner.ts';
import { readSeedState, seedDemo, writeSeedState } from './demo/seed.ts';
import { openProduct, type Product } from './openProduct.ts';

const SHUTDOWN_TIMEOUT_MS = 10_000;
const SAME_SIGNAL_MS = 1_000;

const closers: (() => unknown)[] = [];
let isShuttingDown = false;
let shutdownStartedAt = 0;

const log = (line: string) => process.stderr.write(`rubadub: ${line}\n`);

async function shutDown(code: number): Promise<void> {
  if (isShuttingDown) {
    // npm forwards the Ctrl-C that the terminal has already sent us. A later one means "stop now".
    if (performance.now() - shutdownStartedAt > SAME_SIGNAL_MS) process.exit(1);
    return;
  }
  isShuttingDown = true;
  shutdownStartedAt = performance.now();
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

async function start(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shutDown(0));
  const withWeb = !process.argv.includes('--api');
  const product = await openProduct({ env: process.env, withWeb, log, onClose: (close) => closers.push(close) });
  const { config } = product;
  if (config.demo) await seedDemoOnce(product);
  if (isShuttingDown) return;
  process.stdout.write(`${formatBanner(config, config.demo && readSeedState(config.dataDir) === 'done')}\n`);
}

async function seedDemoOnce({ config, server, localUrl }: Product): Promise<void> {
  const { dataDir } = config;
  const isEmpty = await server.hasNoUsers();
  if (!isEmpty && readSeedState(dataDir) !== 'begun') return;
  writeSeedState(dataDir, 'begun');
  log('adding demo people and orders (some seconds, once) ...');
  try {
    await seedDemo({ apiUrl: `${localUrl}/api`, inboxUrl: `${localUrl}/sandbox/mail/messages`, isEmpty });
    writeSeedState(dataDir, 'done');
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
