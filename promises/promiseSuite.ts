import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../testing/random.ts';
import { isOverloaded } from './callOutcome.ts';
import { describeMachine, FIGURES_DIR, type Figures } from './figures.ts';
import { findSuite, type SuiteId } from './promises.ts';

/** The night's column of the table instead of CI's. */
export const isNight = process.env.PROMISES === 'night';

/** How long a test may take: a bound for what hangs, not a measure. */
export const TEST_TIMEOUT_MS = isNight ? 12 * 60 * 60_000 : 300_000;

export type PromiseSuite = {
  /** How many cases have to run, of a suite that the table gives a number. */
  readonly cases: number;
  readonly seed: number;
  readonly random: Random;
  /** Counts cases that were run and held. */
  countCases(count?: number): void;
  /**
   * Runs a case and counts it when it held. One that was refused with 503 by a machine that is too busy is not counted, and
   * the suite goes on; it fails when that happens often.
   */
  attempt(run: () => Promise<void>): Promise<void>;
  /** Of a suite over all there is: adds to how many cases that is. */
  expectCases(count: number): void;
  /** Says why so many of the stated cases could not be tried on this machine. */
  skipCases(why: string, count: number): void;
  /** Keeps something measured or counted for PROMISES.md. */
  recordFigure(name: string, value: number | string): void;
};

const MAX_OVERLOADED = 20;

/**
 * A suite of the table: prints its seed (PROMISE_SEED brings it back), fails when fewer cases ran than are stated, and
 * leaves its figures in .cache/promises. PROMISE_CASES asks for another number of cases than the table's.
 */
export function describePromise(id: SuiteId, body: (suite: PromiseSuite) => void): void {
  const row = findSuite(id);
  const column = isNight ? 'night' : 'ci';
  const seed = Number(process.env.PROMISE_SEED ?? Math.floor(Math.random() * 1e9));
  const asked = Number(process.env.PROMISE_CASES ?? 0);
  const cases = row[column] === 'all' ? 0 : asked || row[column];
  const kept = {
    ran: 0,
    refused: 0,
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
      kept.ran += count;
    },
    attempt: async (run) => {
      try {
        await run();
        kept.ran += 1;
      } catch (error) {
        if (!isOverloaded(error) || kept.refused >= MAX_OVERLOADED + cases / 10) throw error;
        kept.refused += 1;
        Object.assign(kept.figures, { 'not counted, because the machine was too busy': kept.refused });
      }
    },
    expectCases: (count) => {
      kept.stated += count;
    },
    skipCases: (why, count) => {
      kept.skipped.push(`${count} × ${why}`);
      kept.stated -= count;
    },
    recordFigure: (name, value) => Object.assign(kept.figures, { [name]: value }),
  };
  let began = 0;
  const end = (): Figures => {
    const { failed, skipped, figures, ran, stated } = kept;
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const held = !failed && ran >= stated && ran > 0;
    const date = new Date().toISOString();
    return { suite: id, column, held, ran, stated, seconds, seed, date, machine: describeMachine(), skipped, figures };
  };
  describe(`promise ${id}, PROMISE_SEED=${seed}`, () => {
    beforeAll(() => {
      began = performance.now();
      console.log(`${id}: PROMISE_SEED=${seed} brings this run back (vitest run ${row.file})`);
    });
    afterEach(({ task }) => {
      if (task.result?.state === 'fail') kept.failed = true;
    });
    body(suite);
    test(`has run as many cases as it states: ${row.what}`, () => {
      const figures = end();
      mkdirSync(FIGURES_DIR, { recursive: true });
      writeFileSync(join(FIGURES_DIR, `${id}.${column}.json`), `${JSON.stringify(figures, null, 2)}\n`);
      console.log(`${id}: ${figures.ran} of ${figures.stated} ${row.what}, ${figures.seconds} s`, kept.figures);
      for (const why of kept.skipped) console.log(`${id}: skipped: ${why}`);
      expect(kept.ran).toBeGreaterThan(0);
      expect(kept.ran).toBeGreaterThanOrEqual(kept.stated);
    });
  });
}
