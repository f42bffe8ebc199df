import { createServer, type ServerResponse } from 'node:http';

// A minimal event stream server: it keeps the open responses and writes to those that a message names.
const streams = new Map<number, ServerResponse>();
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
};
let count = 0;

const server = createServer((request, response) => {
  const [, index = ''] = (request.url ?? '').split('=');
  streams.set(Number(index), response);
  response.writeHead(200, HEADERS).write(': welcome\n\n');
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 });
});

type PublishMessage = { readonly to: readonly number[]; readonly data: string };

process.on('message', (message: PublishMessage | string) => {
  // For processMetrics.ts.
  if (typeof message === 'string') return;
  count += 1;
  for (const index of message.to) streams.get(index)?.write(`id: 1-${count}\ndata: ${message.data}\n\n`);
});
process.on('disconnect', () => process.exit(0));
