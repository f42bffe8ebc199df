import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { waitFor } from '../../testing/waits.ts';
import { createMailCircuit, type OutgoingMail, openMailer } from './mailer.ts';

const TIMES = { slowMs: 50, probeMs: 1_000, quickProbeMs: 1_000, probeEveryMs: 20 };
const MAIL = { from: 'a@b.example', id: '1', recipient: 'ada@example.org', subject: 'Hello', text: 'x', html: 'x' };

test('a mail server that accepts connections but says nothing opens the circuit, and its greeting closes it', async () => {
  let greets = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    if (greets) socket.write('220 mail.example.org ESMTP\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const config = { smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const circuit = createMailCircuit(config, TIMES);
  const mailer = openMailer(config, circuit);
  const sent = expect(mailer.send(MAIL)).rejects.toThrow();
  await waitFor(() => expect(circuit.isOpen()).toBe(true));
  greets = true;
  await waitFor(() => expect(circuit.isOpen()).toBe(false));
  server.close();
  for (const socket of sockets) socket.destroy();
  await sent;
  mailer.close();
});

/** What a mail server gets when a mail is sent. */
async function sendThroughServer(mail: OutgoingMail): Promise<string> {
  let received = '';
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) =>
      void text(stream).then((raw) => {
        received = raw;
        done(null);
      }),
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const mailer = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}` });
  await mailer.send(mail);
  mailer.close();
  await new Promise<void>((done) => server.close(() => done()));
  return received;
}

test('a mail asks for no automatic answer, as of somebody who is out of office', async () => {
  const raw = await sendThroughServer(MAIL);
  expect(raw).toMatch(/^auto-submitted: auto-generated\r$/im);
  expect(raw).toMatch(/^x-auto-response-suppress: All\r$/im);
});

test('a mail is from the town under its name', async () => {
  const from = { name: 'Suds & "Sons" <x>', address: 'a@b.example' };
  expect(await sendThroughServer({ ...MAIL, from })).toMatch(/^From: "Suds & \\"Sons\\" <x>" <a@b\.example>\r$/im);
});

test('a mail has no line that a mail server would cut or refuse, however long its words are', async () => {
  const long = `${'Waschsalon-'.repeat(300)} ${'ü'.repeat(2_000)}`;
  const raw = await sendThroughServer({
    ...MAIL,
    subject: long.slice(0, 400),
    text: `.\n${long}`,
    html: `<p>${long}</p>`,
  });
  expect(Math.max(...raw.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
});
