import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';

/** The result of one run of a suite. */
export type Figures = {
  readonly suite: string;
  readonly column: 'ci' | 'night';
  /** Whether every test passed and at least the stated number of cases ran. */
  readonly held: boolean;
  readonly ran: number;
  readonly stated: number;
  readonly seconds: number;
  readonly seed: number;
  readonly date: string;
  readonly machine: string;
  readonly skipped: readonly string[];
  readonly figures: Readonly<Record<string, number | string>>;
};

/** Where suites write their figures. */
export const FIGURES_DIR = join(import.meta.dirname, '..', '.cache', 'promises');

export function describeMachine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()}`;
}

type FiguresOf = Pick<Figures, 'suite' | 'column'> & { readonly part?: number | undefined };

/** The file of a run, or of one of the parts of a night. */
export const figuresFile = ({ suite, column, part }: FiguresOf): string =>
  part === undefined
    ? join(FIGURES_DIR, `${suite}.${column}.json`)
    : join(FIGURES_DIR, 'parts', `${suite}.${column}.${part}.json`);

export function writeFigures(figures: Figures, part?: number): void {
  const file = figuresFile({ ...figures, part });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

/** Adds up the parts of a run: their counts, and each figure that is a number. The rest is that of the last part. */
export function addUpFigures(parts: readonly Figures[]): Figures {
  const last = parts.at(-1);
  if (!last) throw new Error('there are no parts');
  const sumOf = (count: (part: Figures) => number) => parts.reduce((sum, part) => sum + count(part), 0);
  const names = [...new Set(parts.flatMap(({ figures }) => Object.keys(figures)))];
  const figures = names.map((name) => {
    const values = parts.flatMap((part) => part.figures[name] ?? []);
    const numbers = values.filter((value) => typeof value === 'number');
    return [name, numbers.length === values.length ? numbers.reduce((sum, value) => sum + value, 0) : values.at(-1)];
  });
  return {
    ...last,
    held: parts.every(({ held }) => held),
    ran: sumOf(({ ran }) => ran),
    stated: sumOf(({ stated }) => stated),
    seconds: sumOf(({ seconds }) => seconds),
    skipped: parts.flatMap(({ skipped }) => skipped),
    figures: Object.fromEntries(figures),
  };
}
