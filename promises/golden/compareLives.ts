import type { RecordedLife } from './recordLife.ts';

/** Lines that only one of two recordings has. */
export type Difference = { readonly before: readonly string[]; readonly after: readonly string[] };

/** How far on the same line is looked for. */
const WINDOW = 200;

/** The shortest way to where both go on with the same line. */
function findNextSame(before: readonly string[], after: readonly string[]): [number, number] {
  for (let steps = 1; steps <= 2 * WINDOW; steps += 1)
    for (let skipped = 0; skipped <= steps; skipped += 1) {
      const [one, other] = [before[skipped], after[steps - skipped]];
      if (one !== undefined && one === other) return [skipped, steps - skipped];
    }
  return [before.length, after.length];
}

/** The differences of two recordings of a life, in order. */
export function findDifferences(before: readonly string[], after: readonly string[]): Difference[] {
  const differences: Difference[] = [];
  let [here, there] = [0, 0];
  while (here < before.length || there < after.length) {
    if (before[here] === after[there]) {
      [here, there] = [here + 1, there + 1];
      continue;
    }
    const [rest, others] = [before.slice(here, here + WINDOW), after.slice(there, there + WINDOW)];
    const [gone, added] = findNextSame(rest, others);
    differences.push({ before: rest.slice(0, gone), after: others.slice(0, added) });
    [here, there] = [here + gone, there + added];
  }
  return differences;
}

const [SHOWN_BEFORE, SHOWN_AFTER, LINES_SHOWN] = [80, 240, 3];

/** A long line from its name to its first difference from another line. */
function cut(line: string, other = ''): string {
  let same = 0;
  while (same < line.length && line[same] === other[same]) same += 1;
  const from = Math.max(0, same - SHOWN_BEFORE);
  const name = from > SHOWN_BEFORE ? `${line.slice(0, SHOWN_BEFORE)} … ` : line.slice(0, from);
  const end = same + SHOWN_AFTER;
  return `${name}${line.slice(from, end)}${end < line.length ? ' …' : ''}`;
}

function describeDifference({ before, after }: Difference): string[] {
  const shown = (lines: readonly string[], others: readonly string[], sign: string) => [
    ...lines.slice(0, LINES_SHOWN).map((line, index) => `  ${sign} ${cut(line, others[index])}`),
    ...(lines.length > LINES_SHOWN ? [`  ${sign} and ${lines.length - LINES_SHOWN} more lines`] : []),
  ];
  return [...shown(before, after, '-'), ...shown(after, before, '+'), ''];
}

const DIFFERENCES_SHOWN = 3;

/** Says how a life differs from its recording, in lines; none when it does not. */
export function compareLife(before: RecordedLife, after: RecordedLife): string[] {
  const differences = findDifferences(before.lines, after.lines);
  if (differences.length === 0) return [];
  return [
    `life ${before.seed} differs in ${differences.length} places (alone: compare --lives 1 --seed ${before.seed})`,
    ...differences.slice(0, DIFFERENCES_SHOWN).flatMap(describeDifference),
  ];
}
