import { sql } from 'kysely';
import { type Caller, MAX_SESSIONS_PER_USER, type Role } from '../../domain/accounts.ts';
import type { Tx } from '../db/database.ts';
import type { QueryExecutor } from '../db/pipeline.ts';
import { prepare } from '../db/prepared.ts';
import { isLiveSession } from '../db/query.sql.ts';

export type NewSession = {
  readonly tokenHash: Buffer;
  readonly userId: string;
  /** The address that the account was found by, as it is stored. */
  readonly emailKey: string;
  /** The hash that the password was checked against. */
  readonly passwordHash: string;
  readonly network: string;
  readonly browser: string;
  readonly device: Buffer | null;
};

/**
 * Opens a session unless the password or the e-mail address has changed since they were checked. Locks the user until the
 * transaction ends: it waits for a change in progress, and a later change ends the session.
 */
export async function insertSession(tx: Tx, session: NewSession, now: Date): Promise<boolean> {
  const { tokenHash, network, browser, device } = session;
  const inserted = await tx
    .insertInto('sessions')
    .columns(['token_hash', 'user_id', 'created_at', 'last_used_at', 'network', 'browser', 'device'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(({ val, cast }) => [
          cast<Buffer>(val(tokenHash), 'bytea').as('token_hash'),
          'id',
          cast<Date>(val(now), 'timestamptz').as('created_at'),
          cast<Date>(val(now), 'timestamptz').as('last_used_at'),
          cast<string>(val(network), 'text').as('network'),
          cast<string>(val(browser), 'text').as('browser'),
          cast<Buffer | null>(val(device), 'bytea').as('device'),
        ])
        .where('id', '=', session.userId)
        .where('email_key', '=', session.emailKey)
        .where('password_hash', '=', session.passwordHash)
        .forNoKeyUpdate(),
    )
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

type SessionRow = { readonly caller: Caller; readonly lastUsedAt: Date };

// Prepared, because every request that is not a single query runs it. `offset 0` keeps the look-up of users by key.
const sessionsByToken = prepare<
  [hashes: readonly Buffer[], now: Date],
  { hash: string; id: string; role: Role; last_used_at: Date }
>(
  (hashes, now) => sql`select encode(s.token_hash, 'hex') as hash, u.id, u.role, s.last_used_at
    from sessions s cross join lateral (select * from users u where u.id = s.user_id offset 0) u
    where s.token_hash = any(${hashes}::bytea[]) and ${isLiveSession(now)}`,
);

/** The sessions of these token hashes, in the same order; undefined for one that has ended. */
export async function findSessions(tx: QueryExecutor, hashes: readonly Buffer[], now: Date) {
  const rows = await sessionsByToken.all(tx, [...hashes], now);
  // The one place where a caller's id gets its brand: the token was checked.
  const sessions = new Map(
    rows.map(({ hash, id, role, last_used_at: lastUsedAt }): [string, SessionRow] => [
      hash,
      { caller: { id, role } as Caller, lastUsedAt },
    ]),
  );
  return hashes.map((hash) => sessions.get(hash.toString('hex')));
}

/** Which of these token hashes belong to a live session, in hexadecimal. */
export async function selectLiveTokenHashes(
  tx: Tx,
  hashes: readonly Buffer[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('sessions as s')
    .select(sql<string>`encode(s.token_hash, 'hex')`.as('hash'))
    // An array, so that the statement is the same for any number of tokens.
    .where(sql<boolean>`s.token_hash = any(${[...hashes]}::bytea[])`)
    .where(isLiveSession(sql`${now}`))
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}

export async function touchSession(tx: Tx, tokenHash: Buffer, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ last_used_at: now }).where('token_hash', '=', tokenHash).execute();
}

export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

export async function deleteSessionsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/**
 * Ends all sessions of a user except one, and returns how many. Returns undefined when that one has ended itself: of two
 * devices that sign each other out, the first stays. Locks the user until the transaction ends.
 */
export async function deleteOtherSessions(tx: Tx, userId: string, tokenHash: Buffer): Promise<number | undefined> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const own = await tx
    .selectFrom('sessions')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!own) return undefined;
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('token_hash', '!=', tokenHash)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Ends the sessions of a user above the most that one may have: those that were not used for the longest time. Call it in
 * the transaction that opens a session, after the user's row is locked.
 */
export async function endExcessSessions(tx: Tx, userId: string): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('sessions')
        .select('token_hash')
        .where('user_id', '=', userId)
        .orderBy('last_used_at', 'desc')
        .orderBy('created_at', 'desc')
        .orderBy('token_hash')
        .offset(MAX_SESSIONS_PER_USER),
    )
    .execute();
}
