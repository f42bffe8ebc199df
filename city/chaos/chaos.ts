import { setTimeout as sleep } from 'node:timers/promises';
import { launchServer } from '../../promises/processes.ts';
import { chooseWeighted, type Random } from '../../testing/random.ts';
import type { Diary } from '../findings.ts';
import type { OwnParts, Slot } from '../installation.ts';
import type { Pace } from '../people/pace.ts';
import type { Figures } from '../report/figures.ts';

type Trouble = 'kill' | 'restart' | 'pause' | 'session' | 'clock';

const WEIGHTS: Record<Trouble, number> = { kill: 3, restart: 2, pause: 2, session: 1, clock: 1 };
const NAMES: Record<Trouble, string> = {
  kill: 'servers killed',
  restart: 'servers restarted',
  pause: 'times the database did not answer for seconds',
  session: 'times the database crashed and recovered',
  clock: 'servers with a clock that is 45 days wrong',
};
/** How often a server or the database lost what it had not written yet. */
export const countKills = ({ counts }: Figures): number =>
  (counts[NAMES.kill] ?? 0) + (counts[NAMES.session] ?? 0) + (counts[NAMES.pause] ?? 0);

/** One thing at a time, so that one server and the database are there most of the time. */
const CALM_MS = 4_000;
const WRONG_CLOCK_MS = 4_000;

/** Breaks one part after the other until the evening. Everything runs again when it returns. */
export async function causeTrouble(
  parts: OwnParts,
  context: { random: Random; pace: Pace; diary: Diary; figures: Figures },
): Promise<void> {
  const { random, pace, diary, figures } = context;
  while (!pace.isEvening) {
    await sleep(CALM_MS * (0.5 + random()));
    if (pace.isEvening) return;
    const trouble = chooseWeighted(random, WEIGHTS);
    figures.count(NAMES[trouble]);
    diary.note('chaos', NAMES[trouble]);
    await CAUSES[trouble](parts, random);
  }
}

const CAUSES: Record<Trouble, (parts: OwnParts, random: Random) => Promise<void>> = {
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
