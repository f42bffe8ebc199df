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
    // npm passes on the Ctrl-C that the terminal has sent us as well; one that comes later means "now".
    if (performance.now() - shutdownStartedAt > SAME_SIGNAL_MS) process.exit(1);
    return;
  }
  isShuttingDown = true;
  shutdownStartedAt = performance.now();
  setTimeout(() => {
    log('something did not end in time; the next start finds everything that was committed');
    process.exit(1);
  }, SHUTDOWN_TIMEOUT_MS).unref();
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      log(`while ending: ${describeError(error)}`);
    }
  }
  process.exit(code);
}

async function start(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void shutDown(0));
  const withWeb = !process.argv.includes('--api');
  const house = await openProduct({
    env: process.env,
    withWeb,
    log: log,
    onClose: (close) => closers.push(close),
  });
  if (house.config.demo) await seedDemoOnce(house);
  if (isShuttingDown) return;
  process.stdout.write(
    `${formatBanner(house.config, house.config.demo && readSeedState(house.config.dataDir) === 'done')}\n`,
  );
}

async function seedDemoOnce({ config, server, localUrl: ownUrl }: Product): Promise<void> {
  const { dataDir } = config;
  const isEmpty = await server.hasNoUsers();
  if (!isEmpty && readSeedState(dataDir) !== 'begun') return;
  writeSeedState(dataDir, 'begun');
  log('filling the made-up city with people and orders (some seconds, once) ...');
  try {
    await seedDemo({ apiUrl: `${ownUrl}/api`, inboxUrl: `${ownUrl}/sandbox/mail/messages`, isEmpty });
    writeSeedState(dataDir, 'done');
  } catch (error) {
    // The product runs well without its demo.
    if (!isShuttingDown) log(`the demo is not complete and is continued at the next start: ${errorMessageOf(error)}`);
  }
}

start().catch((error: unknown) => {
  // What a signal interrupts fails, too, and that is nobody's fault.
  if (isShuttingDown) return;
  log(describeError(error));
  void shutDown(1);
});
