import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Message } from './mail/inbox.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';

let dataDir: string;
let sandbox: Sandbox;
let app: FastifyInstance;

async function start(): Promise<void> {
  const parts = { square: false, places: false, map: false, mail: true };
  sandbox = await openSandbox({
    dataDir,
    parts,
    publicUrl: 'http://127.0.0.1',
    now: () => new Date('2026-03-04T05:06:07Z'),
  });
  app = Fastify();
  await sandbox.register(app);
}

async function stop(): Promise<void> {
  await app.close();
  await sandbox.close();
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rubadub-mail-'));
  await start();
});

afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true });
});

async function send(mail: { to: string | string[]; subject: string; text?: string; html?: string }): Promise<void> {
  const transport = createTransport(String(sandbox.smtpUrl));
  await transport.sendMail({ from: 'Rubadub <hello@rubadub.example>', ...mail });
  transport.close();
}

async function list(to?: string): Promise<Message[]> {
  const answer = await app.inject({ url: '/sandbox/mail/messages', query: to ? { to } : {} });
  return answer.json();
}

const MESSAGE_ID = expect.stringMatching(/^<[^<>@]+@rubadub\.example>$/);

test('mails sent with nodemailer are in the inbox, newest first', async () => {
  await send({ to: 'ann@example.com', subject: 'First', text: 'Your code is 123456' });
  await send({ to: 'ann@example.com', subject: 'Zweite – ünïcode', text: 'two', html: '<p>two</p>' });
  expect(await list('ann@example.com')).toEqual([
    {
      id: '2',
      to: 'ann@example.com',
      from: 'hello@rubadub.example',
      subject: 'Zweite – ünïcode',
      text: 'two\n',
      html: '<p>two</p>\n',
      date: '2026-03-04T05:06:07.000Z',
      messageId: MESSAGE_ID,
    },
    {
      id: '1',
      to: 'ann@example.com',
      from: 'hello@rubadub.example',
      subject: 'First',
      text: 'Your code is 123456\n',
      html: null,
      date: '2026-03-04T05:06:07.000Z',
      messageId: MESSAGE_ID,
    },
  ]);
  const countOf = async (to: string) => (await app.inject({ url: '/sandbox/mail/count', query: { to } })).json();
  expect([await countOf('Ann@example.com'), await countOf('bob@example.com')]).toEqual([{ count: 2 }, { count: 0 }]);
});

test('each recipient has a row, and addresses are compared without case', async () => {
  await send({ to: ['ANN@Example.com', 'bob@example.com'], subject: 'Both', text: 'x' });
  expect((await list('ANN@example.COM')).map(({ to }) => to)).toEqual(['ANN@example.com']);
  expect((await list()).map(({ to }) => to)).toEqual(['bob@example.com', 'ANN@example.com']);
  expect(await list('nobody@example.com')).toEqual([]);
});

test('any user name and password may send', async () => {
  const url = new URL(String(sandbox.smtpUrl));
  const transport = createTransport({
    host: url.hostname,
    port: Number(url.port),
    auth: { user: 'someone', pass: 'anything' },
  });
  await transport.sendMail({ from: 'a@b.example', to: 'c@d.example', subject: 'Hi', text: 'x' });
  transport.close();
  expect(await list()).toHaveLength(1);
});

test('a restart keeps all messages', async () => {
  await send({ to: 'ann@example.com', subject: 'Before', text: 'x' });
  await stop();
  await start();
  await send({ to: 'ann@example.com', subject: 'After', text: 'x' });
  expect((await list()).map(({ id, subject }) => [id, subject])).toEqual([
    ['2', 'After'],
    ['1', 'Before'],
  ]);
});

test('text from strangers is shown as text, never as markup', async () => {
  const attack = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'';
  await send({ to: 'ann@example.com', subject: attack, text: attack, html: `<b>${attack}</b>` });
  const answer = await app.inject({ url: '/sandbox/mail/1' });
  expect(answer.body).toContain('&#60;script&#62;alert(1)');
  expect(answer.body).not.toMatch(/<script|<img/);
  expect(answer.body).toMatch(/<iframe[^>]* sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="/);
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
  const asked = await app.inject({ url: '/sandbox/mail', query: { to: attack } });
  expect(asked.body).not.toMatch(/<script|<img/);
});

test('only web addresses in a text become links', async () => {
  await send({
    to: 'ann@example.com',
    subject: 'Reset',
    text: 'Open http://127.0.0.1:3000/#/auth/reset-password?token=a&b=1. Not javascript:alert(1)',
  });
  const { body } = await app.inject({ url: '/sandbox/mail/1' });
  expect(body).toContain('<a href="http://127.0.0.1:3000/#/auth/reset-password?token=a&#38;b=1" rel="noreferrer">');
  expect(body).not.toContain('href="javascript');
});

test('the list can be filtered by address, and says so when it is empty', async () => {
  await send({ to: 'ann@example.com', subject: 'For Ann', text: 'x' });
  await send({ to: 'bob@example.com', subject: 'For Bob', text: 'x' });
  const narrowed = await app.inject({ url: '/sandbox/mail', query: { to: 'ann@example.com' } });
  expect(narrowed.body).toContain('For Ann');
  expect(narrowed.body).not.toContain('For Bob');
  const empty = await app.inject({ url: '/sandbox/mail', query: { to: 'zoe@example.com' } });
  expect(empty.body).toContain('Nothing has been sent to <b>zoe@example.com</b> yet.');
  expect((await app.inject({ url: '/sandbox/mail/99' })).statusCode).toBe(404);
});

test('the folder is locked while it is open, and a locked folder is not opened', async () => {
  const parts = { square: false, places: false, map: false, mail: true };
  const own = join(dataDir, 'locked');
  const held = new Set<string>();
  const lock = (folder: string) => {
    if (held.has(folder)) throw new Error(`${folder} is in use`);
    held.add(folder);
    return { release: () => void held.delete(folder) };
  };
  const open = () => openSandbox({ dataDir: own, parts, publicUrl: 'http://127.0.0.1', lock });
  const first = await open();
  await expect(open()).rejects.toThrow(`${join(own, 'sandbox')} is in use`);
  await first.close();
  await (await open()).close();
  expect(held.size).toBe(0);
});
