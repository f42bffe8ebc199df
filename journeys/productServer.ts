import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PriceItem } from '../domain/payments.ts';
import type { Preset } from '../domain/policies.ts';
import type { WindowPlan } from '../domain/windows.ts';
import { openDatabaseToRestore } from '../server/commands/openDatabase.ts';
import { ensureSchema } from '../server/db/ensureSchema.ts';
import { setPrice } from '../server/payments/prices/prices.sql.ts';
import { NODE_FLAGS } from '../testing/childProcesses.ts';
import { planWindows } from '../testing/orderTimes.ts';
import { setPresetForAdmitted } from '../testing/policies.ts';
import { findTestPort } from '../testing/ports.ts';

export type ProductServer = {
  /** The URL of the app, without a trailing slash. */
  readonly url: string;
  /** Whoever opens it becomes the first operator. Undefined where there is one. */
  readonly firstOperatorLink?: string | undefined;
  readonly close: () => Promise<void>;
};

const ROOT = join(import.meta.dirname, '..');
/** The last line that the start prints. */
const READY_TEXT = 'Ctrl-C ends it.';

type ProductOptions = {
  readonly demo?: 'on' | 'off';
  /** What its operator has decided, and the prices that they have set. */
  readonly preset?: Preset;
  readonly prices?: Readonly<Partial<Record<PriceItem, number>>>;
  /** The windows that the town offers. */
  readonly windows?: WindowPlan;
};

/** Starts the real product on loopback, with the sandbox and a new database. With `demo` it contains the demo data. */
export async function openProductServer(options: ProductOptions = {}): Promise<ProductServer> {
  const { demo = 'off', preset, windows } = options;
  const port = await findTestPort();
  const dataDir = mkdtempSync(join(tmpdir(), 'rubadub-journeys-'));
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...pickEnv('PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE'),
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO: demo,
  };
  if (preset || windows) await decide(dataDir, options);
  const server = spawn(process.execPath, [...NODE_FLAGS, 'scripts/start.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(server, 'exit');
  const close = async () => {
    server.kill('SIGTERM');
    const [code] = await exit;
    rmSync(dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`the server exited with ${code}`);
  };
  const output = await waitUntilUp(server);
  return { url, firstOperatorLink: /http\S+\/operator\/join\?token=\S+/.exec(output)?.[0], close };
}

const YESTERDAY_MS = 24 * 60 * 60_000;

/** An embedded database is used by one process: what its operator decides is written before the server starts. */
async function decide(dataDir: string, { preset, prices = {}, windows }: ProductOptions): Promise<void> {
  const { db, close } = await openDatabaseToRestore({ DATA_DIR: dataDir });
  await ensureSchema(db);
  const validFrom = new Date(Date.now() - YESTERDAY_MS);
  if (preset) await setPresetForAdmitted(db, preset, validFrom);
  if (windows) await planWindows(db, validFrom, windows);
  for (const [item, value] of Object.entries(prices)) await setPrice(db, { item: item as PriceItem, value, validFrom });
  await close();
}

/** Waits until the start prints that it is ready, and returns all that it has printed. Fails if it exits first. */
function waitUntilUp(server: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    server.stdout?.on('data', (chunk) => {
      output += chunk;
      if (output.includes(READY_TEXT)) resolve(output);
    });
    server.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    server.once('exit', (code) => reject(new Error(`the server exited with ${code} before it was ready:\n${output}`)));
  });
}

// All other variables are left out, so that a DATABASE_URL or a real SMTP_URL of the developer is not used.
function pickEnv(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
