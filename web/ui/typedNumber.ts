import { type DecimalMark, parseTypedNumber } from '../../domain/typed.ts';

/** What a field asks for: dollars, another number that is never in thousands, a whole number, or degrees, which may be negative. */
export type NumberKind = 'dollars' | 'decimal' | 'whole' | 'degrees';

let decimalMark: DecimalMark | undefined;
/** The decimal mark of the person's own language. Asked for late, because the first format takes a slow phone long. */
function ownDecimalMark(): DecimalMark {
  decimalMark ??= (1.5).toLocaleString().includes(',') ? ',' : '.';
  return decimalMark;
}

/** The number in a field, in any digits and with any decimal mark. Undefined when it is empty, NaN when it is no number. */
export function readNumber(typed: string, kind: NumberKind): number | undefined {
  if (typed.trim() === '') return undefined;
  const rule = kind === 'dollars' ? { decimalMark: ownDecimalMark(), hasGroups: true } : {};
  return parseTypedNumber(typed, rule) ?? Number.NaN;
}

const UNREADABLE: Readonly<Record<NumberKind, string>> = {
  dollars: 'Write dollars and cents, like 12.50',
  decimal: 'Write a number, like 2.75',
  whole: 'Write a whole number, like 12',
  degrees: 'Write degrees, like 24.0121',
};

/** What is wrong with the text of a field, in words. Undefined when it is empty or a number. */
export function unreadableText(typed: string, kind: NumberKind): string | undefined {
  const value = readNumber(typed, kind) ?? 0;
  const isNone = Number.isNaN(value) || (value < 0 && kind !== 'degrees') || (kind === 'whole' && value % 1 !== 0);
  return isNone ? UNREADABLE[kind] : undefined;
}
