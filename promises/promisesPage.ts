import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures } from './figures.ts';
import { FIGURES_DIR } from './figures.ts';
import { PROMISES, type PromiseDefinition, type SuiteDefinition } from './promises.ts';

const FIGURES_FILE = join(import.meta.dirname, 'figures.json');
export const PAGE_FILE = join(import.meta.dirname, '..', 'PROMISES.md');
const BEGIN = '<!-- made by npm run night; do not edit by hand -->';
const END = '<!-- end -->';

type StoredFigures = Readonly<Record<string, Figures>>;
const keyOf = ({ suite, column }: Pick<Figures, 'suite' | 'column'>) => `${suite}, ${column}`;

/** The figures that are kept with the sources: of each suite and column the last run. */
export function readStoredFigures(): StoredFigures {
  return existsSync(FIGURES_FILE) ? (JSON.parse(readFileSync(FIGURES_FILE, 'utf8')) as StoredFigures) : {};
}

/** Takes what the suites left in .cache/promises, as far as it is newer, among the figures that are kept. */
export function storeFigures(): void {
  const kept: Record<string, Figures> = { ...readStoredFigures() };
  const names = existsSync(FIGURES_DIR) ? readdirSync(FIGURES_DIR).filter((name) => name.endsWith('.json')) : [];
  for (const name of names) {
    const figures = JSON.parse(readFileSync(join(FIGURES_DIR, name), 'utf8')) as Figures;
    const before = kept[keyOf(figures)];
    if (!before || before.date < figures.date) kept[keyOf(figures)] = figures;
  }
  const sorted = Object.fromEntries(Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FIGURES_FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

const formatNumber = (value: number) => value.toLocaleString('en-US');
const formatCaseCount = (asked: number | 'all') => (asked === 'all' ? 'all' : formatNumber(asked));

function formatLastRun({ id, night }: SuiteDefinition, kept: StoredFigures): string {
  const [atNight, inCi] = [kept[keyOf({ suite: id, column: 'night' })], kept[keyOf({ suite: id, column: 'ci' })]];
  if (atNight)
    return `${formatFigures(atNight)}${night !== 'all' && atNight.ran < night ? `, of the night's ${formatNumber(night)}` : ''}`;
  return inCi ? `${formatFigures(inCi)}; not yet run at night's size` : 'not yet run';
}

function formatFigures({ held, ran, stated, seconds, date, skipped }: Figures): string {
  const verdict = held ? 'held' : `**broken** (${formatNumber(stated)} stated)`;
  const left = skipped.length > 0 ? `; skipped: ${skipped.join(', ')}` : '';
  return `${verdict}: ${formatNumber(ran)} in ${formatNumber(Math.round(seconds))} s, ${date.slice(0, 10)}${left}`;
}

/** The part of PROMISES.md that is made: the table, and what the last runs counted besides. */
export function renderTable(kept: StoredFigures): string {
  const promises: readonly PromiseDefinition[] = PROMISES;
  const rows = promises.flatMap(({ promise, how, suites }) =>
    suites.map((suite, place) => {
      const [first, second] = place === 0 ? [`**${promise}**`, how] : ['', ''];
      const test = `[${suite.what}](${suite.file})`;
      return `| ${first} | ${second} | ${test} | ${formatCaseCount(suite.ci)} | ${formatCaseCount(suite.night)} | ${formatLastRun(suite, kept)} |`;
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
        ([name, value]) => `${name} ${typeof value === 'number' ? formatNumber(value) : value}`,
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
export function renderPage(page: string, kept: StoredFigures): string {
  const [before, rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}\n\n${renderTable(kept)}\n\n${END}${after}`;
}

export function writePage(): void {
  writeFileSync(PAGE_FILE, renderPage(readFileSync(PAGE_FILE, 'utf8'), readStoredFigures()));
}
