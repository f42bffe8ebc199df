import { setTimeout as sleep } from 'node:timers/promises';
import type { Link } from '../../promises/link.ts';
import type { Random } from '../../testing/random.ts';
import type { OwnParts, Target } from '../installation.ts';

type Harm = 'slow' | 'stall' | 'cut' | 'refuse';

/** What can happen to the network between one server and one of these. The way to the push service is the same for all servers. */
export type NetworkFault = `${Target} ${Harm}`;

type TargetTerms = {
  readonly weight: number;
  readonly name: string;
  /** Longer than a server waits for an answer, so that some faults outlast that. */
  readonly longestMs: number;
};

const TARGETS: Record<Target, TargetTerms> = {
  database: { weight: 1, name: 'the database', longestMs: 7_000 },
  mails: { weight: 0.5, name: 'the mail server', longestMs: 24_000 },
  cards: { weight: 0.5, name: 'the card network', longestMs: 7_000 },
  pushes: { weight: 0.3, name: 'the push service', longestMs: 14_000 },
};

type HarmTerms = {
  readonly weight: number;
  readonly name: (target: string) => string;
  readonly begin: (link: Link, random: Random) => void;
};

/** How much later data arrives over a slow network. */
const SLOW_MS = { least: 10, most: 130 };
const HARMS: Record<Harm, HarmTerms> = {
  slow: {
    weight: 2,
    name: (target) => `times the network from a server to ${target} was slow`,
    begin: (link, random) => link.delay(SLOW_MS.least + random() * (SLOW_MS.most - SLOW_MS.least)),
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

const SHORTEST_MS = 500;

type FaultTerms = {
  readonly fault: NetworkFault;
  readonly name: string;
  readonly weight: number;
  /** Whether a server may not get to know, or may not store, that it has sent a mail. */
  readonly mayRepeatMails: boolean;
  /** For half a second to several seconds. Afterwards the network is as before. */
  readonly cause: (parts: OwnParts, random: Random) => Promise<void>;
};

export const NETWORK_FAULTS: readonly FaultTerms[] = (Object.keys(TARGETS) as Target[]).flatMap((target) =>
  (Object.keys(HARMS) as Harm[]).map((harm) => ({
    fault: `${target} ${harm}` as const,
    name: HARMS[harm].name(TARGETS[target].name),
    weight: HARMS[harm].weight * TARGETS[target].weight,
    mayRepeatMails: harm !== 'slow' && (target === 'database' || target === 'mails'),
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
  await sleep(SHORTEST_MS + random() ** 2 * (TARGETS[target].longestMs - SHORTEST_MS));
  link.heal();
}
