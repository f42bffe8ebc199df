import type { RequestOrigin } from '../../contract/call.ts';
import { normalizeEmail } from '../../domain/accounts.ts';
import { type KnownTraits, readKnownTraits, type Traits } from '../auth/knownDevices.sql.ts';
import { findSignInRestriction } from '../auth/restrictions.sql.ts';
import { verifyPassword } from '../auth/secrets.ts';
import { type Client, clientOf, openSession } from '../auth/sessions.ts';
import {
  type AttemptLimit,
  clearWrongPasswords,
  countWrongPassword,
  FREE_TRIES,
  FREE_TRIES_OF_WIDE_NETWORK,
  readSignInBlock,
  readSignInObstacles,
} from '../auth/signInAttempts.sql.ts';
import type { Context } from '../context.ts';
import { type Tx, transact } from '../db/database.ts';
import { ipNetworksOf, maskedNetworkOf } from '../http/rateLimits.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import { formatWait, secondsUntil } from '../http/waits.ts';
import { newSignInMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { findAccountByEmail, readUser } from './accounts.sql.ts';

/** Free tries of all networks together that the account does not know. */
const FREE_TRIES_OF_STRANGERS = 100;

/**
 * Where a wrong password counts, first the origin itself. A device or network from which the owner has signed in counts
 * alone, so that strangers elsewhere cannot make the owner wait.
 */
function limitsOf(from: string, traits: Traits, known: KnownTraits): readonly [AttemptLimit, ...AttemptLimit[]] {
  if (known.device) return [{ origin: `device ${traits.device}`, free: FREE_TRIES }];
  const own = { origin: `network ${traits.network}`, free: FREE_TRIES };
  if (known.network) return [own];
  const [wide] = ipNetworksOf(from);
  return [
    own,
    ...(wide === traits.network ? [] : [{ origin: `network ${wide}`, free: FREE_TRIES_OF_WIDE_NETWORK }]),
    { origin: 'all', free: FREE_TRIES_OF_STRANGERS },
  ];
}

function refuseBlocked(until: Date | undefined, now: Date): void {
  if (until === undefined) return;
  const retryAfter = secondsUntil(until, now);
  refuse('tooMany', { message: `Too many wrong passwords. Try again in ${formatWait(retryAfter)}.`, retryAfter });
}

type SignInBody = { readonly email: string; readonly password: string };

export async function login(context: Context, body: SignInBody, requestOrigin: RequestOrigin) {
  const { db, now, log, rateLimits } = context;
  const { from } = requestOrigin;
  await rateLimits.countSignIn(from);
  const emailKey = normalizeEmail(body.email);
  const client = clientOf(requestOrigin);
  const account = await findAccountByEmail(db, body.email);
  const limits = limitsOf(from, client.traits, await readKnownTraits(db, account?.id, client.traits));
  const origins = limits.map(({ origin }) => origin);
  refuseBlocked(await readSignInBlock(db, emailKey, origins, now()), now());
  if (!(await verifyPassword(body.password, account?.passwordHash, from)) || !account) {
    log.warn({ from, known: account !== undefined }, 'a sign-in failed');
    refuseBlocked(await countWrongPassword(db, emailKey, limits, now()), now());
    refuse('wrongPassword');
  }
  const signedIn = await transact(db, async (tx) => {
    const session = await openSession(tx, account, client, now());
    // The password was changed meanwhile, so it is wrong now.
    if (!session) refuse('wrongPassword');
    // Parallel guesses may have blocked the origin since the check above: then even a correct one is refused.
    await clearWrongPasswords(tx, emailKey, limits[0].origin, now());
    const obstacles = await readSignInObstacles(tx, { emailKey, origins, userId: account.id }, now());
    if (obstacles.heldReason !== null) await refuseHeldFor({ ...context, db: tx }, obstacles.heldReason);
    refuseBlocked(obstacles.blockedUntil ?? undefined, now());
    if (session.isNewDevice) await queueNewSignInMail(context, tx, account, client);
    return { ...session, user: orNotFound(await readUser(tx, account.id)) };
  });
  if (signedIn.isNewDevice) context.wake('mail');
  return { authToken: signedIn.authToken, user: signedIn.user };
}

type TownContext = Pick<Context, 'now' | 'config'>;

/**
 * Refuses a person with a sign-in restriction and says why, once the password is correct. Lock the person before, because a restriction may be
 * set at the same time.
 */
export async function refuseHeld(context: TownContext, tx: Tx, userId: string): Promise<void> {
  const reason = await findSignInRestriction(tx, userId);
  if (reason !== undefined) await refuseHeldFor({ ...context, db: tx }, reason);
}

async function refuseHeldFor(context: TownContext & { readonly db: Tx }, reason: string): Promise<never> {
  const { supportEmail } = await readPublicTown(context);
  const answer = `To answer, email us at ${supportEmail}.`;
  return refuse('signInHeld', { message: `You cannot sign in now. The reason: ${reason} ${answer}` });
}

async function queueNewSignInMail(
  context: Context,
  tx: Tx,
  { fullname, email }: { fullname: string; email: string },
  { network, browser }: Client,
): Promise<void> {
  const { now, newId } = context;
  const place = { at: now(), browser, network: maskedNetworkOf(network) };
  const mail = newSignInMail(fullname, place, await readPublicTown({ ...context, db: tx }));
  await queueMail(tx, { id: newId(), recipient: email, ...mail }, now());
}
