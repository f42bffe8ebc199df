import type { RequestOrigin } from '../../contract/call.ts';
import type { UserId } from '../../domain/accounts.ts';
import { replacePassword } from '../auth/credentials.sql.ts';
import { checkCurrentPassword } from '../auth/currentPassword.ts';
import { digest, hashPassword } from '../auth/secrets.ts';
import { deleteOtherSessions } from '../auth/sessions.sql.ts';
import { forgetOtherDevices } from '../auth/sessions.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { refuse, refuseProperty } from '../http/refusals.ts';
import { passwordChangedMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { deleteResetLink } from './passwordResets.sql.ts';

/** Who makes the change: the user, the session that stays, and where the request comes from. */
export type ChangedBy = RequestOrigin & { readonly userId: UserId; readonly token: string };

/** Sets a new password, ends the user's other sessions and pending reset link, and says so in a mail. */
export async function changePassword(
  context: Context,
  body: { currentPassword: string; newPassword: string },
  by: ChangedBy,
) {
  const { userId, token, from } = by;
  const { db, now, newId, wake, endStreamsOf } = context;
  const typed = { userId, password: body.currentPassword, property: 'currentPassword', from };
  const account = await checkCurrentPassword(context, typed);
  const passwordHash = await hashPassword(body.newPassword, from);
  await transact(db, async (tx) => {
    if ((await deleteOtherSessions(tx, userId, digest(token))) === undefined) refuse('unauthenticated');
    if (!(await replacePassword(tx, userId, { from: account.passwordHash, to: passwordHash })))
      refuseProperty('currentPassword', 'isCurrent', 'Your password was just changed. Enter the new one');
    await deleteResetLink(tx, userId);
    await forgetOtherDevices(tx, userId, by, now());
    const town = await readPublicTown({ ...context, db: tx });
    const mail = passwordChangedMail(account.fullname, town, 'every other device');
    await queueMail(tx, { id: newId(), recipient: account.email, ...mail }, now());
  });
  endStreamsOf(userId);
  wake('mail');
  return {};
}
