import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitUntil } from '../testing/waits.ts';
import { type Link, openLink } from './link.ts';

/** A server that answers with what it was sent, and its name before. */
async function openEcho(name: string) {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', (data) => {
      received.push(String(data));
      socket.write(`${name}: ${data}`);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openClient({ port }: Link) {
  const socket = connect(port, '127.0.0.1');
  const client = { heard: '', isClosed: false, send: (text: string) => socket.write(text), end: () => socket.end() };
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    client.heard += data;
  });
  socket.on('close', () => {
    client.isClosed = true;
  });
  return client;
}

let echo: Awaited<ReturnType<typeof openEcho>>;
let link: Link;

beforeEach(async () => {
  echo = await openEcho('one');
  link = await openLink(echo.port);
});

afterEach(async () => {
  await link.close();
  echo.close();
});

async function greet(through = link) {
  const client = openClient(through);
  client.send('hello');
  await waitUntil(() => client.heard === 'one: hello');
  return client;
}

test('a link passes on what both sides say', async () => {
  await greet();
});

test('a slow link passes everything on later, in the same order', async () => {
  const client = await greet();
  link.delay(30);
  const startedAt = performance.now();
  for (const word of ['a', 'b', 'c']) client.send(word);
  await waitUntil(() => echo.received.join('').endsWith('abc'));
  await waitUntil(() => client.heard.endsWith('c'));
  // Each way takes that long.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
});

test('data that a stalled link holds back arrives once the link is healed, also when its sender has hung up', async () => {
  const client = await greet();
  const patient = await greet();
  link.stall();
  client.send('late');
  patient.send('and patient');
  client.end();
  // The end of a third connection shows that the link has read what came before.
  const third = openClient(link);
  third.end();
  await waitUntil(() => third.isClosed && client.isClosed);
  expect(echo.received).toEqual(['hello', 'hello']);
  link.heal();
  await waitUntil(() => echo.received.includes('late') && patient.heard.endsWith('one: and patient'));
});

test('a cut link loses what is sent and keeps connections open, until it is healed', async () => {
  const client = await greet();
  link.cut();
  client.send('lost');
  const other = openClient(link);
  other.send('lost too');
  // A round trip elsewhere takes longer than the link needs to read that.
  const healthy = await openLink(echo.port);
  await greet(healthy);
  await healthy.close();
  expect([client.isClosed, other.isClosed]).toEqual([false, false]);
  link.heal();
  await waitUntil(() => client.isClosed);
  await greet();
  expect(echo.received.join('')).not.toContain('lost');
});

test('a link that refuses closes all connections and takes no new one, until it is healed', async () => {
  const client = await greet();
  link.refuse();
  await waitUntil(() => client.isClosed);
  const other = openClient(link);
  await waitUntil(() => other.isClosed);
  link.heal();
  await greet();
});

test('a link that is redirected leads new connections elsewhere, and closes those there were', async () => {
  const client = await greet();
  const two = await openEcho('two');
  link.redirect(two.port);
  await waitUntil(() => client.isClosed);
  const next = openClient(link);
  next.send('hello');
  await waitUntil(() => next.heard === 'two: hello');
  two.close();
});

test('a connection to a port where nobody listens is closed', async () => {
  echo.close();
  const client = openClient(link);
  await waitUntil(() => client.isClosed);
});
