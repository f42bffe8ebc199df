import { sql } from 'kysely';
import { MAX_LISTED_SESSIONS } from '../../domain/accounts.ts';
import type { Tx } from '../db/database.ts';
import { isLiveSession } from '../db/query.sql.ts';

/** Names a session: half of the digest of its token, as a uuid. Nobody can find the token or the rest of the digest from it. */
const sessionId = sql<string>`encode(substring(s.token_hash for 16), 'hex')::uuid`;

export type SessionRow = {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly browser: string | null;
  readonly network: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
};

/** The sessions of a user that have not expired, the one used last first. */
export function readSessions(tx: Tx, userId: string, now: Date): Promise<SessionRow[]> {
  return tx
    .selectFrom('sessions as s')
    .select([
      sessionId.as('id'),
      's.token_hash as tokenHash',
      's.browser',
      's.network',
      's.created_at as createdAt',
      's.last_used_at as lastUsedAt',
    ])
    .where('s.user_id', '=', userId)
    .where(isLiveSession(sql`${now}`))
    .orderBy('s.last_used_at', 'desc')
    .orderBy('s.created_at', 'desc')
    .orderBy('s.token_hash')
    .limit(MAX_LISTED_SESSIONS)
    .execute();
}

/** Ends a session of a user. Returns whether it existed. */
export async function deleteSessionById(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions as s')
    .where('s.user_id', '=', userId)
    .where(sessionId, '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
