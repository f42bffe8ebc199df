import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine, FIGURES_DIR, type Figures } from '../promises/figures.ts';

/** Counts the cases of a promise that needs a browser and writes the figures of the run. */
export function createCaseCounter(suite: string) {
  const startedAt = performance.now();
  const column = process.env.PROMISES === 'night' ? 'night' : 'ci';
  let cases = 0;
  let allPassed = true;
  return {
    countCases: (count = 1) => {
      cases += count;
    },
    recordResult: (hasPassed: boolean) => {
      allPassed &&= hasPassed;
    },
    writeFigures(stated: number): Figures {
      const figures: Figures = {
        suite,
        column,
        held: allPassed && cases >= stated,
        ran: cases,
        stated,
        seconds: Math.round((performance.now() - startedAt) / 100) / 10,
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
