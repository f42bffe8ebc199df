import type { Answer, RequestOrigin } from '../../contract/call.ts';
import type { OperatorApi } from '../../contract/operator/api.ts';
import type { OperatorSession } from '../../contract/operator/session.ts';
import { OPERATOR_SESSION_MAX_AGE_S } from '../../domain/operators.ts';
import { createToken, digest } from '../auth/secrets.ts';
import { clientOf } from '../auth/sessions.ts';
import type { Tx } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import type { ConsoleContext, LiveOperatorSession, SignedInOperator } from '../operatorContext.ts';
import { findOperatorSession, insertOperatorSession, isKnownBrowser, touchOperatorSession } from './operators.sql.ts';

const TOUCH_INTERVAL_MS = 60_000;

type SessionContext = Pick<ConsoleContext, 'db' | 'now' | 'config'>;

/** The operator of a token, with the rights of this moment. Undefined when the session has ended. */
export const findSignedIn = (context: SessionContext, token: string): Promise<SignedInOperator | undefined> =>
  findSignedInByHash(context, digest(token));

export async function findSignedInByHash(
  context: SessionContext,
  tokenHash: Buffer,
): Promise<SignedInOperator | undefined> {
  const { db, now, config } = context;
  const session = await findOperatorSession(db, tokenHash, { now: now(), isDemoOn: config.demo });
  if (!session) return undefined;
  if (now().getTime() - session.lastUsedAt.getTime() > TOUCH_INTERVAL_MS)
    await touchOperatorSession(db, tokenHash, { last_used_at: now() });
  const { id, fullname, caps } = session;
  return { id, fullname, caps, session: { ...session, tokenHash } };
}

/** Opens a session. `isNewBrowser` is whether the operator has never signed in from this network with this browser. */
export async function openSession(
  { db, now }: { db: Tx; now: () => Date },
  operatorId: string,
  origin: RequestOrigin,
): Promise<{ authToken: string; isNewBrowser: boolean; network: string; browser: string }> {
  const { network, browser } = clientOf(origin);
  const authToken = createToken();
  const session = { tokenHash: digest(authToken), operatorId, network, browser };
  const isKnown = await isKnownBrowser(db, session);
  await insertOperatorSession(db, session, now());
  return { authToken, isNewBrowser: !isKnown, network, browser };
}

/** Opens a session and answers as signing in does. */
export async function openOperatorSession(
  context: SessionContext,
  operatorId: string,
  origin: RequestOrigin,
): Promise<Answer<OperatorApi['operatorSignIn']>> {
  const { authToken } = await openSession(context, operatorId, origin);
  return answerSignedIn(context, authToken);
}

export async function answerSignedIn(context: SessionContext, authToken: string) {
  const operator = await findSignedIn(context, authToken);
  // They have left in the same moment.
  if (!operator) refuse('wrongPassword');
  return { authToken, session: viewSession(operator.session) };
}

export function viewSession(session: LiveOperatorSession): OperatorSession {
  const { id, fullname, email, caps, createdAt, isDemo } = session;
  const endsAt = new Date(createdAt.getTime() + OPERATOR_SESSION_MAX_AGE_S * 1000);
  return { operator: { id, fullname, email, caps: [...caps] }, endsAt: endsAt.toISOString(), isDemo };
}
