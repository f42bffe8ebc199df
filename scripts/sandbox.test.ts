import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { SquareClient } from 'square';
import { afterEach, beforeEach, expect, test } from 'vitest';

let dataDir: string;
let running: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rubadub-alone-'));
  running = [];
});

afterEach(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true });
});

function launch(env: Record<string, string>): ChildProcess {
  const script = new URL('./sandbox.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script], { env: { ...process.env, DATA_DIR: dataDir, PORT: '0', ...env } });
  running.push(child);
  return child;
}

// What the block that it prints tells a server to set.
async function readVariables(child: ChildProcess): Promise<Record<string, string>> {
  let printed = '';
  for await (const piece of child.stdout ?? []) {
    printed += String(piece);
    if (printed.includes('Ctrl-C')) break;
  }
  return Object.fromEntries([...printed.matchAll(/^ +([A-Z_]+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
}

async function readStartError(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = launch(env);
  const [said, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  return { code, said };
}

test('the stand-ins run alone, print where they are, and end on SIGTERM with nothing lost', async () => {
  const child = launch({});
  const told = await readVariables(child);
  const client = new SquareClient({ token: String(told.SQUARE_ACCESS_TOKEN), baseUrl: String(told.SQUARE_BASE_URL) });
  const { payment } = await client.payments.create({
    sourceId: 'cnon:card-nonce-ok',
    idempotencyKey: 'one',
    amountMoney: { amount: 100n, currency: 'USD' },
  });
  const transport = createTransport(String(told.SMTP_URL));
  await transport.sendMail({ from: 'a@b.example', to: 'ann@example.com', subject: 'Hello', text: 'x' });
  transport.close();
  for (const name of ['SQUARE_WEB_SDK_URL', 'MAP_STYLE_URL', 'MAPBOX_BASE_URL']) {
    expect((await fetch(String(told[name]))).status).toBe(200);
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);

  const again = await readVariables(launch({}));
  const other = new SquareClient({ token: 'x', baseUrl: String(again.SQUARE_BASE_URL) });
  expect((await other.payments.get({ paymentId: String(payment?.id) })).payment).toEqual(payment);
  const inbox = await fetch(new URL('/sandbox/mail/messages?to=ann@example.com', again.SQUARE_BASE_URL));
  expect(await inbox.json()).toMatchObject([{ subject: 'Hello' }]);
});

test('a folder in use, a taken port and a bad one each end the start with one clear line', async () => {
  const child = launch({});
  const told = await readVariables(child);
  const { port } = new URL(String(told.SQUARE_BASE_URL));
  const { port: smtpPort } = new URL(String(told.SMTP_URL));
  const elsewhere = join(dataDir, 'elsewhere');
  expect(await readStartError({})).toEqual({
    code: 1,
    said: `rubadub sandbox: ${join(dataDir, 'sandbox')} is in use by process ${child.pid}\n`,
  });
  expect(await readStartError({ DATA_DIR: elsewhere, PORT: port })).toEqual({
    code: 1,
    said: `rubadub sandbox: port ${port} of 127.0.0.1 is taken; set PORT to another one\n`,
  });
  expect(await readStartError({ DATA_DIR: elsewhere, SANDBOX_SMTP_PORT: smtpPort })).toEqual({
    code: 1,
    said: `rubadub sandbox: port ${smtpPort} of 127.0.0.1 is taken; set SANDBOX_SMTP_PORT to another one\n`,
  });
  expect(await readStartError({ PORT: '70000' })).toEqual({
    code: 1,
    said: 'rubadub sandbox: PORT must be a port from 0 to 65535, not "70000"\n',
  });
});

test('a killed sandbox leaves its folder to the next', async () => {
  const child = launch({});
  await readVariables(child);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readVariables(launch({}))).toHaveProperty('SMTP_URL');
});
