import { normalizeEmail } from '../../domain/accounts.ts';
import { verifyPassword } from '../auth/secrets.ts';
import { clientOf } from '../auth/sessions.ts';
import {
  type AttemptLimit,
  clearWrongPasswords,
  countWrongPassword,
  readSignInBlock,
} from '../auth/signInAttempts.sql.ts';
import { transact } from '../db/database.ts';
import { ipNetworksOf, maskedNetworkOf } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import { formatWait, secondsUntil } from '../http/waits.ts';
import { operatorSignInMail } from '../notifications/accountMails.ts';
import { queueMail } from '../notifications/outbox.sql.ts';
import type { ConsoleContext, OperatorHandlers, SignedInOperator } from './operatorContext.ts';
import {
  endOperatorSession,
  endSessionsOf,
  findOperatorByEmail,
  isKnownNetwork,
  touchOperatorSession,
} from './operators.sql.ts';
import { consumeCode } from './secondFactor.ts';
import { answerSignedIn, openSession, viewSession } from './sessions.ts';

type SignInCalls = Pick<OperatorHandlers, 'operatorSignIn' | 'readOperatorSession' | 'operatorSignOut' | 'enterCode'>;

const WAIT_RULE = { firstWaitS: 30, longestWaitS: 3600 };
const FREE_TRIES = 5;
/** Of all networks together: so many of a million codes can be tried with a known password. */
const FREE_TRIES_OF_ALL = 50;

/** Of all /64s in a /48 of IPv6. */
const FREE_TRIES_OF_WIDE_NETWORK = 20;

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

export function signInHandlers(context: ConsoleContext): SignInCalls {
  const { db, now, log, sealer, rateLimits, config } = context;

  async function refuseBlocked(until: Date | undefined): Promise<void> {
    if (until === undefined) return;
    const retryAfter = secondsUntil(until, now());
    refuse('tooMany', { message: `Too many wrong tries. Try again in ${formatWait(retryAfter)}.`, retryAfter });
  }

  /** Runs `check`, and counts it when it fails. Only a code, which comes last, lets the network forget its wrong tries. */
  async function limitTries(
    { key, limits, isLast }: Tries & { isLast: boolean },
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const origins = limits.map(({ origin }) => origin);
    await refuseBlocked(await readSignInBlock(db, key, origins, now()));
    if (await check()) {
      if (isLast) await clearWrongPasswords(db, key, limits[0].origin, now());
      // Parallel guesses may have blocked the origin meanwhile: then even a correct one is refused.
      await refuseBlocked(await readSignInBlock(db, key, origins, now()));
      return true;
    }
    await refuseBlocked(await countWrongPassword(db, key, limits, now(), WAIT_RULE));
    return false;
  }

  return {
    operatorSignIn: async ({ body: { email, password, code }, ...origin }) => {
      const { from } = origin;
      await rateLimits.countSignIn(from);
      const found = await findOperatorByEmail(db, normalizeEmail(email));
      const account = found && (config.demo || !found.isDemo) ? found : undefined;
      const { network } = clientOf(origin);
      const isKnown = account !== undefined && (await isKnownNetwork(db, account.id, network));
      const tries = triesOf(email, { from, network, isKnown });
      const isRight = await limitTries({ ...tries, isLast: false }, () =>
        verifyPassword(password, account?.passwordHash, from),
      );
      if (!isRight || !account) {
        log.warn({ from, known: account !== undefined }, 'an operator could not sign in');
        refuse('wrongPassword');
      }
      if (!account.isDemo) {
        if (code === undefined) refuse('codeNeeded');
        const check = () => consumeCode(db, sealer, { operatorId: account.id, code, now: now() });
        if (!(await limitTries({ ...tries, isLast: true }, check))) refuse('wrongCode');
      }
      const signedIn = await transact(db, async (tx) => {
        const session = await openSession({ ...context, db: tx }, account.id, origin);
        if (session.isNewBrowser && !account.isDemo) {
          const place = { at: now(), browser: session.browser, network: maskedNetworkOf(session.network) };
          const mail = operatorSignInMail(account.fullname, place, config);
          await queueMail(tx, { id: context.newId(), recipient: account.email, ...mail }, now());
        }
        return answerSignedIn({ ...context, db: tx }, session.authToken);
      });
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
      const check = async () => session.isDemo || consumeCode(db, sealer, { operatorId: id, code, now: now() });
      if (!(await limitTries({ ...triesOfSession(session), isLast: true }, check))) refuse('wrongCode');
      await touchOperatorSession(db, session.tokenHash, { code_at: now() });
      return {};
    },
  };
}
