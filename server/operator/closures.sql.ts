import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';

const selectClosures = (tx: Tx) =>
  tx
    .selectFrom('closures as c')
    .innerJoin('operators as o', 'o.id', 'c.added_by')
    .leftJoin('operators as t', 't.id', 'c.taken_back_by')
    .leftJoin('zones as z', 'z.id', 'c.zone_id')
    .select(['c.id', 'c.from_at as from', 'c.until_at as until', 'c.words', 'o.fullname as addedBy'])
    .select(['c.taken_back_at as takenBackAt', 't.fullname as takenBackBy'])
    .select(['c.zone_id as zoneId', 'z.name as zoneName']);

/** Those of now and those to come, soonest first. */
export const listComingClosures = (tx: Tx, now: Date) =>
  selectClosures(tx)
    .where('c.until_at', '>', now)
    .where('c.taken_back_at', 'is', null)
    .orderBy('c.from_at')
    .orderBy('c.id')
    .execute();

export type ClosureRow = Awaited<ReturnType<typeof listComingClosures>>[number];

/** Those that are over or were taken back, newest first. */
export const listPastClosures = (tx: Tx, now: Date, { limit, offset }: PageBounds) =>
  selectClosures(tx)
    .where(sql<boolean>`(c.until_at <= ${now} or c.taken_back_at is not null)`)
    .orderBy('c.until_at', 'desc')
    .orderBy('c.id')
    .limit(limit)
    .offset(offset)
    .execute();

/** A closure, locked until the transaction ends. */
export const lockClosure = (tx: Tx, id: string) =>
  tx
    .selectFrom('closures')
    .select(['from_at as from', 'until_at as until', 'words', 'taken_back_at as takenBackAt'])
    .select((eb) =>
      eb.selectFrom('zones as z').select('z.name').whereRef('z.id', '=', 'closures.zone_id').as('zoneName'),
    )
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

type NewClosure = {
  readonly id: string;
  /** Null: the whole town. */
  readonly zoneId: string | null;
  readonly from: Date;
  readonly until: Date;
  readonly words: string;
  readonly addedBy: string;
};

export async function insertClosure(
  tx: Tx,
  { id, zoneId: zone_id, from: from_at, until: until_at, words, addedBy: added_by }: NewClosure,
  at: Date,
): Promise<void> {
  await tx.insertInto('closures').values({ id, zone_id, from_at, until_at, words, added_by, added_at: at }).execute();
}

/** The closures of a zone that hold at a time, locked until the transaction ends. */
export const lockClosuresOfZone = (tx: Tx, zoneId: string, at: Date) =>
  tx
    .selectFrom('closures')
    .select(['id', 'until_at as until', 'words'])
    .where('zone_id', '=', zoneId)
    .where('from_at', '<=', at)
    .where('until_at', '>', at)
    .where('taken_back_at', 'is', null)
    .orderBy('until_at')
    .forUpdate()
    .execute();

export async function takeBackClosure(tx: Tx, id: string, by: string, at: Date): Promise<void> {
  await tx.updateTable('closures').set({ taken_back_at: at, taken_back_by: by }).where('id', '=', id).execute();
}
