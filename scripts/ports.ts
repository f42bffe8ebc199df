import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns `port` if it is free, or any free port for 0. Fails with the error that listening would fail with. */
export async function probePort(port: number, host = '127.0.0.1'): Promise<number> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : port;
}
