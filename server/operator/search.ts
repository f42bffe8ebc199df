import { validate } from 'uuid';
import { parseCaseNumber } from '../../domain/cases.ts';
import { readBagCode } from '../../domain/handovers.ts';
import { parseOrderNumber } from '../../domain/orders.ts';
import type { ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { findHits, type SearchTerms } from './search.sql.ts';

export const searchHandlers = ({ db }: ConsoleContext): Pick<OperatorHandlers, 'searchTown'> => ({
  searchTown: async ({ query: { q } }) => ({ items: await findHits(db, readTerms(q)) }),
});

const ID_END_LENGTH = 8;
/** The limit of the column's type. */
const MAX_ORDER_NUMBER = 999_999_999_999_999;
const MIN_PHONE_DIGITS = 7;
/** Shorter words would match half of the town. */
const MIN_WORD_LENGTH = 2;
const MAX_WORDS = 6;

/**
 * Reads the text of the search box in every form that it can have. Contacts are found only by all of them: by a part, somebody could
 * read them letter by letter.
 */
export function readTerms(text: string): SearchTerms {
  const compact = text.toLowerCase().replaceAll(/[\s-]/g, '');
  const number = parseOrderNumber(text);
  return {
    text,
    orderNumber: number !== undefined && number <= MAX_ORDER_NUMBER ? number : undefined,
    caseNumber: parseCaseNumber(text),
    id: validate(text) ? text.toLowerCase() : undefined,
    idEnd: compact.length === ID_END_LENGTH && /^[\da-f]+$/.test(compact) ? compact : undefined,
    email: /^[^\s@]+@[^\s@]+$/.test(text) ? text.toLowerCase() : undefined,
    phone: readPhone(text),
    street: readStreet(text),
    card: /^\d{4}$/.test(text) ? text : undefined,
    squareId: /^[\w-]{10,}$/.test(text) ? text : undefined,
    bagCode: readBagCode(text),
    words: readWords(text),
  };
}

/** The digits of what may be a phone, without the zero that is dialled within a country. */
function readPhone(text: string): string | undefined {
  if (!/^[\d\s()+./-]+$/.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length >= MIN_PHONE_DIGITS ? digits : undefined;
}

/** The house and the street of an address: what stands before its first comma. Without a number it is no house. */
function readStreet(text: string): string | undefined {
  const street = text.split(',')[0]?.trim().toLowerCase() ?? '';
  return /\d/.test(street) && /\p{L}/u.test(street) ? street : undefined;
}

/** A query of the full-text search that finds texts with words that begin so. */
function readWords(text: string): string | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const isEnough = words.some((word) => word.length >= MIN_WORD_LENGTH && /\p{L}/u.test(word));
  return isEnough
    ? words
        .slice(0, MAX_WORDS)
        .map((word) => `'${word}':*`)
        .join(' & ')
    : undefined;
}
