import { type RawBuilder, sql } from 'kysely';
import { type Audience, audiencesTouching, roleOf } from '../../domain/broadcasts.ts';
import { queryRow, queryRows, type Tx } from '../db/database.ts';
import type { PageBounds } from '../db/pages.ts';
import { insertNotificationsSql } from './queueNotifications.sql.ts';

// What operators write to many people. The row is written by the act. A worker writes the messages to the people in batches
// afterwards, so that neither the act nor a receipt waits for 100,000 of them.

export type BroadcastText = { readonly title: string; readonly words: string };

export type NewBroadcast = BroadcastText & {
  readonly id: string;
  readonly to: Audience;
  readonly isUrgent: boolean;
  /** The id of the operator. */
  readonly sentBy: string;
  readonly people: number;
};

/** How many people an audience has. */
export async function countAudience(tx: Tx, to: Audience): Promise<number> {
  const role = roleOf(to);
  const { count } = await tx
    .selectFrom('users')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .$if(role !== undefined, (query) => query.where('role', '=', role ?? 'Bud'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The first message since a time to somebody of this audience. */
export function findBroadcastSince(tx: Tx, to: Audience, since: Date) {
  return tx
    .selectFrom('broadcasts')
    .select(['to_role as to', 'title', 'at'])
    .where('at', '>=', since)
    .where('to_role', 'in', audiencesTouching(to))
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
}

export async function insertBroadcast(
  tx: Tx,
  { to: to_role, isUrgent: is_urgent, sentBy: sent_by, ...text }: NewBroadcast,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('broadcasts')
    .values({ ...text, to_role, is_urgent, sent_by, at })
    .execute();
}

export function listBroadcasts(tx: Tx, { limit, offset }: PageBounds) {
  return tx
    .selectFrom('broadcasts as b')
    .innerJoin('operators as o', 'o.id', 'b.sent_by')
    .select(['b.id', 'b.to_role as to', 'b.title', 'b.words', 'b.is_urgent as isUrgent', 'b.at', 'b.people'])
    .select(['b.written', 'b.written_at as writtenAt', 'o.fullname as sentBy'])
    .orderBy('b.at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** What a message says. */
export function readBroadcast(tx: Tx, id: string): Promise<BroadcastText | undefined> {
  return tx.selectFrom('broadcasts').select(['title', 'words']).where('id', '=', id).executeTakeFirst();
}

type Waiting = { readonly id: string; readonly to: Audience; readonly lastUser: string | null; readonly at: Date };

/** An ordinary message waits while so many others are due: they were there before. An urgent one does not. */
const MOST_DUE = 200;
const isOutboxShort = (now: Date) =>
  sql<boolean>`(select count(*) < ${sql.lit(MOST_DUE)} from (select from notifications
    where channel = 'mail' and due_at <= ${now} limit ${sql.lit(MOST_DUE)}) due)`;

/**
 * Writes the messages of one batch of people, and how far it got, in the transaction of the caller. True when there may be more
 * to do now.
 */
export async function writeBroadcastBatch(tx: Tx, now: Date, batchSize: number): Promise<boolean> {
  const waiting = await queryRow<Waiting>(
    tx,
    sql`select id, to_role as "to", last_user as "lastUser", at from broadcasts
      where written_at is null and (is_urgent or ${isOutboxShort(now)}) order by is_urgent desc, at limit 1 for update skip locked`,
  );
  if (!waiting) return false;
  const people = await listNextPeople(tx, waiting, batchSize);
  const last = people.at(-1);
  const recipients = sql`select person, ${waiting.id}::uuid from unnest(${people}::uuid[]) person`;
  await queryRows(tx, insertNotificationsSql('town', recipients, sql`${now}`));
  await queryRows(
    tx,
    sql`update broadcasts set last_user = coalesce(${last ?? null}::uuid, last_user), written = written + ${people.length},
      written_at = ${people.length < batchSize ? now : null}::timestamptz where id = ${waiting.id}`,
  );
  return true;
}

/** The people of an audience who come next, in the order of their ids. */
async function listNextPeople(tx: Tx, { to, lastUser, at }: Waiting, limit: number): Promise<string[]> {
  const role = roleOf(to);
  const conditions: RawBuilder<boolean>[] = [
    sql`created_at <= ${at}`,
    ...(lastUser === null ? [] : [sql<boolean>`id > ${lastUser}`]),
    ...(role === undefined ? [] : [sql<boolean>`role = ${role}`]),
  ];
  const rows = await queryRows<{ id: string }>(
    tx,
    sql`select id from users where ${sql.join(conditions, sql` and `)} order by id limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}
