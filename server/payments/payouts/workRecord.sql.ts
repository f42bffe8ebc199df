import { sql } from 'kysely';
import type { Caller } from '../../../domain/accounts.ts';
import { isoTime } from '../../db/columns.sql.ts';
import type { Tx } from '../../db/database.ts';

export type RecordRow = {
  readonly name: string;
  readonly since: string;
  readonly finished: number;
  readonly ratingSum: number;
  readonly ratingCount: number;
};

export function readRecordRow(tx: Tx, { id, role }: Caller): Promise<RecordRow> {
  const finished =
    role === 'Scrub'
      ? sql<number>`coalesce((select t.orders from order_tallies t where t.person_id = u.id and t.status = 'Completed'), 0)`
      : sql<number>`coalesce((select t.deliveries from delivery_tallies t where t.person_id = u.id and t.status = 'Delivered'), 0)`;
  return tx
    .selectFrom('users as u')
    .where('u.id', '=', id)
    .select([
      'u.fullname as name',
      isoTime('u.created_at').as('since'),
      sql<number>`${finished}::float8`.as('finished'),
      'u.rating_sum as ratingSum',
      'u.rating_count as ratingCount',
    ])
    .executeTakeFirstOrThrow();
}
