import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MUTANTS } from './all.ts';
import { applyEdit } from './edits.ts';
import { changesOf } from './mutant.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test.each(MUTANTS)('the sources and the suite of the mutant are there: $mutant', (mutant) => {
  expect(existsSync(join(ROOT, mutant.suite)), mutant.suite).toBe(true);
  for (const change of changesOf(mutant)) {
    const [file = '', symbol] = change.at.split('#');
    const text = readFileSync(join(ROOT, file), 'utf8');
    expect(applyEdit({ file, text }, symbol, change), change.at).not.toBe(text);
  }
});
