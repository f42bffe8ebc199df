import { type BudId, emailKey, type UserId } from '../../domain/accounts.ts';
import { bandOf } from '../../domain/places.ts';
import { digest, hashPassword, isPassword, newCode, newToken, sameDigest } from '../auth/secrets.ts';
import { deleteSession, insertSession } from '../auth/sessions.sql.ts';
import type { Deps } from '../context.ts';
import { brokenConstraint, type Tx, transact } from '../db/database.ts';
import { found, refuse, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { queueMail } from '../mail/mail.sql.ts';
import { accountExistsMail, codeMail } from '../mail/templates.ts';
import { insertAddress, putDuberPlace, putScrubPlace } from '../places/places.sql.ts';
import * as sqlOf from './accounts.sql.ts';
import { askForResetLink, resetPassword } from './passwordResets.ts';

const DAY_S = 24 * 60 * 60;
const SIGN_IN_RULE = { free: 5, firstWaitS: 30, longestWaitS: 3600 };
const CODE_RULE: sqlOf.CodeRule = { lifetimeS: 600, tries: 5, gapS: 60, windowS: DAY_S, inWindow: 10 };
const STALE_CODE = 'OTP code is invalid or expired';

const secondsUntil = (time: Date, now: Date) => (time.getTime() - now.getTime()) / 1000;

async function openSession(tx: Tx, userId: string, now: Date) {
  const authToken = newToken();
  await insertSession(tx, digest(authToken), userId, now);
  return { authToken, user: found(await sqlOf.readUser(tx, userId)) };
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

export function accountHandlers(deps: Deps): AccountCalls {
  const { db, now } = deps;
  const me = async (id: UserId) => found(await sqlOf.readUser(db, id));
  return {
    login: ({ body, from }) => login(deps, body, from),
    signUp: ({ body, from }) => signUp(deps, body, from),
    sendOtpForEmail: ({ body, from }) => sendCode(deps, body.email, from),
    forgotPassword: ({ body, from }) => askForResetLink(deps, body.email, from),
    resetPassword: ({ body, from }) => resetPassword(deps, body, from),
    session: ({ caller }) => sqlOf.showSession(caller.id),
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
      await sqlOf.setVisibility(db, caller.id, body.isActive);
      return { isActive: body.isActive };
    },
  };

  async function login({ log, limits }: Deps, body: { email: string; password: string }, from: string) {
    await limits.signIn(from);
    const key = emailKey(body.email);
    refuseBlocked(await sqlOf.blockedUntil(db, key, now()));
    const account = await sqlOf.accountByEmail(db, key);
    if (!(await isPassword(body.password, account?.password_hash)) || !account) {
      log.warn({ from, known: account !== undefined }, 'a sign-in failed');
      refuseBlocked(await sqlOf.countFailure(db, key, now(), SIGN_IN_RULE));
      refuse('wrongPassword');
    }
    return transact(db, async (tx) => {
      // A right guess among a thousand at once is told only as long as the wrong ones before it were few.
      refuseBlocked(await sqlOf.forgetFailures(tx, key, now()));
      return openSession(tx, account.id, now());
    });
  }

  function refuseBlocked(until: Date | undefined): void {
    if (until === undefined) return;
    const message = 'Too many wrong passwords: wait a little and try again';
    refuse('tooMany', { message, retryAfter: secondsUntil(until, now()) });
  }
}

type SignUpBody = Parameters<Handlers['signUp']>[0]['body'];

async function signUp(deps: Deps, body: SignUpBody, from: string) {
  const { db, now, newId, limits } = deps;
  await limits.secret(from);
  const key = emailKey(body.email);
  const codeHash = await sqlOf.takeCodeTry(db, key, now());
  if (!codeHash || !sameDigest(codeHash, digest(body.emailOtp))) refuseProperty('emailOtp', 'isCurrent', STALE_CODE);
  // Only wrong tries count. The code stays until it is stale, so that using it again tells that there is an account now.
  await sqlOf.giveCodeTryBack(db, key, codeHash);
  const passwordHash = await hashPassword(body.password);
  const { fullname, email, role } = body;
  const user = { id: newId(), fullname, email, emailKey: key, phone: body.phone ?? null, role, passwordHash };
  try {
    return await transact(db, async (tx) => {
      await sqlOf.insertUser(tx, user, now());
      await insertAddress(tx, user.id as BudId, { ...body.address, id: newId() }, now());
      if (role === 'Scrub') {
        await putScrubPlace(tx, user.id, { ...body.address, band: bandOf(body.address.latitude) }, true);
      }
      if (role === 'Duber') await putDuberPlace(tx, user.id, body.address);
      return openSession(tx, user.id, now());
    });
  } catch (error) {
    if (brokenConstraint(error) === 'users_email_key') refuse('emailTaken');
    throw error;
  }
}

async function sendCode({ db, now, newId, limits, config, nudge }: Deps, email: string, from: string) {
  await limits.code(from);
  const key = emailKey(email);
  const code = newCode();
  const tooEarly = await transact(db, async (tx) => {
    const known = await sqlOf.accountByEmail(tx, key);
    // Nobody is told the code of an address that has an account; a guess at it costs the same time as any other.
    const again = await sqlOf.writeCode(tx, key, digest(known ? newToken() : code), now(), CODE_RULE);
    if (again) return again;
    const letter = known ? accountExistsMail(known.fullname, config) : codeMail(code, config);
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
