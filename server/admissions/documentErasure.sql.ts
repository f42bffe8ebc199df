import { sql } from 'kysely';
import type { DocumentKind, DocumentState } from '../../domain/admissions.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';

type KeptDocument = {
  readonly id: string;
  readonly kind: DocumentKind;
  readonly state: DocumentState;
  readonly lastDay: string | null;
  readonly decidedAt: Date | null;
  readonly eraseAt: Date | null;
};

/** The documents of a person whose pictures are kept and have no final erase time. */
export const listKeptDocuments = (tx: Tx, userId: string): Promise<KeptDocument[]> =>
  queryRows(
    tx,
    sql`select d.id, d.kind, d.state, d.last_day as "lastDay", d.decided_at as "decidedAt", d.erase_at as "eraseAt"
      from documents d join files file on file.id = d.file_id
      where d.user_id = ${userId} and file.gone_at is null
        and (d.state in ('waiting', 'accepted') or d.erase_at is null)`,
  );

export async function setEraseAt(tx: Tx, id: string, eraseAt: Date | null): Promise<void> {
  await tx.updateTable('documents').set({ erase_at: eraseAt }).where('id', '=', id).execute();
}

/** When a person last sent a document. */
export const findLastSentAt = async (tx: Tx, userId: string): Promise<Date | undefined> =>
  (
    await tx
      .selectFrom('documents')
      .select('sent_at as at')
      .where('user_id', '=', userId)
      .orderBy('sent_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.at;

/** People with a waiting document whose picture is due to be erased. */
export const listAbandoned = async (tx: Tx, now: Date, limit: number): Promise<string[]> =>
  (
    await queryRows<{ id: string }>(
      tx,
      sql`select distinct d.user_id as id from documents d where d.state = 'waiting' and d.erase_at <= ${now} limit ${limit}`,
    )
  ).map(({ id }) => id);

/** The waiting documents of a person whose pictures are due to be erased. */
export const listAbandonedOf = async (tx: Tx, userId: string, now: Date): Promise<string[]> =>
  (
    await tx
      .selectFrom('documents')
      .select('id')
      .where('user_id', '=', userId)
      .where('state', '=', 'waiting')
      .where('erase_at', '<=', now)
      .execute()
  ).map(({ id }) => id);

/** Whether an operator could read a document between two times, after giving a reason. */
export async function couldBeSeen(
  tx: Tx,
  userId: string,
  { from, until }: { from: Date; until: Date },
): Promise<boolean> {
  const shown = sql`select 1 as one from audit where subject_id = ${userId} and action = 'showDocuments'
    and at > ${from} and at <= ${until} limit 1`;
  return (await queryRow(tx, shown)) !== undefined;
}
