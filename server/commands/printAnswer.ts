/** An answer of a call as people read it: a line for each value, and what belongs together below its name. */
export function printAnswer(answer: unknown): string {
  return linesOf(answer).join('\n') || 'Nothing.';
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

function linesOf(value: unknown): string[] {
  if (isNothing(value)) return [];
  if (Array.isArray(value)) return value.flatMap((one) => itemLines(linesOf(one)));
  if (typeof value !== 'object') return String(value).split('\n');
  return Object.entries(value as object).flatMap(([name, inner]) => propertyLines(name, inner));
}

function propertyLines(name: string, value: unknown): string[] {
  if (isNothing(value)) return [];
  const lines = linesOf(value);
  if (typeof value !== 'object' && lines.length === 1) return [`${name}: ${lines[0]}`];
  return lines.length === 0 ? [] : [`${name}:`, ...lines.map((line) => `  ${line}`)];
}

const itemLines = (lines: string[]): string[] => lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
