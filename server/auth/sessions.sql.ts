import { sql } from 'kysely';
import type { Caller, Role } from '../../domain/accounts.ts';
import type { Tx } from '../db/database.ts';
import type { QueryExecutor } from '../db/pipeline.ts';
import { prepare } from '../db/prepared.ts';

export async function insertSession(tx: Tx, tokenHash: Buffer, userId: string, now: Date): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({ token_hash: tokenHash, user_id: userId, created_at: now, last_used_at: now })
    .execute();
}

type SessionRow = { readonly caller: Caller; readonly lastUsedAt: Date };

// Prepared, because every request that is not a single query runs it. `offset 0` keeps the look-up of users by key.
const sessionsByToken = prepare<
  [hashes: readonly Buffer[], usedSince: Date],
  { hash: string; id: string; role: Role; last_used_at: Date }
>(
  (hashes, usedSince) => sql`select encode(s.token_hash, 'hex') as hash, u.id, u.role, s.last_used_at
    from sessions s cross join lateral (select * from users u where u.id = s.user_id offset 0) u
    where s.token_hash = any(${hashes}::bytea[]) and s.last_used_at > ${usedSince}`,
);

/** The sessions of these token hashes, in the same order; undefined for one that has ended. */
export async function findSessions(tx: QueryExecutor, hashes: readonly Buffer[], usedSince: Date) {
  const rows = await sessionsByToken.all(tx, [...hashes], usedSince);
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
  usedSince: Date,
): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('sessions')
    .select(sql<string>`encode(token_hash, 'hex')`.as('hash'))
    // An array, so that the statement is the same for any number of tokens.
    .where(sql<boolean>`token_hash = any(${[...hashes]}::bytea[])`)
    .where('last_used_at', '>', usedSince)
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
