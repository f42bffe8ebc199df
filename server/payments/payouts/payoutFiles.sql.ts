import type { BankFormat } from '../../../domain/bankFiles.ts';
import type { Tx } from '../../db/database.ts';

export type PayoutFileRow = {
  readonly batch: string;
  readonly format: BankFormat;
  readonly day: string;
  readonly number: number;
  readonly madeAt: Date;
  readonly sealed: Buffer;
};

/** The number of the next file of a format on a day of the town. Two that are made at the same time must take turns. */
export async function nextFileNumber(tx: Tx, { format, day }: Pick<PayoutFileRow, 'format' | 'day'>): Promise<number> {
  const { last } = await tx
    .selectFrom('payout_files')
    .select(({ fn }) => fn.max('number').as('last'))
    .where('format', '=', format)
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}

export async function insertPayoutFile(tx: Tx, { madeAt, ...file }: PayoutFileRow): Promise<void> {
  await tx
    .insertInto('payout_files')
    .values({ ...file, made_at: madeAt })
    .execute();
}

/** The files of a batch that were made so far. */
export function listPayoutFiles(tx: Tx, batch: string) {
  return tx.selectFrom('payout_files').select(['format', 'sealed']).where('batch', '=', batch).execute();
}
