import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../domain/durations.ts';
import { launchServer } from '../../promises/processes.ts';
import { shiftClock } from '../../promises/wrongClock.ts';
import { chooseWeighted, type Random } from '../../testing/random.ts';
import { checkIsRunning } from '../checks/servers.ts';
import type { RunLog } from '../findings.ts';
import type { OwnParts } from '../installation.ts';
import type { CityClock } from '../people/cityClock.ts';
import type { Figures } from '../report/figures.ts';
import { NETWORK_FAULTS, type NetworkFault } from './network.ts';

type Fault = 'kill' | 'restart' | 'pause' | 'session' | 'clock' | 'failover' | NetworkFault;

/** One value of each fault of the network. */
const ofNetwork = <T>(read: (terms: (typeof NETWORK_FAULTS)[number]) => T) =>
  Object.fromEntries(NETWORK_FAULTS.map((terms) => [terms.fault, read(terms)])) as Record<NetworkFault, T>;

/** A failover has its own time. */
const WEIGHTS: Record<Exclude<Fault, 'failover'>, number> = {
  ...{ kill: 4, restart: 3, pause: 3, session: 1, clock: 1 },
  ...ofNetwork(({ weight }) => weight),
};
const NAMES: Record<Fault, string> = {
  kill: 'servers killed',
  restart: 'servers restarted',
  pause: 'times the database did not answer for seconds',
  session: 'times the database crashed and recovered',
  clock: 'servers with a clock that is 45 days wrong',
  failover: 'times the database was killed and its replica promoted',
  ...ofNetwork(({ name }) => name),
};
/** After these, a server may not have stored that it has sent a mail. */
const REPEATING: readonly Fault[] = [
  ...(['kill', 'session', 'pause', 'failover'] as const),
  ...NETWORK_FAULTS.filter(({ mayRepeatMails }) => mayRepeatMails).map(({ fault }) => fault),
];
/** How many faults may have been the reason for a mail that came twice. */
export const countRepeatingFaults = ({ counts }: Figures): number =>
  REPEATING.reduce((sum, fault) => sum + (counts[NAMES[fault]] ?? 0), 0);

const NO_REPLICA = 'days without a failover, because pg_basebackup is not installed';

/** One fault at a time, so that one server and the database are up most of the time. */
const CALM_MS = 4_000;
const WRONG_CLOCK_MS = 4_000;

export type ChaosContext = {
  readonly random: Random;
  readonly clock: CityClock;
  readonly log: RunLog;
  readonly figures: Figures;
  /** How long the day is. */
  readonly minutes: number;
};

/** Injects faults one at a time until the evening. Everything runs again when it returns. */
export async function injectFaults(parts: OwnParts, context: ChaosContext): Promise<void> {
  const { random, clock, log, figures, minutes } = context;
  const startedAt = performance.now();
  // Once, in the second quarter of the day or a little later.
  const failsOverAfterMs = (0.25 + random() * 0.3) * minutes * MINUTE_MS;
  if (parts.lacksReplica) figures.count(NO_REPLICA);
  while (!clock.isEvening) {
    await sleep(CALM_MS * (0.5 + random()));
    if (clock.isEvening) break;
    const isTime = parts.database.canFailOver() && performance.now() - startedAt >= failsOverAfterMs;
    const fault: Fault = isTime ? 'failover' : chooseWeighted(random, WEIGHTS);
    await parts.alone(async () => {
      figures.count(NAMES[fault]);
      figures.beginFault(NAMES[fault]);
      log.note('chaos', NAMES[fault]);
      await CAUSES[fault](parts, random, log);
    });
  }
  figures.endFault();
}

const CAUSES: Record<Fault, (parts: OwnParts, random: Random, log: RunLog) => Promise<void>> = {
  ...ofNetwork(({ cause }) => cause),
  kill: (parts, random, log) => replaceServer(parts, random, { signal: 'SIGKILL', log }),
  restart: (parts, random, log) => replaceServer(parts, random, { signal: 'SIGTERM', log }),
  async pause({ database }, random) {
    const postgres = database.primary();
    postgres.pause();
    try {
      await sleep(500 + random() * 2_500);
    } finally {
      postgres.resume();
    }
  },
  async session({ database }) {
    const postgres = database.primary();
    postgres.killSession();
    await postgres.restartIfDead();
  },
  async failover({ database, leadToPrimary }) {
    await database.failOver();
    leadToPrimary();
  },
  async clock({ env }, random, log) {
    const wrong = await launchServer({ ...env, NODE_OPTIONS: shiftClock(random() < 0.5 ? 45 : -45) });
    await sleep(WRONG_CLOCK_MS);
    checkIsRunning(wrong, log);
    await wrong.end();
  },
};

async function replaceServer(
  { slots }: OwnParts,
  random: Random,
  { signal, log }: { signal: NodeJS.Signals; log: RunLog },
): Promise<void> {
  const slot = slots[Math.floor(random() * slots.length)];
  if (!slot) return;
  checkIsRunning(slot.process, log);
  slot.isUp = false;
  await slot.process.end(signal);
  slot.process = await launchServer(slot.env);
  slot.isUp = true;
}
