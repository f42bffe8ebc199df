import type { RequestOrigin } from '../../contract/call.ts';
import { earlierEmailKey, normalizeEmail } from '../../domain/accounts.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { readKnownTraits } from '../auth/knownDevices.sql.ts';
import { createToken, digest, hashPassword } from '../auth/secrets.ts';
import { deleteSessionsOf } from '../auth/sessions.sql.ts';
import { clientOf, forgetOtherDevices } from '../auth/sessions.ts';
import { clearAllWrongPasswords } from '../auth/signInAttempts.sql.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { incrementRateLimit } from '../http/rateLimits.sql.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { passwordChangedMail, passwordResetMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { readUser, setPassword } from './accounts.sql.ts';
import {
  consumeResetLink,
  hasResetRequest,
  insertResetRequest,
  isResetLinkValid,
  lockAccountByEmail,
  lockUserOfResetLink,
  type ResetRequest,
  saveResetLink,
  takeResetRequest,
} from './passwordResets.sql.ts';
import { refuseHeld } from './signIn.ts';

const RESET_LIFETIME_S = 3600; // spec 9
const RESET_MAILS_PER_HOUR = 10;
const RESET_MAILS_PER_HOUR_OF_STRANGER = 3;

/** Queues a request for a reset link. It writes one row whether or not the account exists, so timing reveals nothing. */
export async function requestPasswordReset(
  { db, now, newId, rateLimits }: Context,
  email: string,
  origin: RequestOrigin,
) {
  await rateLimits.countCodeMail(origin.from);
  const { device = null, network } = clientOf(origin).traits;
  const request = { emailKey: earlierEmailKey(email), requestedAt: now(), device, network: network ?? null };
  await insertResetRequest(db, newId(), request);
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

async function sendResetLink(context: ResetMailContext, tx: Tx, request: ResetRequest): Promise<void> {
  const { now, newId } = context;
  const account = await lockAccountByEmail(tx, request.emailKey);
  if (!account) return;
  if (!(await mayMailResetLink(tx, account.id, request, now()))) return;
  const token = createToken();
  const expiresAt = new Date(request.requestedAt.getTime() + RESET_LIFETIME_S * 1000);
  await saveResetLink(tx, { tokenHash: digest(token), userId: account.id, expiresAt }, request.requestedAt);
  const town = await readPublicTown({ ...context, db: tx });
  const link = `${town.publicUrl}/#/auth/reset-password?token=${token}`;
  const mail = passwordResetMail(account.fullname, link, town);
  await queueMail(tx, { id: newId(), recipient: account.email, ...mail, expiresAt }, now());
}

/**
 * Keeps strangers from flooding an inbox, and from using up what the owner may ask for: a device or network from which the
 * owner has signed in has its own limit. They are silent, because an answer would reveal that the account exists.
 */
async function mayMailResetLink(
  tx: Tx,
  userId: string,
  { device, network }: ResetRequest,
  now: Date,
): Promise<boolean> {
  const traits = { device: device ?? undefined, network: network ?? undefined, browser: undefined };
  const known = await readKnownTraits(tx, userId, traits);
  const isWithin = async (origin: string, most: number) => {
    const limit = { kind: 'reset-mail', network: `${userId} ${origin}` };
    return (await incrementRateLimit(tx, limit, now, { periodMs: HOUR_MS, most })).count <= most;
  };
  if (known.device) return isWithin(`device ${device}`, RESET_MAILS_PER_HOUR);
  if (known.network) return isWithin(`network ${network}`, RESET_MAILS_PER_HOUR);
  return (
    (await isWithin(`network ${network}`, RESET_MAILS_PER_HOUR_OF_STRANGER)) &&
    (await isWithin('all', RESET_MAILS_PER_HOUR))
  );
}

type ResetBody = { readonly token: string; readonly newPassword: string };

/**
 * Sets a new password with a link's token, and signs the user out everywhere. The link came to the owner, so the device
 * and network that use it are known from now on.
 */
export async function resetPassword(context: Context, body: ResetBody, origin: RequestOrigin) {
  const { db, now, newId, rateLimits, wake } = context;
  const { from } = origin;
  await rateLimits.countSecretAttempt(from);
  const tokenHash = digest(body.token);
  // Hashing a password is expensive, so an invalid link is refused before it.
  if (!(await isResetLinkValid(db, tokenHash, now()))) refuse('staleResetToken');
  const passwordHash = await hashPassword(body.newPassword, from);
  const resetBy = await transact(db, async (tx) => {
    // Every change of a password or an e-mail address locks the user before the link, so that none of them deadlock.
    await lockUserOfResetLink(tx, tokenHash);
    const userId = await consumeResetLink(tx, tokenHash, now());
    if (!userId) refuse('staleResetToken');
    await refuseHeld(context, tx, userId);
    await setPassword(tx, userId, passwordHash);
    await deleteSessionsOf(tx, userId);
    await forgetOtherDevices(tx, userId, origin, now());
    const user = orNotFound(await readUser(tx, userId));
    await clearAllWrongPasswords(tx, normalizeEmail(user.email));
    const mail = passwordChangedMail(user.fullname, await readPublicTown({ ...context, db: tx }));
    await queueMail(tx, { id: newId(), recipient: user.email, ...mail }, now());
    return userId;
  });
  context.endStreamsOf(resetBy);
  wake('mail');
  return {};
}
