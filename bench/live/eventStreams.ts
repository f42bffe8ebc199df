import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type EventStreams = { readonly close: () => void; readonly countOpen: () => number };

/** Where a stream is asked for, and by whom. */
export type StreamTarget = { readonly port: number; readonly path: string; readonly token: string };

const CONCURRENCY = 50;

/** Opens streams of server-sent events over plain sockets; `hear` is called with the id in each event as it arrives. */
export async function openEventStreams(
  streams: readonly StreamTarget[],
  hear: (id: string) => void,
): Promise<EventStreams> {
  const sockets: Socket[] = [];
  for (let from = 0; from < streams.length; from += CONCURRENCY) {
    const some = streams.slice(from, from + CONCURRENCY);
    sockets.push(...(await Promise.all(some.map((stream) => openEventStream(stream, hear)))));
  }
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
    countOpen: () => sockets.filter((socket) => !socket.destroyed).length,
  };
}

async function openEventStream({ port, path, token }: StreamTarget, hear: (id: string) => void): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`);
  let rest = '';
  const welcomed = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (piece: string) => {
      const text = rest + piece;
      const end = text.lastIndexOf('\n\n');
      if (end < 0) {
        rest = text;
        return;
      }
      rest = text.slice(end + 2);
      const whole = text.slice(0, end + 2);
      if (whole.startsWith('HTTP/1.1') && !whole.startsWith('HTTP/1.1 200')) reject(new Error(whole.slice(0, 200)));
      if (whole.includes(': welcome')) resolve();
      for (const [, id = ''] of whole.matchAll(/\ndata: \{"entity":"delivery","id":"([\w-]+)"/g)) hear(id);
    });
  });
  await welcomed;
  return socket;
}
