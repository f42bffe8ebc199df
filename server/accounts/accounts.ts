import { type BudId, normalizeEmail, type UserId } from '../../domain/accounts.ts';
import { bandOf } from '../../domain/places.ts';
import { createCode, createToken, digest, hashPassword, isSameDigest, verifyPassword } from '../auth/secrets.ts';
import { deleteSession, insertSession } from '../auth/sessions.sql.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, violatedConstraint } from '../db/database.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { accountExistsMail, signUpCodeMail } from '../notifications/templates.ts';
import { insertAddress, saveDuberPlace, saveScrubPlace } from '../places/places.sql.ts';
import * as sqlOf from './accounts.sql.ts';
import { requestPasswordReset, resetPassword } from './passwordResets.ts';

const DAY_S = 24 * 60 * 60;
const SIGN_IN_RULE = { free: 5, firstWaitS: 30, longestWaitS: 3600 };
const SIGN_UP_CODE_RULE: sqlOf.SignUpCodeRule = {
  lifetimeS: 600,
  maxTries: 5,
  minGapS: 60,
  windowS: DAY_S,
  maxPerWindow: 10,
};
const STALE_CODE_MESSAGE = 'OTP code is invalid or expired';

const secondsUntil = (time: Date, now: Date) => (time.getTime() - now.getTime()) / 1000;

async function createSession(tx: Tx, userId: string, now: Date) {
  const authToken = createToken();
  await insertSession(tx, digest(authToken), userId, now);
  return { authToken, user: orNotFound(await sqlOf.readUser(tx, userId)) };
}

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

export function accountHandlers(deps: Context): AccountCalls {
  const { db, now } = deps;
  const me = async (id: UserId) => orNotFound(await sqlOf.readUser(db, id));
  return {
    login: ({ body, from }) => login(deps, body, from),
    signUp: ({ body, from }) => signUp(deps, body, from),
    sendOtpForEmail: ({ body, from }) => sendSignUpCode(deps, body.email, from),
    forgotPassword: ({ body, from }) => requestPasswordReset(deps, body.email, from),
    resetPassword: ({ body, from }) => resetPassword(deps, body, from),
    session: ({ caller }) => sqlOf.readSessionJson(caller.id),
    logout: async ({ token }) => {
      if (token !== undefined) await deleteSession(db, digest(token));
      return undefined;
    },
    profile: ({ caller }) => me(caller.id),
    updateProfile: async ({ caller, body }) => {
      await sqlOf.updateUser(db, caller.id, { fullname: body.fullname, phone: body.phone });
      return me(caller.id);
    },
    changeVisibility: async ({ caller, body }) => {
      await sqlOf.setScrubVisibility(db, caller.id, body.isActive);
      return { isActive: body.isActive };
    },
  };

  async function login({ log, rateLimits: limits }: Context, body: { email: string; password: string }, from: string) {
    await limits.countSignIn(from);
    const key = normalizeEmail(body.email);
    refuseBlocked(await sqlOf.readSignInBlock(db, key, now()));
    const account = await sqlOf.findAccountByEmail(db, key);
    if (!(await verifyPassword(body.password, account?.password_hash)) || !account) {
      log.warn({ from, known: account !== undefined }, 'a sign-in failed');
      refuseBlocked(await sqlOf.countSignInFailure(db, key, now(), SIGN_IN_RULE));
      refuse('wrongPassword');
    }
    return transact(db, async (tx) => {
      // A right guess among a thousand at once is told only as long as the wrong ones before it were few.
      refuseBlocked(await sqlOf.clearSignInFailuresUnlessBlocked(tx, key, now()));
      return createSession(tx, account.id, now());
    });
  }

  function refuseBlocked(until: Date | undefined): void {
    if (until === undefined) return;
    const message = 'Too many wrong passwords: wait a little and try again';
    refuse('tooMany', { message, retryAfter: secondsUntil(until, now()) });
  }
}

type SignUpBody = Parameters<Handlers['signUp']>[0]['body'];

async function signUp(deps: Context, body: SignUpBody, from: string) {
  const { db, now, newId, rateLimits: limits } = deps;
  await limits.countSecretAttempt(from);
  const key = normalizeEmail(body.email);
  const codeHash = await sqlOf.takeSignUpCodeTry(db, key, now());
  if (!codeHash || !isSameDigest(codeHash, digest(body.emailOtp)))
    refuseProperty('emailOtp', 'isCurrent', STALE_CODE_MESSAGE);
  // Only wrong tries count. The code stays until it is stale, so that using it again tells that there is an account now.
  await sqlOf.returnSignUpCodeTry(db, key, codeHash);
  const passwordHash = await hashPassword(body.password);
  const { fullname, email, role } = body;
  const user = { id: newId(), fullname, email, emailKey: key, phone: body.phone ?? null, role, passwordHash };
  try {
    return await transact(db, async (tx) => {
      await sqlOf.insertUser(tx, user, now());
      await insertAddress(tx, user.id as BudId, { ...body.address, id: newId() }, now());
      if (role === 'Scrub') {
        await saveScrubPlace(tx, user.id, { ...body.address, band: bandOf(body.address.latitude) }, true);
      }
      if (role === 'Duber') await saveDuberPlace(tx, user.id, body.address);
      return createSession(tx, user.id, now());
    });
  } catch (error) {
    if (violatedConstraint(error) === 'users_email_key') refuse('emailTaken');
    throw error;
  }
}

async function sendSignUpCode(
  { db, now, newId, rateLimits: limits, config, wake: nudge }: Context,
  email: string,
  from: string,
) {
  await limits.countCodeMail(from);
  const key = normalizeEmail(email);
  const code = createCode();
  const tooEarly = await transact(db, async (tx) => {
    const known = await sqlOf.findAccountByEmail(tx, key);
    // Nobody is told the code of an address that has an account; a guess at it costs the same time as any other.
    const again = await sqlOf.saveSignUpCode(tx, key, digest(known ? createToken() : code), now(), SIGN_UP_CODE_RULE);
    if (again) return again;
    const letter = known ? accountExistsMail(known.fullname, config) : signUpCodeMail(code, config);
    await queueMail(tx, { id: newId(), recipient: email, ...letter }, now());
    return undefined;
  });
  if (tooEarly) {
    refuse('tooMany', {
      message: 'A code was sent a moment ago: look into your inbox, or wait a little and try again',
      retryAfter: secondsUntil(tooEarly, now()),
    });
  }
  nudge('mail');
  return {};
}
