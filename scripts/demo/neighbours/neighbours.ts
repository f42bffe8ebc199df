import { setTimeout as pause } from 'node:timers/promises';
import { CallFailed } from '../../../contract/callClient.ts';
import type { Random } from '../../../sandbox/city/random.ts';
import { type DemoPerson, primaryAccountOf } from '../people.ts';
import type { Visits } from '../visits.ts';
import { createBudLook } from './budLook.ts';
import { createDuberLook } from './duberLook.ts';
import { lookAsScrub } from './scrubLook.ts';
import { TIMES } from './times.ts';
import type { Neighbour, Resident, Town } from './town.ts';

export type NeighbourOptions = {
  readonly people: readonly DemoPerson[];
  /** Signs somebody in. Their requests must end when the signal aborts. */
  readonly enter: (person: DemoPerson, signal: AbortSignal) => Promise<Resident>;
  readonly visits: Pick<Visits, 'isHere' | 'lastActAt' | 'nextAct'>;
  /** When the demo was complete: what happened before stays as it is. */
  readonly since: Date;
  readonly random: Random;
  /** How many times faster than usual they live. */
  readonly pace?: number;
  /** The time in milliseconds. */
  readonly now?: () => number;
};

export type Neighbours = {
  /** Whether they wait for a visitor. */
  readonly isAsleep: () => boolean;
  readonly close: () => Promise<void>;
};

type Look = { readonly neighbour: Neighbour; readonly look: () => Promise<number> };

/** Before a sign-in that was refused is tried again. */
const REFUSED_SIGN_IN_MS = 10 * 60_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
/** Between the first looks of two people, and between two looks at all. */
const STAGGER_MS = 400;
const SHORTEST_MS = 100;

/**
 * Demo people who live their days, through the API alone: one looks at a time, so they never send more than one request at once.
 * While nobody visits, they wait for the next visitor and do nothing.
 */
export function openNeighbours(options: NeighbourOptions): Neighbours {
  const closing = new AbortController();
  const state = { isAsleep: false };
  const ended = live(options, state, closing.signal).catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });
  return {
    isAsleep: () => state.isAsleep,
    close: () => {
      closing.abort();
      return ended;
    },
  };
}

async function live(options: NeighbourOptions, state: { isAsleep: boolean }, signal: AbortSignal): Promise<void> {
  const { visits, pace = 1, now = Date.now } = options;
  const looks = createLooks(options, signal, now);
  const closed = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  // What was open when the server stopped goes on.
  let awakeSince = now();
  const isAwake = () => now() - Math.max(awakeSince, visits.lastActAt()) < TIMES.awake;
  while (!signal.aborted) {
    if (!isAwake()) {
      state.isAsleep = true;
      await Promise.race([visits.nextAct(), closed]);
      state.isAsleep = false;
      awakeSince = now();
      for (const [i, { neighbour }] of looks.entries()) neighbour.lookAt = now() + (i * STAGGER_MS) / pace;
      continue;
    }
    const next = looks.reduce((a, b) => (b.neighbour.lookAt < a.neighbour.lookAt ? b : a));
    await pause(Math.max(SHORTEST_MS / pace, next.neighbour.lookAt - now()), undefined, { signal, ref: false });
    next.neighbour.lookAt = now() + (await lookCalmly(next, pace));
  }
}

function createLooks(options: NeighbourOptions, signal: AbortSignal, now: () => number): Look[] {
  const { people, enter, visits, since, random, pace = 1 } = options;
  const neighbours = people.map(
    (person, i): Neighbour => ({
      person,
      resident: undefined,
      lookAt: now() + ((i + 1) * STAGGER_MS) / pace,
      failures: 0,
    }),
  );
  const town: Town = {
    ...{ neighbours, visits, pace, now },
    since: since.getTime(),
    isNeighbour: (id) => neighbours.some(({ resident }) => resident?.id === id) && !visits.isHere(id),
    leftUntil: new Map(),
  };
  const signIn = async (neighbour: Neighbour) => {
    neighbour.resident ??= await enter(neighbour.person, signal);
    return neighbour.resident;
  };
  const ofRole = (role: string) => neighbours.filter(({ person }) => person.role === role);
  const household: Neighbour = {
    person: ofRole('Bud')[0]?.person ?? (people[0] as DemoPerson),
    resident: undefined,
    lookAt: now() + TIMES.look.Bud / pace,
    failures: 0,
  };
  const primary = primaryAccountOf('Scrub')?.email;
  // Never from the Scrub whom visitors play.
  const scrubs = ofRole('Scrub').filter(({ person }) => person.email !== primary);
  const lookAsBud = createBudLook({ random, buds: ofRole('Bud'), scrubs, signIn });
  return [
    ...ofRole('Scrub').map((neighbour) => ({
      neighbour,
      look: async () => lookAsScrub(await signIn(neighbour), town),
    })),
    ...ofRole('Duber').map((neighbour) => {
      const lookAsDuber = createDuberLook();
      return { neighbour, look: async () => lookAsDuber(await signIn(neighbour), town) };
    }),
    { neighbour: household, look: () => lookAsBud(town) },
  ];
}

/** Nothing that goes wrong ends the demo: whoever met it waits a little longer each time. */
async function lookCalmly({ neighbour, look }: Look, pace: number): Promise<number> {
  const isSignedIn = neighbour.resident !== undefined;
  try {
    const wait = await look();
    neighbour.failures = 0;
    return wait;
  } catch (error) {
    neighbour.failures += 1;
    const retry = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (neighbour.failures - 1)) / pace;
    if (!(error instanceof CallFailed)) return retry;
    const { statusCode, retryAfter = 0 } = error;
    if (statusCode === 401) neighbour.resident = undefined;
    // The wrong password, or held by an operator.
    if (!isSignedIn && (statusCode === 401 || statusCode === 403)) return REFUSED_SIGN_IN_MS;
    return Math.max(retry, retryAfter * 1000);
  }
}
