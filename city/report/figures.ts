/** What people saw from one injected fault until the next. */
export type SeenFault = {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly what: string;
  /** How many requests were answered, were told to come again later (503), and got no answer at all. */
  readonly answered: number;
  readonly unavailable: number;
  readonly unanswered: number;
  readonly slowestMs: number;
};

export const describeSeen = ({ answered, unavailable, unanswered, slowestMs }: SeenFault): string =>
  `${answered} answers, ${unavailable} of them 503, the slowest after ${slowestMs} ms; without an answer: ${unanswered}`;

/** Counts of a run, and how long answers took. */
export type Figures = {
  answered(status: number, ms: number): void;
  /** A request was sent, and no answer came. */
  unanswered(): void;
  /** From now on, what people see is counted for this fault. */
  beginFault(what: string): void;
  endFault(): void;
  readonly faults: readonly SeenFault[];
  count(what: string, by?: number): void;
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  /** How many requests were answered in each slot of `SLOT_S` seconds. */
  readonly requestsBySlot: readonly number[];
  /** How long the slowest of this share of the answers took, in milliseconds. */
  percentile(share: number): number;
};

/** Answers are counted by steps of a twentieth, so that a run of any length needs the same memory. */
const GROWTH = 1.05;

const UNANSWERED = 'requests without an answer';

/** The steps of the charts over time. */
export const SLOT_S = 5;

export function createFigures(now: () => number = () => performance.now()): Figures {
  const startedAt = now();
  const requestsBySlot: number[] = [];
  const statuses: Record<string, number> = {};
  const counts: Record<string, number> = {};
  const buckets: number[] = [];
  const faults: SeenFault[] = [];
  let fault: { -readonly [K in keyof SeenFault]: SeenFault[K] } | undefined;
  let requests = 0;
  return {
    faults,
    beginFault(what) {
      fault = { at: now() - startedAt, what, answered: 0, unavailable: 0, unanswered: 0, slowestMs: 0 };
      faults.push(fault);
    },
    endFault() {
      fault = undefined;
    },
    unanswered() {
      counts[UNANSWERED] = (counts[UNANSWERED] ?? 0) + 1;
      if (fault) fault.unanswered += 1;
    },
    answered(status, ms) {
      requests += 1;
      if (fault) {
        fault.answered += 1;
        if (status === 503) fault.unavailable += 1;
        fault.slowestMs = Math.max(fault.slowestMs, Math.round(ms));
      }
      const slot = Math.floor((now() - startedAt) / 1000 / SLOT_S);
      while (requestsBySlot.length <= slot) requestsBySlot.push(0);
      requestsBySlot[slot] = (requestsBySlot[slot] ?? 0) + 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
      const bucket = Math.max(0, Math.ceil(Math.log(Math.max(ms, 1)) / Math.log(GROWTH)));
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    },
    count(what, by = 1) {
      counts[what] = (counts[what] ?? 0) + by;
    },
    get requests() {
      return requests;
    },
    requestsBySlot,
    statuses,
    counts,
    percentile(share) {
      let left = requests * (1 - share);
      for (let bucket = buckets.length - 1; bucket >= 0; bucket -= 1) {
        left -= buckets[bucket] ?? 0;
        if (left < 0) return Math.round(GROWTH ** bucket);
      }
      return 0;
    },
  };
}
