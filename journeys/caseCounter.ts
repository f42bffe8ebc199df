import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine, FIGURES_DIR, type Figures } from '../promises/figures.ts';

/** Counts the cases of a promise that a browser is needed for, and leaves the figures of the run. */
export function createCaseCounter(suite: string) {
  const began = performance.now();
  const column = process.env.PROMISES === 'night' ? 'night' : 'ci';
  let cases = 0;
  let held = true;
  return {
    ran: (count = 1) => {
      cases += count;
    },
    /** Whether a test held. */
    note: (isGood: boolean) => {
      held &&= isGood;
    },
    writeFigures(stated: number): Figures {
      const figures: Figures = {
        suite,
        column,
        held: held && cases >= stated,
        ran: cases,
        stated,
        seconds: Math.round((performance.now() - began) / 100) / 10,
        seed: 0,
        date: new Date().toISOString(),
        machine: describeMachine(),
        skipped: [],
        figures: {},
      };
      mkdirSync(FIGURES_DIR, { recursive: true });
      writeFileSync(join(FIGURES_DIR, `${suite}.${column}.json`), `${JSON.stringify(figures, null, 2)}\n`);
      return figures;
    },
  };
}
