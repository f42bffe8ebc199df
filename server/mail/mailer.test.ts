import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { waitFor } from '../../testing/waits.ts';
import { createMailCircuit, openMailer } from './mailer.ts';

const TIMES = { slowMs: 50, probeMs: 1_000, quickProbeMs: 1_000, probeEveryMs: 20 };
const MAIL = { id: '1', recipient: 'ada@example.org', subject: 'Hello', text: 'x', html: 'x' };

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
  const config = { smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, mailFrom: 'a@b.example' };
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
