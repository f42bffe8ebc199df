import { MAX_GRAMS, toGrams } from '../../../domain/weighing.ts';

/** '2.4 kg'. */
export const formatKg = (grams: number): string => `${(grams / 1000).toFixed(1)} kg`;

/** The weight that somebody types in pounds, in grams; undefined when it is none. */
export function parsePounds(typed: string): number | undefined {
  const [, digits] = /^(\d{1,3}(?:[.,]\d{1,3})?)\s*(?:lbs?|pounds?)?$/i.exec(typed.trim()) ?? [];
  const grams = digits === undefined ? 0 : toGrams(Number(digits.replace(',', '.')));
  return grams > 0 && grams <= MAX_GRAMS ? grams : undefined;
}
