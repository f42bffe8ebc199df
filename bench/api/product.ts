import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { ROOT } from '../../scripts/build.ts';
import { probePort } from '../../scripts/ports.ts';
import type { Cards } from '../../server/payments/cards.ts';
import { createSquareCards } from '../../server/payments/square.ts';

export type ResourceUsage = { readonly cpuUs: number; readonly blockedMs: number; readonly rssMb: number };

export type ProductProcess = {
  readonly host: string;
  readonly port: number;
  /** Milliseconds from its start until it said that it is up. */
  readonly readyMs: number;
  /** Begins to count what the process spends; `end` says what it was. */
  startMeasuring(): Promise<void>;
  stopMeasuring(): Promise<ResourceUsage>;
  stop(): Promise<void>;
};

/** Starts the product as a user would, in a process of its own, with its log going nowhere but written. */
export async function startProduct(env: Record<string, string>): Promise<ProductProcess> {
  const port = await probePort(0);
  const watch = join(import.meta.dirname, 'processMetrics.ts');
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', watch, join(ROOT, 'scripts', 'start.ts'), '--api'],
    {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), RATE_LIMIT_SCALE: '1000000', DEMO: 'off', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const said: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    if (said.length < 20) said.push(piece);
  });
  await waitUntilUp(child, said);
  const readyMs = performance.now() - began;
  const ask = async (message: string) => {
    child.send(message);
    const [answer] = await once(child, 'message');
    return answer as unknown;
  };
  return {
    host: '127.0.0.1',
    port,
    readyMs,
    startMeasuring: async () => void (await ask('begin')),
    stopMeasuring: async () => (await ask('end')) as ResourceUsage,
    stop: () => stopProcess(child),
  };
}

async function waitUntilUp(child: ChildProcess, said: string[]): Promise<void> {
  const exited = once(child, 'exit').then(() => false);
  const up = new Promise<boolean>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      if (piece.includes('Rubadub is up')) resolve(true);
    });
  });
  if (!(await Promise.race([up, exited]))) throw new Error(`the product did not start:\n${said.join('')}`);
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

const HOLD_CONCURRENCY = 10;
const HOLD_DURATION_MS = 500;

/** What one hold takes of the machine, through the official SDK and over HTTP, with nothing of ours around it: seconds. */
async function timeHolds(cards: Cards): Promise<number> {
  const hold = (n: number) =>
    cards.hold({ orderId: `bench-${n}`, amount: 2683, sourceId: 'bench', verificationToken: null });
  await hold(0);
  let count = 0;
  const began = performance.now();
  const work = async () => {
    while (performance.now() - began < HOLD_DURATION_MS) {
      count += 1;
      await hold(count);
    }
  };
  await Promise.all(Array.from({ length: HOLD_CONCURRENCY }, work));
  return (performance.now() - began) / 1000 / count;
}

/** A card network that says yes at once, so that what is measured is ours. */
export async function startCardNetwork() {
  let held = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      held += 1;
      const payment = { id: `bench-held-${held}`, status: 'APPROVED', version_token: 'bench', card_details: {} };
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
  return { env, close, secondsAHold: () => timeHolds(createSquareCards(() => square)) };
}
