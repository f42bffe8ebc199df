import { normalizeEmail } from '../../domain/accounts.ts';
import { createToken, digest, hashPassword } from '../auth/secrets.ts';
import { deleteSessionsOf } from '../auth/sessions.sql.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { incrementRateLimit } from '../http/rateLimits.sql.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { passwordChangedMail, passwordResetMail } from '../notifications/templates.ts';
import { clearSignInFailures, findAccountByEmail, readUser, setPassword } from './accounts.sql.ts';
import {
  consumeResetLink,
  hasResetRequest,
  isResetLinkValid,
  type ResetRequest,
  takeResetRequest,
  writeResetLink,
  writeResetRequest,
} from './passwordResets.sql.ts';

const RESET_LIFETIME_S = 3600; // spec 9
const RESET_MAIL_LIMIT = { periodMs: 60 * 60_000, most: 10 };

/** Notes that a link was asked for: one row, whether or not there is such an account, so that time tells nobody either. */
export async function requestPasswordReset(
  { db, now, newId, rateLimits: limits }: Context,
  email: string,
  from: string,
) {
  await limits.countCodeMail(from);
  await writeResetRequest(db, newId(), { emailKey: normalizeEmail(email), requestedAt: now() });
  return {};
}

type ResetMailContext = Pick<Context, 'now' | 'newId' | 'config'>;

/** Answers one request for a link; false when there was none. */
export async function processResetRequest(deps: ResetMailContext & Pick<Context, 'db' | 'wake'>): Promise<boolean> {
  if (!(await hasResetRequest(deps.db))) return false;
  const answered = await transact(deps.db, async (tx) => {
    const request = await takeResetRequest(tx);
    if (request) await sendResetLink(deps, tx, request);
    return request !== undefined;
  });
  if (answered) deps.wake('mail');
  return answered;
}

async function sendResetLink({ now, newId, config }: ResetMailContext, tx: Tx, request: ResetRequest): Promise<void> {
  const account = await findAccountByEmail(tx, request.emailKey);
  if (!account) return;
  // Nobody fills somebody else's inbox. It is not said, for it would tell who has an account.
  const sent = await incrementRateLimit(tx, { kind: 'reset-mail', network: account.id }, now(), RESET_MAIL_LIMIT);
  if (sent.count > RESET_MAIL_LIMIT.most) return;
  const token = createToken();
  const expiresAt = new Date(request.requestedAt.getTime() + RESET_LIFETIME_S * 1000);
  await writeResetLink(tx, { tokenHash: digest(token), userId: account.id, expiresAt }, request.requestedAt);
  const link = `${config.publicUrl}/#/auth/reset-password?token=${token}`;
  const letter = passwordResetMail(account.fullname, link, config);
  await queueMail(tx, { id: newId(), recipient: account.email, ...letter }, now());
}

/** Sets a new password with a link's token, and signs its owner out everywhere. */
export async function resetPassword(deps: Context, body: { token: string; newPassword: string }, from: string) {
  const { db, now, newId, config, rateLimits: limits, wake: nudge } = deps;
  await limits.countSecretAttempt(from);
  const tokenHash = digest(body.token);
  // A hash costs as much as a sign-in, so nobody gets one for a made-up link.
  if (!(await isResetLinkValid(db, tokenHash, now()))) refuse('staleResetToken');
  const passwordHash = await hashPassword(body.newPassword);
  await transact(db, async (tx) => {
    const userId = await consumeResetLink(tx, tokenHash, now());
    if (!userId) refuse('staleResetToken');
    await setPassword(tx, userId, passwordHash);
    await deleteSessionsOf(tx, userId);
    const user = orNotFound(await readUser(tx, userId));
    await clearSignInFailures(tx, normalizeEmail(user.email));
    const letter = passwordChangedMail(user.fullname, config);
    await queueMail(tx, { id: newId(), recipient: user.email, ...letter }, now());
  });
  nudge('mail');
  return {};
}
