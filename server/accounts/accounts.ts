import { normalizeEmail, type UserId } from '../../domain/accounts.ts';
import { createCode, createToken, digest, hashPassword, isSameDigest, verifyPassword } from '../auth/secrets.ts';
import { deleteSession, insertSession } from '../auth/sessions.sql.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, violatedConstraint } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { accountExistsMail, signUpCodeMail } from '../notifications/templates.ts';
import { addFirstAddress } from '../places/places.ts';
import {
  clearSignInFailuresUnlessBlocked,
  countSignInFailure,
  findAccountByEmail,
  insertUser,
  readSessionJson,
  readSignInBlock,
  readUser,
  returnSignUpCodeTry,
  type SignUpCodeRule,
  saveSignUpCode,
  setScrubVisibility,
  takeSignUpCodeTry,
  updateUser,
} from './accounts.sql.ts';
import { requestPasswordReset, resetPassword } from './passwordResets.ts';

const DAY_S = 24 * 60 * 60;
const SIGN_IN_RULE = { free: 5, firstWaitS: 30, longestWaitS: 3600 };
const SIGN_UP_CODE_RULE: SignUpCodeRule = {
  lifetimeS: 600,
  maxTries: 5,
  minGapS: 60,
  windowS: DAY_S,
  maxPerWindow: 10,
};
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

export function accountHandlers(context: Context): AccountCalls {
  const { db } = context;
  const readProfile = async (id: UserId) => orNotFound(await readUser(db, id));
  return {
    login: ({ body, from }) => login(context, body, from),
    signUp: ({ body, from }) => signUp(context, body, from),
    sendOtpForEmail: ({ body, from }) => sendSignUpCode(context, body.email, from),
    forgotPassword: ({ body, from }) => requestPasswordReset(context, body.email, from),
    resetPassword: ({ body, from }) => resetPassword(context, body, from),
    session: ({ caller }) => readSessionJson(caller.id),
    logout: async ({ token }) => {
      if (token !== undefined) await deleteSession(db, digest(token));
      return undefined;
    },
    profile: ({ caller }) => readProfile(caller.id),
    updateProfile: async ({ caller, body }) => {
      await updateUser(db, caller.id, { fullname: body.fullname, phone: body.phone });
      return readProfile(caller.id);
    },
    changeVisibility: async ({ caller, body }) => {
      await setScrubVisibility(db, caller.id, body.isActive);
      return { isActive: body.isActive };
    },
  };
}

async function createSession(tx: Tx, userId: string, now: Date) {
  const authToken = createToken();
  await insertSession(tx, digest(authToken), userId, now);
  return { authToken, user: orNotFound(await readUser(tx, userId)) };
}

const secondsUntil = (time: Date, now: Date) => (time.getTime() - now.getTime()) / 1000;

async function login({ db, now, log, rateLimits }: Context, body: { email: string; password: string }, from: string) {
  const refuseBlocked = (until: Date | undefined) => {
    if (until === undefined) return;
    const message = 'Too many wrong passwords: wait a little and try again';
    refuse('tooMany', { message, retryAfter: secondsUntil(until, now()) });
  };
  await rateLimits.countSignIn(from);
  const emailKey = normalizeEmail(body.email);
  refuseBlocked(await readSignInBlock(db, emailKey, now()));
  const account = await findAccountByEmail(db, emailKey);
  if (!(await verifyPassword(body.password, account?.passwordHash)) || !account) {
    log.warn({ from, known: account !== undefined }, 'a sign-in failed');
    refuseBlocked(await countSignInFailure(db, emailKey, now(), SIGN_IN_RULE));
    refuse('wrongPassword');
  }
  return transact(db, async (tx) => {
    // Parallel guesses may have blocked the address since the check above: then even a right one is refused.
    refuseBlocked(await clearSignInFailuresUnlessBlocked(tx, emailKey, now()));
    return createSession(tx, account.id, now());
  });
}

type SignUpBody = Parameters<Handlers['signUp']>[0]['body'];

async function signUp({ db, now, newId, rateLimits }: Context, body: SignUpBody, from: string) {
  await rateLimits.countSecretAttempt(from);
  const emailKey = normalizeEmail(body.email);
  const codeHash = await takeSignUpCodeTry(db, emailKey, now());
  if (!codeHash || !isSameDigest(codeHash, digest(body.emailOtp)))
    refuseProperty('emailOtp', 'isCurrent', STALE_CODE_MESSAGE);
  // Only wrong tries count. The code stays valid, so that using it again answers that the account exists now.
  await returnSignUpCodeTry(db, emailKey, codeHash);
  const passwordHash = await hashPassword(body.password);
  const { fullname, email, role } = body;
  const user = { id: newId(), fullname, email, emailKey, phone: body.phone ?? null, role, passwordHash };
  try {
    return await transact(db, async (tx) => {
      await insertUser(tx, user, now());
      await addFirstAddress(tx, { id: user.id as UserId, role }, { ...body.address, id: newId() }, now());
      return createSession(tx, user.id, now());
    });
  } catch (error) {
    if (violatedConstraint(error) === 'users_email_key') refuse('emailTaken');
    throw error;
  }
}

async function sendSignUpCode({ db, now, newId, rateLimits, config, wake }: Context, email: string, from: string) {
  await rateLimits.countCodeMail(from);
  const emailKey = normalizeEmail(email);
  const code = createCode();
  const tooEarly = await transact(db, async (tx) => {
    const account = await findAccountByEmail(tx, emailKey);
    // An address with an account gets a secret that nobody knows, so that guessing its code takes the same time.
    const secret = account ? createToken() : code;
    const nextAt = await saveSignUpCode(tx, emailKey, digest(secret), now(), SIGN_UP_CODE_RULE);
    if (nextAt) return nextAt;
    const mail = account ? accountExistsMail(account.fullname, config) : signUpCodeMail(code, config);
    await queueMail(tx, { id: newId(), recipient: email, ...mail }, now());
    return undefined;
  });
  if (tooEarly) {
    refuse('tooMany', {
      message: 'A code was sent a moment ago: look into your inbox, or wait a little and try again',
      retryAfter: secondsUntil(tooEarly, now()),
    });
  }
  wake('mail');
  return {};
}
