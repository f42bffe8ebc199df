import { setTimeout as sleep } from 'node:timers/promises';
import type { Link } from '../../promises/link.ts';
import type { Random } from '../../testing/random.ts';
import type { OwnParts } from '../installation.ts';

/** What can happen to the network between one server and the database. */
export type NetworkFault = 'slow' | 'stall' | 'cut' | 'refuse';

export const NETWORK_WEIGHTS: Record<NetworkFault, number> = { slow: 2, stall: 2, cut: 1, refuse: 2 };
export const NETWORK_NAMES: Record<NetworkFault, string> = {
  slow: 'times the network from a server to the database was slow',
  stall: 'times the network from a server to the database stopped, and then delivered everything',
  cut: 'times the network from a server to the database lost everything',
  refuse: 'times the connections from a server to the database were closed',
};

/** Longer than a server waits for an answer of the database, in some cases. */
const LONGEST_MS = 7_000;
const SLOWEST_MS = 120;

/** For half a second to a few seconds. Afterwards the network is as before. */
export const NETWORK_FAULTS: Record<NetworkFault, (parts: OwnParts, random: Random) => Promise<void>> = {
  slow: (parts, random) => breakOne(parts, random, (link) => link.delay(10 + random() * SLOWEST_MS)),
  stall: (parts, random) => breakOne(parts, random, (link) => link.stall()),
  cut: (parts, random) => breakOne(parts, random, (link) => link.cut()),
  refuse: (parts, random) => breakOne(parts, random, (link) => link.refuse()),
};

async function breakOne({ slots }: OwnParts, random: Random, harm: (link: Link) => void): Promise<void> {
  const link = slots[Math.floor(random() * slots.length)]?.link;
  if (!link) return;
  harm(link);
  // More often short than long.
  await sleep(500 + random() ** 2 * (LONGEST_MS - 500));
  link.heal();
}
