import { parseTypedNumber } from '../../domain/typed.ts';
import { MAX_GRAMS, toGrams } from '../../domain/weighing.ts';

/** '2.4 kg'. */
export const formatKg = (grams: number): string => `${(grams / 1000).toFixed(1)} kg`;

/** The weight that somebody types in pounds, in grams; undefined when it is none. */
export function parsePounds(typed: string): number | undefined {
  const pounds = parseTypedNumber(typed.trim().replace(/(?:lbs?|pounds?)$/i, ''));
  const grams = toGrams(pounds ?? 0);
  return grams > 0 && grams <= MAX_GRAMS ? grams : undefined;
}
