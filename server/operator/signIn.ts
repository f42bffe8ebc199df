import type { RequestOrigin } from '../../contract/call.ts';
import type { UsedPasskey } from '../../contract/operator/passkeys.ts';
import { normalizeEmail } from '../../domain/accounts.ts';
import { verifyPassword } from '../auth/secrets.ts';
import { clientOf } from '../auth/sessions.ts';
import {
  type AttemptLimit,
  clearWrongPasswords,
  countWrongPassword,
  FREE_TRIES,
  FREE_TRIES_OF_WIDE_NETWORK,
  readSignInBlock,
} from '../auth/signInAttempts.sql.ts';
import { transact } from '../db/database.ts';
import { ipNetworksOf, maskedNetworkOf } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import { formatWait, secondsUntil } from '../http/waits.ts';
import { operatorSignInMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import type { ConsoleContext, OperatorHandlers, SignedInOperator } from '../operatorContext.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import {
  endOperatorSession,
  endSessionsOf,
  findOperatorByEmail,
  hasOtherOperators,
  isKnownNetwork,
  keepSecondFactor,
  type OperatorAccount,
  touchOperatorSession,
} from './operators.sql.ts';
import { consumePasskey, listUsablePasskeys, requestPasskey } from './passkeys.ts';
import { consumeCode } from './secondFactor.ts';
import { answerSignedIn, openSession, viewSession } from './sessions.ts';

type SignInCalls = Pick<
  OperatorHandlers,
  | 'operatorSignIn'
  | 'readOperatorSession'
  | 'operatorSignOut'
  | 'enterCode'
  | 'beginPasskeySignIn'
  | 'beginPasskeyEntry'
  | 'enterPasskey'
>;

/** Free tries of all networks together: so many of a million codes can be tried with a known password. */
const FREE_TRIES_OF_ALL = 50;

type Tries = { readonly key: string; readonly limits: readonly [AttemptLimit, ...AttemptLimit[]] };

/**
 * Wrong passwords and wrong codes count together. The key differs from that of a person with the same address. A network from
 * which the operator has signed in counts alone: strangers elsewhere cannot make them wait there.
 */
function triesOf(
  email: string,
  { from, network, isKnown }: { from: string; network: string; isKnown: boolean },
): Tries {
  const own = { origin: `network ${network}`, free: FREE_TRIES };
  const [wide] = ipNetworksOf(from);
  const others = [
    ...(wide === undefined || wide === network
      ? []
      : [{ origin: `network ${wide}`, free: FREE_TRIES_OF_WIDE_NETWORK }]),
    { origin: 'all', free: FREE_TRIES_OF_ALL },
  ];
  return { key: `operator ${normalizeEmail(email)}`, limits: isKnown ? [own] : [own, ...others] };
}

/** Codes in a session: its token was checked, so only its holder can use these tries up. */
const triesOfSession = ({ tokenHash }: SignedInOperator['session']): Tries => ({
  key: `operator session ${tokenHash.toString('base64url')}`,
  limits: [{ origin: 'session', free: FREE_TRIES }],
});

async function refuseBlocked({ now }: ConsoleContext, until: Date | undefined): Promise<void> {
  if (until === undefined) return;
  const retryAfter = secondsUntil(until, now());
  refuse('tooMany', { message: `Too many wrong tries. Try again in ${formatWait(retryAfter)}.`, retryAfter });
}

/** Runs `check`, and counts it when it fails. Only a code, which comes last, lets the network forget its wrong tries. */
async function limitTries(
  context: ConsoleContext,
  { key, limits, isLast }: Tries & { isLast: boolean },
  check: () => Promise<boolean>,
): Promise<boolean> {
  const { db, now } = context;
  const origins = limits.map(({ origin }) => origin);
  await refuseBlocked(context, await readSignInBlock(db, key, origins, now()));
  if (await check()) {
    if (isLast) await clearWrongPasswords(db, key, limits[0].origin, now());
    // Parallel guesses may have blocked the origin meanwhile: then even a correct one is refused.
    await refuseBlocked(context, await readSignInBlock(db, key, origins, now()));
    return true;
  }
  await refuseBlocked(context, await countWrongPassword(db, key, limits, now()));
  return false;
}

/** The account of a right password, and how often a second factor may be wrong. Refuses a wrong password. */
async function checkPassword(
  context: ConsoleContext,
  { email, password }: { email: string; password: string },
  origin: RequestOrigin,
): Promise<{ account: OperatorAccount; tries: Tries }> {
  const { db, log, rateLimits, config } = context;
  const { from } = origin;
  await rateLimits.countSignIn(from);
  const found = await findOperatorByEmail(db, normalizeEmail(email));
  const account = found && (config.demo || !found.isDemo) ? found : undefined;
  const { network } = clientOf(origin);
  const isKnown = account !== undefined && (await isKnownNetwork(db, account.id, network));
  const tries = triesOf(email, { from, network, isKnown });
  const isRight = await limitTries(context, { ...tries, isLast: false }, () =>
    verifyPassword(password, account?.passwordHash, from),
  );
  if (isRight && account) return { account, tries };
  log.warn({ from, known: account !== undefined }, 'an operator could not sign in');
  refuse('wrongPassword');
}

/** Refuses without the code of the authenticator app or one of the passkeys. */
async function checkSecondFactor(
  context: ConsoleContext,
  operatorId: string,
  { code, passkey: used }: { code?: string | undefined; passkey?: UsedPasskey | undefined },
  { purpose, ...tries }: Tries & { purpose: 'sign-in' | 'step-up' },
): Promise<void> {
  const { db, sealer, now } = context;
  if (used !== undefined) {
    const check = () => consumePasskey(context, { operatorId, purpose, used });
    if (!(await limitTries(context, { ...tries, isLast: true }, check))) refuse('wrongPasskey');
  } else if (code !== undefined) {
    const check = () => consumeCode(db, sealer, { operatorId, code, now: now() });
    if (!(await limitTries(context, { ...tries, isLast: true }, check))) refuse('wrongCode');
  } else {
    const passkeys = await listUsablePasskeys(context, operatorId);
    refuse(passkeys.length > 0 ? 'codeOrPasskeyNeeded' : 'codeNeeded');
  }
}

/** Opens the session of an operator whose password and second factor were checked, in a transaction. */
async function openCheckedSession(context: ConsoleContext, account: OperatorAccount, origin: RequestOrigin) {
  const { db: tx, now, newId } = context;
  // Somebody may have reset the second factor since it was checked: what they took away opens no session.
  if (!account.isDemo && !(await keepSecondFactor(tx, account.id))) refuse('wrongPassword');
  const session = await openSession(context, account.id, origin);
  if (session.isNewBrowser && !account.isDemo) {
    const hasOthers = await hasOtherOperators(tx);
    const place = { at: now(), browser: session.browser, network: maskedNetworkOf(session.network), hasOthers };
    const mail = operatorSignInMail(account.fullname, place, await readPublicTown(context));
    await queueMail(tx, { id: newId(), recipient: account.email, ...mail }, now());
  }
  return answerSignedIn(context, session.authToken);
}

export function signInHandlers(context: ConsoleContext): SignInCalls {
  const { db, now } = context;
  return {
    operatorSignIn: async ({ body: { email, password, ...factors }, ...origin }) => {
      const { account, tries } = await checkPassword(context, { email, password }, origin);
      if (!account.isDemo) await checkSecondFactor(context, account.id, factors, { ...tries, purpose: 'sign-in' });
      const signedIn = await transact(db, (tx) => openCheckedSession({ ...context, db: tx }, account, origin));
      context.wake('mail');
      return signedIn;
    },
    readOperatorSession: async ({ operator }) => viewSession(operator.session),
    operatorSignOut: async ({ operator: { id, session }, body: { everywhere = false } }) => {
      if (everywhere) await endSessionsOf(db, id, now());
      else await endOperatorSession(db, session.tokenHash, now());
      return undefined;
    },
    enterCode: async ({ operator: { id, session }, body: { code } }) => {
      if (!session.isDemo)
        await checkSecondFactor(context, id, { code }, { ...triesOfSession(session), purpose: 'step-up' });
      await touchOperatorSession(db, session.tokenHash, { code_at: now() });
      return {};
    },
    beginPasskeySignIn: async ({ body, ...origin }) => {
      const { account } = await checkPassword(context, body, origin);
      return (await requestPasskey(context, account.id, 'sign-in')) ?? refuse('noPasskey');
    },
    beginPasskeyEntry: async ({ operator: { id } }) =>
      (await requestPasskey(context, id, 'step-up')) ?? refuse('noPasskey'),
    enterPasskey: async ({ operator: { id, session }, body: { passkey } }) => {
      await checkSecondFactor(context, id, { passkey }, { ...triesOfSession(session), purpose: 'step-up' });
      await touchOperatorSession(db, session.tokenHash, { code_at: now() });
      return {};
    },
  };
}
