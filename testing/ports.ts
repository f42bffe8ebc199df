import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const [LOWEST, HIGHEST] = [10_000, 65_000];

/**
 * Returns a free port for a program that cannot be told to choose one. It lies outside the range from which the system takes
 * ports for outgoing connections, so that none of them gets it before the program listens, or while it restarts.
 */
export async function findTestPort(): Promise<number> {
  const end = lowestOutgoingPort();
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (end - LOWEST));
    if (await isFree(port)) return port;
  }
}

function lowestOutgoingPort(): number {
  try {
    const [lowest = HIGHEST] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number);
    return lowest > LOWEST + 1_000 ? lowest : HIGHEST;
  } catch {
    // Other systems take them from 49152, or from everywhere.
    return 49_152;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
