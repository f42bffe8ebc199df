import { setTimeout as sleep } from 'node:timers/promises';
import type { Link } from '../../promises/link.ts';
import type { Random } from '../../testing/random.ts';
import type { OwnParts } from '../installation.ts';

/** What a server talks to. */
export type Target = 'database' | 'mails' | 'cards' | 'pushes';
type Harm = 'slow' | 'stall' | 'cut' | 'refuse';

/** What can happen to the network between one server and one of these. All servers share the way to the push service. */
export type NetworkFault = `${Target} ${Harm}`;

const TARGETS: Record<Target, { readonly weight: number; readonly name: string }> = {
  database: { weight: 1, name: 'the database' },
  mails: { weight: 0.5, name: 'the mail server' },
  cards: { weight: 0.5, name: 'the card network' },
  pushes: { weight: 0.3, name: 'the push service' },
};

type HarmTerms = {
  readonly weight: number;
  readonly name: (target: string) => string;
  readonly begin: (link: Link, random: Random) => void;
};

/** It takes longer than this to send anything when the network is at its slowest. */
const SLOWEST_MS = 120;
const HARMS: Record<Harm, HarmTerms> = {
  slow: {
    weight: 2,
    name: (target) => `times the network from a server to ${target} was slow`,
    begin: (link, random) => link.delay(10 + random() * SLOWEST_MS),
  },
  stall: {
    weight: 2,
    name: (target) => `times the network from a server to ${target} stopped, and then delivered everything`,
    begin: (link) => link.stall(),
  },
  cut: {
    weight: 1,
    name: (target) => `times the network from a server to ${target} lost everything`,
    begin: (link) => link.cut(),
  },
  refuse: {
    weight: 2,
    name: (target) => `times the connections from a server to ${target} were closed`,
    begin: (link) => link.refuse(),
  },
};

/** Longer than a server waits for an answer of the database, in some cases. */
const LONGEST_MS = 7_000;

type FaultTerms = {
  readonly fault: NetworkFault;
  readonly name: string;
  readonly weight: number;
  /** Whether a server may not learn that something was done. */
  readonly isLosing: boolean;
  /** For half a second to a few seconds. Afterwards the network is as before. */
  readonly cause: (parts: OwnParts, random: Random) => Promise<void>;
};

export const NETWORK_FAULTS: readonly FaultTerms[] = (Object.keys(TARGETS) as Target[]).flatMap((target) =>
  (Object.keys(HARMS) as Harm[]).map((harm) => ({
    fault: `${target} ${harm}` as const,
    name: HARMS[harm].name(TARGETS[target].name),
    weight: HARMS[harm].weight * TARGETS[target].weight,
    isLosing: harm !== 'slow',
    cause: (parts, random) => harmOne(parts, random, { target, begin: HARMS[harm].begin }),
  })),
);

async function harmOne(
  { slots }: OwnParts,
  random: Random,
  { target, begin }: { readonly target: Target; readonly begin: HarmTerms['begin'] },
): Promise<void> {
  const link = slots[Math.floor(random() * slots.length)]?.links?.[target];
  if (!link) return;
  begin(link, random);
  // More often short than long.
  await sleep(500 + random() ** 2 * (LONGEST_MS - 500));
  link.heal();
}
