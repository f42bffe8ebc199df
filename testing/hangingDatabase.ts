import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

// PostgreSQL's messages: AuthenticationOk and ReadyForQuery; CommandComplete and ReadyForQuery.
const AUTHENTICATED = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]);
const DONE = Buffer.from([67, 0, 0, 0, 7, 79, 75, 0, 90, 0, 0, 0, 5, 73]);

/** A server that lets everyone in as PostgreSQL does, answers the first statements of each connection, and then none. */
export async function openHangingDatabase(answered = 0): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    let messages = 0;
    socket.on('data', () => {
      if (messages === 0) socket.write(AUTHENTICATED);
      else if (messages <= answered) socket.write(DONE);
      messages += 1;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
