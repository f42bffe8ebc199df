import { sql } from 'kysely';
import type { Caller, Role } from '../../domain/accounts.ts';
import { queryRows, type Tx } from '../db/database.ts';
import type { QueryExecutor } from '../db/pipeline.ts';
import { prepare } from '../db/prepared.ts';

export async function insertSession(tx: Tx, tokenHash: Buffer, userId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    sql`insert into sessions (token_hash, user_id, created_at, last_used_at)
      values (${tokenHash}, ${userId}, ${now}, ${now})`,
  );
}

type SessionRow = { readonly caller: Caller; readonly lastUsedAt: Date };

const sessionsByToken = prepare<
  [hashes: readonly Buffer[], usedSince: Date],
  { hash: string; id: string; role: Role; last_used_at: Date }
>(
  (hashes, usedSince) => sql`select encode(s.token_hash, 'hex') as hash, u.id, u.role, s.last_used_at
    from sessions s cross join lateral (select * from users u where u.id = s.user_id offset 0) u
    where s.token_hash = any(${hashes}::bytea[]) and s.last_used_at > ${usedSince}`,
);

/** Whose these tokens are, in their order; undefined for one that is dead. */
export async function findSessions(tx: QueryExecutor, hashes: readonly Buffer[], usedSince: Date) {
  const found = await sessionsByToken.all(tx, [...hashes], usedSince);
  // The one place where a caller's id gets its brand: the token was looked up.
  const sessions = new Map(
    found.map(({ hash, id, role, last_used_at: lastUsedAt }): [string, SessionRow] => [
      hash,
      { caller: { id, role } as Caller, lastUsedAt },
    ]),
  );
  return hashes.map((hash) => sessions.get(hash.toString('hex')));
}

/** Which of these tokens' hashes belong to a live session, in hexadecimal. */
export async function selectLiveTokenHashes(
  tx: Tx,
  hashes: readonly Buffer[],
  usedSince: Date,
): Promise<ReadonlySet<string>> {
  const found = await queryRows<{ hash: string }>(
    tx,
    sql`select encode(token_hash, 'hex') as hash from sessions
      where token_hash = any(${[...hashes]}::bytea[]) and last_used_at > ${usedSince}`,
  );
  return new Set(found.map(({ hash }) => hash));
}

export async function touchSession(tx: Tx, tokenHash: Buffer, now: Date): Promise<void> {
  await queryRows(tx, sql`update sessions set last_used_at = ${now} where token_hash = ${tokenHash}`);
}

export async function deleteSession(tx: Tx, tokenHash: Buffer): Promise<void> {
  await queryRows(tx, sql`delete from sessions where token_hash = ${tokenHash}`);
}

export async function deleteSessionsOf(tx: Tx, userId: string): Promise<void> {
  await queryRows(tx, sql`delete from sessions where user_id = ${userId}`);
}
