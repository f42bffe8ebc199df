import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { writeBroadcastBatch } from './broadcasts.sql.ts';

const BATCH_SIZE = 500;

/** Writes the messages of the next people that an operator has written to. True when there may be more to do now. */
export async function writeBroadcasts(
  { db, now, wake }: Pick<Context, 'db' | 'now' | 'wake'>,
  batchSize = BATCH_SIZE,
): Promise<boolean> {
  const isMore = await transact(db, (tx) => writeBroadcastBatch(tx, now(), batchSize));
  if (isMore) wake('events');
  return isMore;
}
