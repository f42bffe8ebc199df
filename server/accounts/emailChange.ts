import { normalizeEmail, parseEmail } from '../../domain/accounts.ts';
import { readCredentials } from '../auth/credentials.sql.ts';
import { checkCurrentPassword } from '../auth/currentPassword.ts';
import { createCode, createToken, digest, isSameDigest } from '../auth/secrets.ts';
import { deleteOtherSessions } from '../auth/sessions.sql.ts';
import { forgetOtherDevices } from '../auth/sessions.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, violatedConstraint } from '../db/database.ts';
import { incrementRateLimit } from '../http/rateLimits.sql.ts';
import { orNotFound, Refusal, refuse, refuseProperty } from '../http/refusals.ts';
import { formatWait, secondsUntil } from '../http/waits.ts';
import {
  confirmEmailChangeMail,
  emailChangedMail,
  newAddressCodeMail,
  newAddressTakenMail,
} from '../notifications/emailChangeMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { findAccountByEmail, readUser } from './accounts.sql.ts';
import { CODE_RULE, codeExpiry } from './accounts.ts';
import {
  type CodeHashes,
  consumeEmailChangeCodes,
  saveEmailChange,
  setEmail,
  takeEmailChangeTry,
} from './emailChange.sql.ts';
import type { ChangedBy } from './passwordChange.ts';
import { deleteResetLink } from './passwordResets.sql.ts';

/** Mails to one new address, from all accounts together. */
const NEW_ADDRESS_LIMIT = { periodMs: 24 * 60 * 60_000, most: 10 };
const STALE_CODE_MESSAGE = 'This code is wrong or no longer valid';

/** Mails a code to the new address and another to the current one. Both are needed to change the address. */
export async function sendEmailChangeCodes(
  context: Context,
  { newEmail: email, password }: { newEmail: string; password: string },
  { userId, from }: ChangedBy,
) {
  const { db, now, newId, rateLimits, wake } = context;
  await rateLimits.countCodeMail(from);
  const { emailKey: ownKey, ...user } = await checkCurrentPassword(context, {
    userId,
    password,
    property: 'password',
    from,
  });
  const emailKey = normalizeEmail(email);
  const { shown = emailKey } = parseEmail(email) ?? {};
  if (emailKey === ownKey) refuseProperty('newEmail', 'isNew', 'This is already your email address');
  const [oldCode, newCode] = [createCode(), createCode()];
  const tooEarly = await transact(db, async (tx) => {
    const taken = await findAccountByEmail(tx, emailKey);
    // An address with an account gets a secret that nobody knows, so that trying codes takes the same time.
    const hashes = { oldCodeHash: digest(oldCode), newCodeHash: digest(taken ? createToken() : newCode) };
    const nextAt = await saveEmailChange(tx, { userId, email: shown, emailKey, ...hashes }, now(), CODE_RULE);
    if (nextAt) return nextAt;
    const expiresAt = codeExpiry(now());
    const town = await readPublicTown({ ...context, db: tx });
    const toNew = taken ? newAddressTakenMail(taken.fullname, town) : newAddressCodeMail(newCode, town);
    // Silent, so that many accounts cannot fill an inbox: an answer would reveal what others asked for.
    const { count } = await incrementRateLimit(
      tx,
      { kind: 'email-change', network: emailKey },
      now(),
      NEW_ADDRESS_LIMIT,
    );
    if (count <= NEW_ADDRESS_LIMIT.most)
      await queueMail(tx, { id: newId(), recipient: emailKey, ...toNew, expiresAt }, now());
    const toOld = confirmEmailChangeMail(user.fullname, oldCode, town);
    await queueMail(tx, { id: newId(), recipient: user.email, ...toOld, expiresAt }, now());
    return undefined;
  });
  if (tooEarly) {
    const retryAfter = secondsUntil(tooEarly, now());
    const wait = formatWait(retryAfter);
    refuse('tooMany', {
      message: `We have already sent you codes. Check both inboxes, or try again in ${wait}.`,
      retryAfter,
    });
  }
  wake('mail');
  return {};
}

type Codes = { readonly newEmail: string; readonly oldCode: string; readonly newCode: string };

/** Changes the e-mail address, ends the user's other sessions and pending reset link, and tells the old address. */
export async function changeEmail(context: Context, { newEmail, oldCode, newCode }: Codes, by: ChangedBy) {
  const { db, now, rateLimits, wake, endStreamsOf } = context;
  await rateLimits.countSecretAttempt(by.from);
  const change = await takeEmailChangeTry(db, by.userId, normalizeEmail(newEmail), now());
  const wrong = [
    ...(change && isSameDigest(change.oldCodeHash, digest(oldCode)) ? [] : ['oldCode']),
    ...(change && isSameDigest(change.newCodeHash, digest(newCode)) ? [] : ['newCode']),
  ];
  if (!change || wrong.length > 0) refuseCodes(wrong);
  try {
    const user = await transact(db, (tx) => applyChange(context, tx, change, by));
    endStreamsOf(by.userId);
    wake('mail');
    return user;
  } catch (error) {
    if (violatedConstraint(error) === 'users_email_key') refuse('emailTaken');
    throw error;
  }
}

function refuseCodes(properties: readonly string[]): never {
  const validationErrors = properties.map((property) => ({ property, constraints: { isCurrent: STALE_CODE_MESSAGE } }));
  throw new Refusal('invalid', { validationErrors });
}

type Change = CodeHashes & { readonly email: string };

async function applyChange(context: Context, tx: Tx, change: Change, by: ChangedBy) {
  const { now, newId } = context;
  const { userId, token } = by;
  if (!(await consumeEmailChangeCodes(tx, userId, change))) refuseCodes(['oldCode', 'newCode']);
  if ((await deleteOtherSessions(tx, userId, digest(token))) === undefined) refuse('unauthenticated');
  const { email: oldEmail, fullname } = orNotFound(await readCredentials(tx, userId));
  await setEmail(tx, userId, { email: change.email, emailKey: normalizeEmail(change.email) });
  await deleteResetLink(tx, userId);
  await forgetOtherDevices(tx, userId, by, now());
  const mail = emailChangedMail(fullname, await readPublicTown({ ...context, db: tx }));
  await queueMail(tx, { id: newId(), recipient: oldEmail, ...mail }, now());
  return orNotFound(await readUser(tx, userId));
}
