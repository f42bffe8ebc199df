import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rawRequest, sendRaw } from '../testing/rawSocket.ts';
import { createSquareTestClient } from '../testing/squareTestClient.ts';

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

// The variables that the sandbox prints for servers.
async function readVariables(child: ChildProcess): Promise<Record<string, string>> {
  let printed = '';
  for await (const piece of child.stdout ?? []) {
    printed += String(piece);
    if (printed.includes('Ctrl-C')) break;
  }
  return Object.fromEntries([...printed.matchAll(/^ +([A-Z_]+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
}

async function readStartError(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const child = launch(env);
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  return { code, stderr };
}

test('the sandbox runs without a server, prints its addresses, and keeps its data after a SIGTERM', async () => {
  const child = launch({});
  const variables = await readVariables(child);
  const { origin } = new URL(String(variables.SQUARE_BASE_URL));
  // A page that gives its own name the address of this machine must not read the inbox.
  const rebound = await sendRaw(origin, rawRequest('GET', '/sandbox/mail/messages', ['host: rebound.example.org']));
  expect([rebound.status, rebound.text]).toEqual([400, expect.stringContaining('This server is 127.0.0.1')]);
  const named = await sendRaw(origin, rawRequest('GET', '/sandbox/mail/messages'));
  expect(named.status).toBe(200);
  const client = createSquareTestClient(String(variables.SQUARE_BASE_URL));
  const { payment } = await client.payments.create({
    sourceId: 'cnon:card-nonce-ok',
    idempotencyKey: 'one',
    amountMoney: { amount: 100, currency: 'USD' },
  });
  const transport = createTransport(String(variables.SMTP_URL));
  await transport.sendMail({ from: 'a@b.example', to: 'ann@example.com', subject: 'Hello', text: 'x' });
  transport.close();
  for (const name of ['SQUARE_WEB_SDK_URL', 'MAP_STYLE_URL', 'MAPBOX_BASE_URL']) {
    expect((await fetch(String(variables[name]))).status).toBe(200);
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);

  const restarted = await readVariables(launch({}));
  const newClient = createSquareTestClient(String(restarted.SQUARE_BASE_URL));
  // A later look at a payment also tells its fee.
  const { updatedAt: _before, ...kept } = payment ?? {};
  expect((await newClient.payments.get({ paymentId: String(payment?.id) })).payment).toMatchObject(kept);
  const inbox = await fetch(new URL('/sandbox/mail/messages?to=ann@example.com', restarted.SQUARE_BASE_URL));
  expect(await inbox.json()).toMatchObject([{ subject: 'Hello' }]);
});

test('a locked folder, a taken port and an invalid port each stop the start with one clear line', async () => {
  const child = launch({});
  const variables = await readVariables(child);
  const { port } = new URL(String(variables.SQUARE_BASE_URL));
  const { port: smtpPort } = new URL(String(variables.SMTP_URL));
  const otherDir = join(dataDir, 'other');
  expect(await readStartError({})).toEqual({
    code: 1,
    stderr: `rubadub sandbox: ${join(dataDir, 'sandbox')} is in use by process ${child.pid}\n`,
  });
  expect(await readStartError({ DATA_DIR: otherDir, PORT: port })).toEqual({
    code: 1,
    stderr: `rubadub sandbox: port ${port} of 127.0.0.1 is taken; set PORT to another one\n`,
  });
  expect(await readStartError({ DATA_DIR: otherDir, SANDBOX_SMTP_PORT: smtpPort })).toEqual({
    code: 1,
    stderr: `rubadub sandbox: port ${smtpPort} of 127.0.0.1 is taken; set SANDBOX_SMTP_PORT to another one\n`,
  });
  expect(await readStartError({ PORT: '70000' })).toEqual({
    code: 1,
    stderr: 'rubadub sandbox: PORT must be a port from 0 to 65535, not "70000"\n',
  });
});

test('a new sandbox can use the folder of one that was killed', async () => {
  const child = launch({});
  await readVariables(child);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readVariables(launch({}))).toHaveProperty('SMTP_URL');
});
