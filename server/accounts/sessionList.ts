import { digest, isSameDigest } from '../auth/secrets.ts';
import { deleteOtherSessions } from '../auth/sessions.sql.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { maskedNetworkOf } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { deleteSessionById, readSessions, type SessionRow } from './sessionList.sql.ts';

type SessionCalls = Pick<Handlers, 'listSessions' | 'endSession' | 'endOtherSessions'>;

/** The devices on which a user is signed in, and how to sign them out. */
export function sessionHandlers({ db, now, endStreamsOf }: Context): SessionCalls {
  return {
    listSessions: async ({ caller, token = '' }) => {
      const own = digest(token);
      return { items: (await readSessions(db, caller.id, now())).map((row) => toSession(row, own)) };
    },
    endSession: async ({ caller, params }) => {
      if (!(await deleteSessionById(db, caller.id, params.id))) refuse('notFound');
      endStreamsOf(caller.id);
      return undefined;
    },
    endOtherSessions: async ({ caller, token = '' }) => {
      const ended = await transact(db, (tx) => deleteOtherSessions(tx, caller.id, digest(token)));
      if (ended === undefined) refuse('unauthenticated');
      endStreamsOf(caller.id);
      return { ended };
    },
  };
}

const toSession = ({ tokenHash, network, createdAt, lastUsedAt, ...rest }: SessionRow, own: Buffer) => ({
  ...rest,
  network: network === null ? null : maskedNetworkOf(network),
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt.toISOString(),
  current: isSameDigest(tokenHash, own),
});
