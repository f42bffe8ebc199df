import type { UserId } from '../../domain/accounts.ts';
import type { Context } from '../context.ts';
import { clearRateLimit, incrementRateLimit } from '../http/rateLimits.sql.ts';
import { orNotFound, refuse, refuseProperty } from '../http/refusals.ts';
import { formatWait, secondsUntil } from '../http/waits.ts';
import { readCredentials } from './credentials.sql.ts';
import { verifyPassword } from './secrets.ts';

/** Wrong passwords only; a correct one resets the count. */
const WRONG_PASSWORD_LIMIT = { periodMs: 60 * 60_000, most: 5 };

export type TypedPassword = {
  readonly userId: UserId;
  readonly password: string;
  /** The property of the request that has the password. */
  readonly property: string;
  /** The IP address of the client. */
  readonly from: string;
};

/**
 * Checks that a signed-in user typed their password, and returns the account. Guesses are counted apart from those at
 * sign-in: nobody without the session can use up the owner's tries.
 */
export async function checkCurrentPassword(context: Context, { userId, password, property, from }: TypedPassword) {
  const { db, now, log, rateLimits } = context;
  await rateLimits.countSignIn(from);
  const limit = { kind: 'current-password', network: userId };
  // Counted before it is verified, so that parallel guesses cannot exceed the limit.
  const { count, endsAt } = await incrementRateLimit(db, limit, now(), WRONG_PASSWORD_LIMIT);
  if (count > WRONG_PASSWORD_LIMIT.most) {
    const retryAfter = secondsUntil(endsAt, now());
    const wait = formatWait(retryAfter);
    refuse('tooMany', {
      message: `Too many wrong passwords. Try again in ${wait}, or sign out and reset your password.`,
      retryAfter,
    });
  }
  const account = orNotFound(await readCredentials(db, userId));
  if (!(await verifyPassword(password, account.passwordHash, from))) {
    log.warn({ from }, 'a signed-in user typed a wrong password');
    refuseProperty(property, 'isCurrent', 'The current password is wrong');
  }
  await clearRateLimit(db, limit);
  return account;
}
