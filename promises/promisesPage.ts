import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures } from './figures.ts';
import { FIGURES } from './figures.ts';
import { PROMISES, type PromiseRow, type SuiteRow } from './promises.ts';

const KEPT = join(import.meta.dirname, 'figures.json');
export const PAGE = join(import.meta.dirname, '..', 'PROMISES.md');
const BEGIN = '<!-- made by npm run night; do not edit by hand -->';
const END = '<!-- end -->';

type Kept = Readonly<Record<string, Figures>>;
const keyOf = ({ suite, column }: Pick<Figures, 'suite' | 'column'>) => `${suite}, ${column}`;

/** The figures that are kept with the sources: of each suite and column the last run. */
export function readKept(): Kept {
  return existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Kept) : {};
}

/** Takes what the suites left in .cache/promises, as far as it is newer, among the figures that are kept. */
export function keepFigures(): void {
  const kept: Record<string, Figures> = { ...readKept() };
  const names = existsSync(FIGURES) ? readdirSync(FIGURES).filter((name) => name.endsWith('.json')) : [];
  for (const name of names) {
    const figures = JSON.parse(readFileSync(join(FIGURES, name), 'utf8')) as Figures;
    const before = kept[keyOf(figures)];
    if (!before || before.date < figures.date) kept[keyOf(figures)] = figures;
  }
  const sorted = Object.fromEntries(Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(KEPT, `${JSON.stringify(sorted, null, 2)}\n`);
}

const number = (value: number) => value.toLocaleString('en-US');
const ask = (asked: number | 'all') => (asked === 'all' ? 'all' : number(asked));

function describe({ id, night }: SuiteRow, kept: Kept): string {
  const [atNight, inCi] = [kept[keyOf({ suite: id, column: 'night' })], kept[keyOf({ suite: id, column: 'ci' })]];
  if (atNight)
    return `${tell(atNight)}${night !== 'all' && atNight.ran < night ? `, of the night's ${number(night)}` : ''}`;
  return inCi ? `${tell(inCi)}; not yet run at night's size` : 'not yet run';
}

function tell({ held, ran, stated, seconds, date, skipped }: Figures): string {
  const verdict = held ? 'held' : `**broken** (${number(stated)} stated)`;
  const left = skipped.length > 0 ? `; skipped: ${skipped.join(', ')}` : '';
  return `${verdict}: ${number(ran)} in ${number(Math.round(seconds))} s, ${date.slice(0, 10)}${left}`;
}

/** The part of PROMISES.md that is made: the table, and what the last runs counted besides. */
export function printPart(kept: Kept): string {
  const promises: readonly PromiseRow[] = PROMISES;
  const rows = promises.flatMap(({ promise, how, suites }) =>
    suites.map((suite, place) => {
      const [first, second] = place === 0 ? [`**${promise}**`, how] : ['', ''];
      const test = `[${suite.what}](${suite.file})`;
      return `| ${first} | ${second} | ${test} | ${ask(suite.ci)} | ${ask(suite.night)} | ${describe(suite, kept)} |`;
    }),
  );
  const known = promises.flatMap(({ suites }) => suites.map(({ id }) => id));
  const last = known.flatMap(
    (id) => kept[keyOf({ suite: id, column: 'night' })] ?? kept[keyOf({ suite: id, column: 'ci' })] ?? [],
  );
  const machines = [...new Set(last.map(({ machine }) => machine))];
  const counts = last
    .filter(({ figures }) => Object.keys(figures).length > 0)
    .map(({ suite, column, seed, figures }) => {
      const all = Object.entries(figures).map(
        ([name, value]) => `${name} ${typeof value === 'number' ? number(value) : value}`,
      );
      return `- \`${suite}\` (${column === 'ci' ? "CI's size" : 'night'}, seed ${seed}): ${all.join(', ')}`;
    });
  return [
    '| promise | how | the test that tries to break it | CI | night | its last figures |',
    '|---|---|---|--:|--:|---|',
    ...rows,
    '',
    `Measured on: ${machines.join('; ') || 'no machine yet'}. The machine did other work at the same time.`,
    '',
    'What these runs counted besides:',
    '',
    ...counts,
  ].join('\n');
}

/** The page with its made part replaced. */
export function printPage(page: string, kept: Kept): string {
  const [before, rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}\n\n${printPart(kept)}\n\n${END}${after}`;
}

export function writePage(): void {
  writeFileSync(PAGE, printPage(readFileSync(PAGE, 'utf8'), readKept()));
}
