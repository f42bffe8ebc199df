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
  insertResetRequest,
  isResetLinkValid,
  type ResetRequest,
  saveResetLink,
  takeResetRequest,
} from './passwordResets.sql.ts';

const RESET_LIFETIME_S = 3600; // spec 9
const RESET_MAIL_LIMIT = { periodMs: 60 * 60_000, most: 10 };

/** Queues a request for a reset link. It writes one row whether or not the account exists, so timing reveals nothing. */
export async function requestPasswordReset({ db, now, newId, rateLimits }: Context, email: string, from: string) {
  await rateLimits.countCodeMail(from);
  await insertResetRequest(db, newId(), { emailKey: normalizeEmail(email), requestedAt: now() });
  return {};
}

type ResetMailContext = Pick<Context, 'now' | 'newId' | 'config'>;

/** Answers one queued request. Returns false when there was none. */
export async function processResetRequest(context: ResetMailContext & Pick<Context, 'db' | 'wake'>): Promise<boolean> {
  if (!(await hasResetRequest(context.db))) return false;
  const answered = await transact(context.db, async (tx) => {
    const request = await takeResetRequest(tx);
    if (request) await sendResetLink(context, tx, request);
    return request !== undefined;
  });
  if (answered) context.wake('mail');
  return answered;
}

async function sendResetLink({ now, newId, config }: ResetMailContext, tx: Tx, request: ResetRequest): Promise<void> {
  const account = await findAccountByEmail(tx, request.emailKey);
  if (!account) return;
  // Keeps strangers from flooding an inbox. The limit is silent, because an answer would reveal that the account exists.
  const sent = await incrementRateLimit(tx, { kind: 'reset-mail', network: account.id }, now(), RESET_MAIL_LIMIT);
  if (sent.count > RESET_MAIL_LIMIT.most) return;
  const token = createToken();
  const expiresAt = new Date(request.requestedAt.getTime() + RESET_LIFETIME_S * 1000);
  await saveResetLink(tx, { tokenHash: digest(token), userId: account.id, expiresAt }, request.requestedAt);
  const link = `${config.publicUrl}/#/auth/reset-password?token=${token}`;
  const mail = passwordResetMail(account.fullname, link, config);
  await queueMail(tx, { id: newId(), recipient: account.email, ...mail }, now());
}

/** Sets a new password with a link's token, and signs the user out everywhere. */
export async function resetPassword(context: Context, body: { token: string; newPassword: string }, from: string) {
  const { db, now, newId, config, rateLimits, wake } = context;
  await rateLimits.countSecretAttempt(from);
  const tokenHash = digest(body.token);
  // Hashing a password is expensive, so an invalid link is refused before it.
  if (!(await isResetLinkValid(db, tokenHash, now()))) refuse('staleResetToken');
  const passwordHash = await hashPassword(body.newPassword);
  await transact(db, async (tx) => {
    const userId = await consumeResetLink(tx, tokenHash, now());
    if (!userId) refuse('staleResetToken');
    await setPassword(tx, userId, passwordHash);
    await deleteSessionsOf(tx, userId);
    const user = orNotFound(await readUser(tx, userId));
    await clearSignInFailures(tx, normalizeEmail(user.email));
    const mail = passwordChangedMail(user.fullname, config);
    await queueMail(tx, { id: newId(), recipient: user.email, ...mail }, now());
  });
  wake('mail');
  return {};
}
