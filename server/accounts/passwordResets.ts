import { emailKey } from '../../domain/accounts.ts';
import { digest, hashPassword, newToken } from '../auth/secrets.ts';
import { deleteSessionsOf } from '../auth/sessions.sql.ts';
import type { Deps } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { countOne } from '../http/rateLimits.sql.ts';
import { found, refuse } from '../http/refusals.ts';
import { queueMail } from '../mail/mail.sql.ts';
import { passwordChangedMail, resetMail } from '../mail/templates.ts';
import { accountByEmail, clearFailures, readUser, setPassword } from './accounts.sql.ts';
import {
  hasResetRequest,
  type ResetRequest,
  resetLinkIsGood,
  takeResetRequest,
  useResetLink,
  writeResetLink,
  writeResetRequest,
} from './passwordResets.sql.ts';

const RESET_LIFETIME_S = 3600; // spec 9
const MAILS_A_PERSON = { periodMs: 60 * 60_000, most: 10 };

/** Notes that a link was asked for: one row, whether or not there is such an account, so that time tells nobody either. */
export async function askForResetLink({ db, now, newId, limits }: Deps, email: string, from: string) {
  await limits.code(from);
  await writeResetRequest(db, newId(), { emailKey: emailKey(email), askedAt: now() });
  return {};
}

type Sending = Pick<Deps, 'now' | 'newId' | 'config'>;

/** Answers one request for a link; false when there was none. */
export async function answerResetRequest(deps: Sending & Pick<Deps, 'db' | 'nudge'>): Promise<boolean> {
  if (!(await hasResetRequest(deps.db))) return false;
  const answered = await transact(deps.db, async (tx) => {
    const request = await takeResetRequest(tx);
    if (request) await sendResetLink(deps, tx, request);
    return request !== undefined;
  });
  if (answered) deps.nudge('mail');
  return answered;
}

async function sendResetLink({ now, newId, config }: Sending, tx: Tx, request: ResetRequest): Promise<void> {
  const account = await accountByEmail(tx, request.emailKey);
  if (!account) return;
  // Nobody fills somebody else's inbox. It is not said, for it would tell who has an account.
  const sent = await countOne(tx, { kind: 'reset-mail', network: account.id }, now(), MAILS_A_PERSON);
  if (sent.count > MAILS_A_PERSON.most) return;
  const token = newToken();
  const expiresAt = new Date(request.askedAt.getTime() + RESET_LIFETIME_S * 1000);
  await writeResetLink(tx, { tokenHash: digest(token), userId: account.id, expiresAt }, request.askedAt);
  const link = `${config.publicUrl}/#/auth/reset-password?token=${token}`;
  const letter = resetMail(account.fullname, link, config);
  await queueMail(tx, { id: newId(), recipient: account.email, ...letter }, now());
}

/** Sets a new password with a link's token, and signs its owner out everywhere. */
export async function resetPassword(deps: Deps, body: { token: string; newPassword: string }, from: string) {
  const { db, now, newId, config, limits, nudge } = deps;
  await limits.secret(from);
  const tokenHash = digest(body.token);
  // A hash costs as much as a sign-in, so nobody gets one for a made-up link.
  if (!(await resetLinkIsGood(db, tokenHash, now()))) refuse('staleResetToken');
  const passwordHash = await hashPassword(body.newPassword);
  await transact(db, async (tx) => {
    const userId = await useResetLink(tx, tokenHash, now());
    if (!userId) refuse('staleResetToken');
    await setPassword(tx, userId, passwordHash);
    await deleteSessionsOf(tx, userId);
    const user = found(await readUser(tx, userId));
    await clearFailures(tx, emailKey(user.email));
    const letter = passwordChangedMail(user.fullname, config);
    await queueMail(tx, { id: newId(), recipient: user.email, ...letter }, now());
  });
  nudge('mail');
  return {};
}
