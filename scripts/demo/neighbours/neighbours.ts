import { setTimeout as pause } from 'node:timers/promises';
import { CallFailed } from '../../../contract/callClient.ts';
import type { Random } from '../../../sandbox/city/random.ts';
import { type DemoPerson, primaryAccountOf } from '../people.ts';
import type { Visits } from '../visits.ts';
import { createBudTurn } from './budTurn.ts';
import { createDuberTurn } from './duberTurn.ts';
import { takeScrubTurn } from './scrubTurn.ts';
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
  /** How many times faster than usual they act, now. */
  readonly pace?: () => number;
  /** The time in milliseconds. */
  readonly now?: () => number;
};

export type Neighbours = {
  /** Whether they wait for a visitor. */
  readonly isAsleep: () => boolean;
  readonly close: () => Promise<void>;
};

type Turn = { readonly neighbour: Neighbour; readonly takeTurn: () => Promise<number> };

/** Before a sign-in that was refused is tried again. */
const REFUSED_SIGN_IN_MS = 10 * 60_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;
/** Between the first turns of two people, and between any two turns. */
const STAGGER_MS = 400;
const SHORTEST_MS = 100;

/**
 * Demo people who act by themselves, through the API alone. They take turns, so they never send more than one request at once.
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
  const { visits, pace = () => 1, now = Date.now } = options;
  const turns = createTurns(options, signal, now);
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
      for (const [i, { neighbour }] of turns.entries()) neighbour.nextTurnAt = now() + (i * STAGGER_MS) / pace();
      continue;
    }
    const next = turns.reduce((a, b) => (b.neighbour.nextTurnAt < a.neighbour.nextTurnAt ? b : a));
    await pause(Math.max(SHORTEST_MS / pace(), next.neighbour.nextTurnAt - now()), undefined, { signal, ref: false });
    next.neighbour.nextTurnAt = now() + (await takeTurnWithRetry(next, pace()));
  }
}

function createTurns(options: NeighbourOptions, signal: AbortSignal, now: () => number): Turn[] {
  const { people, enter, visits, since, random, pace = () => 1 } = options;
  const neighbours = people.map(
    (person, i): Neighbour => ({
      person,
      resident: undefined,
      nextTurnAt: now() + ((i + 1) * STAGGER_MS) / pace(),
      failures: 0,
    }),
  );
  const town: Town = {
    ...{ neighbours, visits, now },
    get pace() {
      return pace();
    },
    since: since.getTime(),
    isNeighbour: (id) => neighbours.some(({ resident }) => resident?.id === id) && !visits.isHere(id),
    skippedUntil: new Map(),
  };
  const signIn = async (neighbour: Neighbour) => {
    neighbour.resident ??= await enter(neighbour.person, signal);
    return neighbour.resident;
  };
  const ofRole = (role: string) => neighbours.filter(({ person }) => person.role === role);
  const household: Neighbour = {
    person: ofRole('Bud')[0]?.person ?? (people[0] as DemoPerson),
    resident: undefined,
    nextTurnAt: now() + TIMES.poll.Bud / pace(),
    failures: 0,
  };
  const primary = primaryAccountOf('Scrub')?.email;
  // Never from the Scrub whom visitors play.
  const scrubs = ofRole('Scrub').filter(({ person }) => person.email !== primary);
  const takeBudTurn = createBudTurn({ random, buds: ofRole('Bud'), scrubs, signIn });
  return [
    ...ofRole('Scrub').map((neighbour) => ({
      neighbour,
      takeTurn: async () => takeScrubTurn(await signIn(neighbour), town),
    })),
    ...ofRole('Duber').map((neighbour) => {
      const takeDuberTurn = createDuberTurn();
      return { neighbour, takeTurn: async () => takeDuberTurn(await signIn(neighbour), town) };
    }),
    { neighbour: household, takeTurn: () => takeBudTurn(town) },
  ];
}

/** An error never ends the demo: the person waits a little longer after each one. */
async function takeTurnWithRetry({ neighbour, takeTurn }: Turn, pace: number): Promise<number> {
  const isSignedIn = neighbour.resident !== undefined;
  try {
    const wait = await takeTurn();
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
