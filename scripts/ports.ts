import { once } from 'node:events';
import { createServer } from 'node:net';

/** The port to listen on: the given one, or a free one for 0. Fails as listening would fail. */
export async function probePort(port: number, host = '127.0.0.1'): Promise<number> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : port;
}
