import { setTimeout as sleep } from 'node:timers/promises';
import { launchServer } from '../../promises/processes.ts';
import { chooseWeighted, type Random } from '../../testing/random.ts';
import type { RunLog } from '../findings.ts';
import type { OwnParts, Slot } from '../installation.ts';
import type { CityClock } from '../people/cityClock.ts';
import type { Figures } from '../report/figures.ts';

type Fault = 'kill' | 'restart' | 'pause' | 'session' | 'clock';

const WEIGHTS: Record<Fault, number> = { kill: 3, restart: 2, pause: 2, session: 1, clock: 1 };
const NAMES: Record<Fault, string> = {
  kill: 'servers killed',
  restart: 'servers restarted',
  pause: 'times the database did not answer for seconds',
  session: 'times the database crashed and recovered',
  clock: 'servers with a clock that is 45 days wrong',
};
/** How many kills of a server or the database may have lost unwritten data. */
export const countKills = ({ counts }: Figures): number =>
  (counts[NAMES.kill] ?? 0) + (counts[NAMES.session] ?? 0) + (counts[NAMES.pause] ?? 0);

/** One fault at a time, so that one server and the database are up most of the time. */
const CALM_MS = 4_000;
const WRONG_CLOCK_MS = 4_000;

/** Injects faults one at a time until the evening. Everything runs again when it returns. */
export async function injectFaults(
  parts: OwnParts,
  context: { random: Random; clock: CityClock; log: RunLog; figures: Figures },
): Promise<void> {
  const { random, clock, log, figures } = context;
  while (!clock.isEvening) {
    await sleep(CALM_MS * (0.5 + random()));
    if (clock.isEvening) return;
    const fault = chooseWeighted(random, WEIGHTS);
    figures.count(NAMES[fault]);
    log.note('chaos', NAMES[fault]);
    await CAUSES[fault](parts, random);
  }
}

const CAUSES: Record<Fault, (parts: OwnParts, random: Random) => Promise<void>> = {
  kill: (parts, random) => replaceServer(parts, random, 'SIGKILL'),
  restart: (parts, random) => replaceServer(parts, random, 'SIGTERM'),
  async pause({ postgres }, random) {
    postgres.pause();
    try {
      await sleep(500 + random() * 2_500);
    } finally {
      postgres.resume();
    }
  },
  async session({ postgres }) {
    postgres.killSession();
    await postgres.restartIfDead();
  },
  async clock({ env }, random) {
    const wrong = await launchServer({ ...env, NODE_OPTIONS: shiftClock(random() < 0.5 ? 45 : -45) });
    await sleep(WRONG_CLOCK_MS);
    await wrong.end();
  },
};

async function replaceServer({ slots, env }: OwnParts, random: Random, signal: NodeJS.Signals): Promise<void> {
  const slot = slots[Math.floor(random() * slots.length)] as Slot;
  slot.isUp = false;
  await slot.process.end(signal);
  slot.process = await launchServer(env);
  slot.isUp = true;
}

/** Makes the clock of a new process wrong by some days. */
export const shiftClock = (days: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`
    const shift = ${days * 86_400_000}; const real = Date.now.bind(Date); const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...all) { super(...(all.length > 0 ? all : [real() + shift])); }
      static now() { return real() + shift; }
    };`)}`;
