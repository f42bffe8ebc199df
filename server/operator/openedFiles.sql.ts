import { sql } from 'kysely';
import type { BankFile } from '../../domain/bankFiles.ts';
import { queryRows, type Tx } from '../db/database.ts';

type Opening = {
  readonly operatorId: string;
  readonly batch: string;
  readonly format: BankFile;
  readonly since: Date;
};

/** Whether an operator has given a reason since a time for opening a file of a batch. */
export async function hasOpenedFile(tx: Tx, { operatorId, batch, format, since }: Opening): Promise<boolean> {
  const row = await tx
    .selectFrom('audit')
    .select('id')
    .where('operator_id', '=', operatorId)
    .where('action', '=', 'openPayoutFile')
    .where('at', '>', since)
    .where(sql<boolean>`details::json ->> 'batch' = ${batch}`)
    .where(sql<boolean>`details::json ->> 'format' = ${format}`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type OpenedFile = {
  readonly batch: string;
  /** Null in older rows of the audit. */
  readonly format: BankFile | null;
  readonly by: string;
  readonly at: Date;
};

/** Who has opened the files of these batches last, one row for each file. */
export const listOpenedFiles = (tx: Tx, batches: readonly string[]): Promise<OpenedFile[]> =>
  queryRows(
    tx,
    sql`select distinct on (batch, format) batch, format, operator_name as by, at
      from (select id, at, operator_name, details::json ->> 'batch' as batch, details::json ->> 'format' as format
        from audit where action = 'openPayoutFile') opened
      where batch = any(${[...batches]}::text[]) order by batch, format, id desc`,
  );
