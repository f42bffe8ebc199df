import { newNames } from '../../contract/accounts.ts';
import type { RequestOrigin } from '../../contract/call.ts';
import { normalizeEmail, parseEmail, type UserId } from '../../domain/accounts.ts';
import { enrolNewWorker } from '../admissions/enrol.ts';
import { applyScrubVisibility } from '../auth/restrictions.sql.ts';
import { createCode, createToken, digest, hashPassword, isSameDigest } from '../auth/secrets.ts';
import { deleteSession } from '../auth/sessions.sql.ts';
import { clientOf, openSession } from '../auth/sessions.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, violatedConstraint, withConnection } from '../db/database.ts';
import { checkEditedTexts } from '../http/editedTexts.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { formatWait, secondsUntil } from '../http/waits.ts';
import { accountExistsMail, signUpCodeMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { addFirstAddress } from '../places/places.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import {
  findAccountByEmail,
  insertUser,
  readSessionJson,
  readUser,
  returnSignUpCodeTry,
  saveSignUpCode,
  setScrubVisibility,
  takeSignUpCodeTry,
  updateUser,
} from './accounts.sql.ts';
import type { CodeRule } from './codeLimits.sql.ts';
import { requestPasswordReset, resetPassword } from './passwordResets.ts';
import { login } from './signIn.ts';

const DAY_S = 24 * 60 * 60;
export const CODE_RULE: CodeRule = {
  lifetimeS: 600,
  maxTries: 5,
  minGapS: 60,
  windowS: DAY_S,
  maxPerWindow: 10,
};
/** When a code that is made at `now` stops working. */
export const codeExpiry = (now: Date): Date => new Date(now.getTime() + CODE_RULE.lifetimeS * 1000);
const STALE_CODE_MESSAGE = 'OTP code is invalid or expired';

type AccountCalls = Pick<
  Handlers,
  | 'login'
  | 'signUp'
  | 'sendOtpForEmail'
  | 'forgotPassword'
  | 'resetPassword'
  | 'session'
  | 'logout'
  | 'profile'
  | 'updateProfile'
  | 'changeVisibility'
>;

/** For an operator who keeps a Scrub from new work, or no longer does. */

export function accountHandlers(context: Context): AccountCalls {
  const { db } = context;
  const readProfile = async (tx: Tx, id: UserId) => orNotFound(await readUser(tx, id));
  return {
    login: (input) => login(context, input.body, input),
    signUp: (input) => signUp(context, input.body, input),
    sendOtpForEmail: ({ body, from }) => sendSignUpCode(context, body.email, from),
    forgotPassword: (input) => requestPasswordReset(context, input.body.email, input),
    resetPassword: (input) => resetPassword(context, input.body, input),
    session: ({ caller }) => readSessionJson(caller.id),
    logout: async ({ token, caller }) => {
      if (token !== undefined) await deleteSession(db, digest(token));
      context.endStreamsOf(caller.id);
      return undefined;
    },
    profile: ({ caller }) => readProfile(db, caller.id),
    updateProfile: ({ caller, body: { fullname, phone } }) =>
      withConnection(db, async (connected) => {
        const names =
          fullname === undefined
            ? undefined
            : await checkEditedTexts(newNames, { fullname }, () => readUser(connected, caller.id));
        await updateUser(connected, caller.id, { fullname: names?.fullname, phone });
        return readProfile(connected, caller.id);
      }),
    changeVisibility: async ({ caller, body }) => {
      await setScrubVisibility(db, caller.id, body.isActive);
      return { isActive: body.isActive };
    },
  };
}

type SignUpBody = Parameters<Handlers['signUp']>[0]['body'];

async function signUp(context: Context, body: SignUpBody, origin: RequestOrigin) {
  const { db, now, newId, rateLimits, wake } = context;
  await rateLimits.countSecretAttempt(origin.from);
  const emailKey = normalizeEmail(body.email);
  const codeHash = await takeSignUpCodeTry(db, emailKey, now());
  if (!codeHash || !isSameDigest(codeHash, digest(body.emailOtp)))
    refuseProperty('emailOtp', 'isCurrent', STALE_CODE_MESSAGE);
  // Only wrong tries count. The code stays valid, so that using it again answers that the account exists now.
  await returnSignUpCodeTry(db, emailKey, codeHash);
  const passwordHash = await hashPassword(body.password, origin.from);
  const { fullname, role } = body;
  const email = parseEmail(body.email)?.shown ?? emailKey;
  const user = { id: newId(), fullname, email, emailKey, phone: body.phone ?? null, role, passwordHash };
  try {
    const signedUp = await transact(db, async (tx) => {
      await insertUser(tx, user, now());
      await addFirstAddress(tx, { id: user.id as UserId, role }, { ...body.address, id: newId() }, now());
      if (await enrolNewWorker({ ...context, db: tx, wake: () => {} }, user)) await applyScrubVisibility(tx, user.id);
      const { authToken } = orNotFound(await openSession(tx, user, clientOf(origin), now()));
      return { authToken, user: orNotFound(await readUser(tx, user.id)) };
    });
    wake('mail');
    return signedUp;
  } catch (error) {
    if (violatedConstraint(error) === 'users_email_key') refuse('emailTaken');
    throw error;
  }
}

async function sendSignUpCode(context: Context, email: string, from: string) {
  const { db, now, newId, rateLimits, wake } = context;
  await rateLimits.countCodeMail(from);
  const emailKey = normalizeEmail(email);
  const code = createCode();
  const tooEarly = await transact(db, async (tx) => {
    const account = await findAccountByEmail(tx, emailKey);
    // An address with an account gets a secret that nobody knows, so that guessing its code takes the same time.
    const secret = account ? createToken() : code;
    const nextAt = await saveSignUpCode(tx, emailKey, digest(secret), now(), CODE_RULE);
    if (nextAt) return nextAt;
    const town = await readPublicTown({ ...context, db: tx });
    const mail = account ? accountExistsMail(account.fullname, town) : signUpCodeMail(code, town);
    await queueMail(tx, { id: newId(), recipient: emailKey, ...mail, expiresAt: codeExpiry(now()) }, now());
    return undefined;
  });
  if (tooEarly) {
    const retryAfter = secondsUntil(tooEarly, now());
    const wait = formatWait(retryAfter);
    refuse('tooMany', {
      message: `We have already sent you a code. Check your inbox, or try again in ${wait}.`,
      retryAfter,
    });
  }
  wake('mail');
  return {};
}
