import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { ROOT } from '../../scripts/build.ts';
import { probePort } from '../../scripts/ports.ts';
import type { Cards } from '../../server/payments/card/cards.ts';
import { createSquareCards } from '../../server/payments/card/square.ts';

export type ResourceUsage = {
  readonly cpuUs: number;
  readonly blockedMs: number;
  readonly rssMb: number;
  /** The largest since the process started. */
  readonly peakRssMb: number;
};

/** A process that has loaded processMetrics.ts. */
export type MeasuredProcess = {
  /** Resets the counters of the process. `stopMeasuring` returns its usage since then. */
  startMeasuring(): Promise<void>;
  stopMeasuring(): Promise<ResourceUsage>;
  /** Megabytes in use after a collection of garbage. */
  readUsedMemory(): Promise<number>;
};

export type ProductProcess = MeasuredProcess & {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  /** Milliseconds from the start until it printed that it is up. */
  readonly readyMs: number;
  stop(): Promise<void>;
};

/** The module that a process loads with `--import`, so that it can be measured. */
export const METRICS = join(import.meta.dirname, 'processMetrics.ts');

export function measureProcess(child: ChildProcess): MeasuredProcess {
  const request = async (message: string) => {
    child.send(message);
    const [reply] = await once(child, 'message');
    return reply as unknown;
  };
  return {
    startMeasuring: async () => void (await request('start')),
    stopMeasuring: async () => (await request('stop')) as ResourceUsage,
    readUsedMemory: async () => ((await request('used memory')) as { usedMb: number }).usedMb,
  };
}

/** Starts the product in a separate process, as a user would. It writes its log, but nobody reads it. */
export async function startProduct(env: Record<string, string>): Promise<ProductProcess> {
  const port = await probePort(0);
  const startedAt = performance.now();
  const child = spawn('sh', [join(ROOT, 'scripts', 'run'), 'scripts/start.ts', '--api'], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...{ PORT: String(port), RATE_LIMIT_SCALE: '1000000', DEMO: 'off', NODE_OPTIONS: `--import ${METRICS}` },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (output.length < 20) output.push(chunk);
  });
  await waitUntilUp(child, output);
  const readyMs = performance.now() - startedAt;
  return {
    pid: child.pid ?? 0,
    host: '127.0.0.1',
    port,
    readyMs,
    ...measureProcess(child),
    stop: () => stopProcess(child),
  };
}

async function waitUntilUp(child: ChildProcess, output: string[]): Promise<void> {
  const exited = once(child, 'exit').then(() => false);
  const up = new Promise<boolean>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      if (chunk.includes('Rubadub is up')) resolve(true);
    });
  });
  if (!(await Promise.race([up, exited]))) throw new Error(`the product did not start:\n${output.join('')}`);
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

const HOLD_CONCURRENCY = 10;
const HOLD_DURATION_MS = 500;

/** Seconds of this machine that one card hold takes through our client of Square's API, without the product around it. */
async function measureSecondsPerHold(cards: Cards): Promise<number> {
  const hold = (n: number) =>
    cards.hold({ orderId: `bench-${n}`, amount: 2683, sourceId: 'bench', verificationToken: null, customerId: null });
  await hold(0);
  let count = 0;
  const startedAt = performance.now();
  const work = async () => {
    while (performance.now() - startedAt < HOLD_DURATION_MS) {
      count += 1;
      await hold(count);
    }
  };
  await Promise.all(Array.from({ length: HOLD_CONCURRENCY }, work));
  return (performance.now() - startedAt) / 1000 / count;
}

/** Starts a card network that approves everything at once, so that only the product is measured. */
export async function startCardNetwork() {
  let holds = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      holds += 1;
      const payment = { id: `bench-held-${holds}`, status: 'APPROVED', version_token: 'bench', card_details: {} };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ payment }));
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const env = {
    SANDBOX: 'on',
    SQUARE_BASE_URL: `http://127.0.0.1:${port}`,
    SQUARE_ACCESS_TOKEN: 'bench',
    SQUARE_APPLICATION_ID: 'sandbox-bench',
    SQUARE_LOCATION_ID: 'bench',
  };
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const square = {
    baseUrl: env.SQUARE_BASE_URL,
    accessToken: 'bench',
    applicationId: 'bench',
    locationId: 'bench',
    webSdkUrl: '',
  };
  return { env, close, secondsPerHold: () => measureSecondsPerHold(createSquareCards(() => square)) };
}
