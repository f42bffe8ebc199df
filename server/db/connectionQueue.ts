/** What a connection is for: steps are everything that people change, reads are everything else, also jobs. */
export type Lane = 'reads' | 'steps';

/** Decides who gets the next free connection of a pool. */
export type ConnectionQueue = {
  /** Resolves when a connection is free for this lane. */
  wait(lane: Lane): Promise<void>;
  /** Call when the connection is free again. `isAlive` is whether the database has answered on it. */
  free(lane: Lane, isAlive: boolean): void;
  /** How many wait now. */
  waiting(): Record<Lane, number>;
};

export type QueueOptions = {
  readonly connections: number;
  /** So many of them are only for steps, and as many others only for reads. */
  readonly reserved: number;
  /** How long to wait while the database answers nobody, and how long in any case. Without it there is no limit. */
  readonly patience?: Patience;
};

type Patience = { readonly silentMs: number; readonly longestMs: number };

type Waiting = { readonly start: () => void };

/** While reads wait, one of them goes after this many steps. */
const STEPS_IN_A_ROW = 3;

/**
 * Steps go first, and have connections that reads cannot take. Reads have the same, and every fourth turn, so that neither
 * starves.
 */
export function createConnectionQueue({ connections, reserved, patience }: QueueOptions): ConnectionQueue {
  const running: Record<Lane, number> = { reads: 0, steps: 0 };
  const waiting: Record<Lane, Waiting[]> = { reads: [], steps: [] };
  let stepsInARow = 0;
  let lastAnswerAt = 0;

  const hasRoom = (lane: Lane) => running.reads + running.steps < connections && running[lane] < connections - reserved;
  const canStart = (lane: Lane) => waiting[lane].length > 0 && hasRoom(lane);

  function nextLane(): Lane | undefined {
    const isReadsTurn = stepsInARow >= STEPS_IN_A_ROW;
    if (canStart('steps') && !(isReadsTurn && canStart('reads'))) return 'steps';
    return canStart('reads') ? 'reads' : undefined;
  }

  function startNext(): void {
    for (let lane = nextLane(); lane !== undefined; lane = nextLane()) {
      stepsInARow = lane === 'steps' && waiting.reads.length > 0 ? stepsInARow + 1 : 0;
      running[lane] += 1;
      waiting[lane].shift()?.start();
    }
  }

  return {
    wait: (lane) =>
      new Promise((resolve, reject) => {
        const entry = {
          start: () => {
            stopWatching();
            resolve();
          },
        };
        let stopWatching = () => {};
        waiting[lane].push(entry);
        startNext();
        if (waiting[lane].includes(entry)) {
          const giveUp = () => {
            waiting[lane].splice(waiting[lane].indexOf(entry), 1);
            reject(new Error('timeout expired: no connection was free'));
          };
          if (patience) stopWatching = watch(patience, () => lastAnswerAt, giveUp);
        }
      }),
    free(lane, isAlive) {
      running[lane] -= 1;
      if (isAlive) lastAnswerAt = performance.now();
      startNext();
    },
    waiting: () => ({ reads: waiting.reads.length, steps: waiting.steps.length }),
  };
}

/** Calls `giveUp` when a wait takes too long. Returns a function that stops watching it. */
function watch({ silentMs, longestMs }: Patience, lastAnswerAt: () => number, giveUp: () => void): () => void {
  const since = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const check = () => {
    const silentAt = Math.max(since, lastAnswerAt()) + silentMs;
    const leftMs = Math.min(silentAt, since + longestMs) - performance.now();
    if (leftMs > 0) timer = setTimeout(check, leftMs);
    else giveUp();
  };
  check();
  return () => clearTimeout(timer);
}
