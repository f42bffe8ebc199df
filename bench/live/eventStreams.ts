import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type EventStreams = { readonly close: () => void; readonly countOpen: () => number };

/** The URL and the token to open a stream with. */
export type StreamTarget = { readonly port: number; readonly path: string; readonly token: string };

const CONCURRENCY = 50;

/** Opens server-sent event streams over plain sockets and calls `onEvent` with the id in each event. */
export async function openEventStreams(
  streams: readonly StreamTarget[],
  onEvent: (id: string) => void,
): Promise<EventStreams> {
  const sockets: Socket[] = [];
  for (let from = 0; from < streams.length; from += CONCURRENCY) {
    const batch = streams.slice(from, from + CONCURRENCY);
    sockets.push(...(await Promise.all(batch.map((stream) => openEventStream(stream, onEvent)))));
  }
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
    countOpen: () => sockets.filter((socket) => !socket.destroyed).length,
  };
}

async function openEventStream({ port, path, token }: StreamTarget, onEvent: (id: string) => void): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`);
  let rest = '';
  const welcomed = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      const text = rest + chunk;
      const end = text.lastIndexOf('\n\n');
      if (end < 0) {
        rest = text;
        return;
      }
      rest = text.slice(end + 2);
      const events = text.slice(0, end + 2);
      if (events.startsWith('HTTP/1.1') && !events.startsWith('HTTP/1.1 200')) reject(new Error(events.slice(0, 200)));
      if (events.includes(': welcome')) resolve();
      for (const [, id = ''] of events.matchAll(/\ndata: \{"entity":"delivery","id":"([\w-]+)"/g)) onEvent(id);
    });
  });
  await welcomed;
  return socket;
}
