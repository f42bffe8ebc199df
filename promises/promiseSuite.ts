import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../testing/random.ts';
import { isOverloaded } from './callOutcome.ts';
import { describeMachine, type Figures, writeFigures } from './figures.ts';
import { findSuite, type SuiteId } from './promises.ts';

/** Whether to run the night's number of cases instead of CI's. */
export const isNight = process.env.PROMISES === 'night';

/** Stops tests that hang; it measures nothing. */
export const TEST_TIMEOUT_MS = isNight ? 12 * 60 * 60_000 : 300_000;

export type PromiseSuite = {
  /** How many cases must run; 0 for a suite that runs all there are. */
  readonly cases: number;
  readonly seed: number;
  readonly random: Random;
  /** Counts cases that passed. */
  countCases(count?: number): void;
  /**
   * Runs a case and counts it when it passes. A case that a busy machine refused with 503 is skipped; the suite fails when
   * that happens often.
   */
  attempt(run: () => Promise<void>): Promise<void>;
  /** Adds to the number of cases that must run. */
  expectCases(count: number): void;
  /** Removes cases that cannot run on this machine, with the reason. */
  skipCases(why: string, count: number): void;
  /** Records a measurement or count for PROMISES.md. */
  recordFigure(name: string, value: number | string): void;
};

/** The number of this part, if the night runs the suite in parts. */
const part = process.env.PROMISE_PART === undefined ? undefined : Number(process.env.PROMISE_PART);

const MAX_OVERLOADED = 20;

/**
 * Declares a suite of promises.ts. It prints its seed (set PROMISE_SEED to repeat a run), fails when fewer cases ran than
 * stated, and writes its figures to .cache/promises. PROMISE_CASES overrides the number of cases.
 */
export function describePromise(id: SuiteId, body: (suite: PromiseSuite) => void): void {
  const row = findSuite(id);
  const column = isNight ? 'night' : 'ci';
  const newSeed = Math.floor(Math.random() * 1e9);
  const seed = Number(process.env.PROMISE_SEED ?? (isNight ? newSeed : (row.ciSeed ?? newSeed)));
  const requestedCases = Number(process.env.PROMISE_CASES ?? 0);
  const stated = row[column];
  const cases = typeof stated === 'string' ? 0 : requestedCases || stated;
  const result = {
    ran: 0,
    overloaded: 0,
    stated: cases,
    failed: false,
    skipped: [] as string[],
    figures: {} as Figures['figures'],
  };
  const suite: PromiseSuite = {
    cases,
    seed,
    random: createRandom(seed),
    countCases: (count = 1) => {
      result.ran += count;
    },
    attempt: async (run) => {
      try {
        await run();
        result.ran += 1;
      } catch (error) {
        if (!isOverloaded(error) || result.overloaded >= MAX_OVERLOADED + cases / 10) throw error;
        result.overloaded += 1;
        Object.assign(result.figures, { 'not counted because the machine was too busy': result.overloaded });
      }
    },
    expectCases: (count) => {
      result.stated += count;
    },
    skipCases: (why, count) => {
      result.skipped.push(`${count} × ${why}`);
      result.stated -= count;
    },
    recordFigure: (name, value) => Object.assign(result.figures, { [name]: value }),
  };
  let startedAt = 0;
  const createFigures = (): Figures => {
    const { failed, skipped, figures, ran, stated } = result;
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const held = !failed && ran >= stated && ran > 0;
    const date = new Date().toISOString();
    return { suite: id, column, held, ran, stated, seconds, seed, date, machine: describeMachine(), skipped, figures };
  };
  describe(`promise ${id}, PROMISE_SEED=${seed}`, () => {
    beforeAll(() => {
      startedAt = performance.now();
      console.log(`${id}: set PROMISE_SEED=${seed} to repeat this run (vitest run ${row.file})`);
    });
    afterEach(({ task }) => {
      if (task.result?.state === 'fail') result.failed = true;
    });
    body(suite);
    test(`runs as many cases as stated: ${row.what}`, () => {
      const figures = createFigures();
      writeFigures(figures, part);
      console.log(`${id}: ${figures.ran} of ${figures.stated} ${row.what}, ${figures.seconds} s`, result.figures);
      for (const why of result.skipped) console.log(`${id}: skipped: ${why}`);
      expect(result.ran).toBeGreaterThan(0);
      expect(result.ran).toBeGreaterThanOrEqual(result.stated);
    });
  });
}
