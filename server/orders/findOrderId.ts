import { validate } from 'uuid';
import { parseOrderNumber } from '../../domain/orders.ts';
import type { Tx } from '../db/database.ts';
import { findIdOfNumber } from './orders.sql.ts';

/** The id of the order with the number in a word like R-1042, or any id as it is. Undefined when there is none. */
export async function findOrderId(tx: Tx, word: string): Promise<string | undefined> {
  if (validate(word)) return word.toLowerCase();
  const number = parseOrderNumber(word);
  return number === undefined ? undefined : findIdOfNumber(tx, number);
}
