import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The URL and the token to open a stream with. */
export type StreamTarget = { readonly port: number; readonly path: string; readonly token: string };

/** Opens a stream of server-sent events over a plain socket. `onEvents` gets whole events as text, one or more at once. */
export async function openTextStream(
  { port, path, token }: StreamTarget,
  onEvents: (text: string) => void,
): Promise<Socket> {
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
      onEvents(events);
    });
  });
  await welcomed;
  return socket;
}
