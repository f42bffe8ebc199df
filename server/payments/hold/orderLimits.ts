import type { BudId } from '../../../domain/accounts.ts';
import { digest } from '../../auth/secrets.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Late } from '../../db/driver.ts';
import {
  askForWaits,
  askToCount,
  countTries,
  type GrowingLimit,
  type LimitedKey,
  lowerCount,
  readWaits,
  type Wait,
} from '../../http/growingLimits.sql.ts';
import { ipNetworkOf } from '../../http/rateLimits.ts';
import { Refusal, refuse } from '../../http/refusals.ts';
import { formatWait, secondsUntil } from '../../http/waits.ts';
import { createKeyedQueue } from './keyedQueue.ts';

// Limits on placing orders that nobody meets by hand: they stop the testing of stolen cards, and floods of requests to
// a Scrub. What happened is counted afterwards, so a Bud's parallel requests take turns at the card network: of 300 at once,
// only the few whose turn it is can exceed a limit.

const HOUR_S = 3_600;

/** More than Square's published tokens, so that a developer can try them all. */
const DECLINES: GrowingLimit = { free: 15, firstWaitS: 60, longestWaitS: HOUR_S, forgottenAfterS: 24 * HOUR_S };
const CARD_DECLINES: GrowingLimit = { ...DECLINES, free: 5 };
/** Shared by everyone behind one address, so it is higher and its waits are shorter. */
const NETWORK_DECLINES: GrowingLimit = { free: 100, firstWaitS: 60, longestWaitS: 600, forgottenAfterS: HOUR_S };
/** Requests that the Bud took back. */
const CANCELLATIONS: GrowingLimit = { free: 30, firstWaitS: 60, longestWaitS: HOUR_S, forgottenAfterS: 6 * HOUR_S };
/** Orders of a Bud that no Scrub accepted. */
const PLACEMENTS: GrowingLimit = { free: 200, firstWaitS: 60, longestWaitS: HOUR_S, forgottenAfterS: 6 * HOUR_S };

const DECLINE_KIND = 'declines';
const NETWORK_KIND = 'declines of a network';
const CARD_KIND = 'declines of a card';
const CANCELLATION_KIND = 'cancellations';
const PLACEMENT_KIND = 'placements';

const cancellationsOf = (bud: string): LimitedKey => ({ kind: CANCELLATION_KIND, key: bud, limit: CANCELLATIONS });
const placementsOf = (bud: string): LimitedKey => ({ kind: PLACEMENT_KIND, key: bud, limit: PLACEMENTS });

// Only a digest is stored: whether a card is the same is all that a limit needs.
const declinesOfCard = (fingerprint: string): LimitedKey => ({
  kind: CARD_KIND,
  key: digest(fingerprint).toString('base64url'),
  limit: CARD_DECLINES,
});

type LimitContext = Pick<Context, 'db' | 'now' | 'config'>;

/** Who places an order, and from which IP address. */
export type Placer = { readonly bud: BudId; readonly from: string };

function declinesOf({ config }: LimitContext, { bud, from }: Placer): LimitedKey[] {
  const free = Math.ceil(NETWORK_DECLINES.free * config.rateLimitScale);
  return [
    { kind: DECLINE_KIND, key: bud, limit: DECLINES },
    { kind: NETWORK_KIND, key: ipNetworkOf(from), limit: { ...NETWORK_DECLINES, free } },
  ];
}

const MAX_AT_CARD_NETWORK = 3;
const MAX_WAITING = 200;
const QUEUE_RETRY_S = 5;
const queue = createKeyedQueue(MAX_AT_CARD_NETWORK, MAX_WAITING);

/** Runs `work` when it is the Bud's turn at the card network. Refuses with `tooMany` when too many are waiting. */
export const runInTurn = <T>(
  bud: BudId,
  work: (hasWaited: boolean) => Promise<T>,
  tooMany: 'tooManyOrders' | 'cardNetworkAway' = 'tooManyOrders',
): Promise<T> => queue(bud, work, () => refuse(tooMany, { retryAfter: QUEUE_RETRY_S }));

/** Asks why a Bud has to wait before placing another order, as an error to throw. Undefined when they need not wait. */
export async function askForPlacingLimit(context: LimitContext, placing: Placer): Promise<Late<Refusal | undefined>> {
  const { db, now } = context;
  const keys = [...declinesOf(context, placing), cancellationsOf(placing.bud), placementsOf(placing.bud)];
  const waits = await askForWaits(db, keys, now());
  return async () => {
    const [wait] = await waits();
    return wait && tooManyOrders(wait, now());
  };
}

function tooManyOrders(wait: Wait, now: Date): Refusal {
  const retryAfter = secondsUntil(wait.until, now);
  const words = `Please wait ${formatWait(retryAfter)} and try again`;
  if (wait.kind === CANCELLATION_KIND) {
    const message = `You have cancelled many orders. ${words}`;
    return new Refusal('tooManyOrders', { message, retryAfter });
  }
  if (wait.kind === PLACEMENT_KIND) {
    const message = `You have placed many orders that no Scrub has accepted. ${words}`;
    return new Refusal('tooManyOrders', { message, retryAfter });
  }
  return tooManyDeclines(retryAfter);
}

/** Why a Bud has to wait before trying another card, as an error to throw. Undefined when they need not wait. */
export async function findDeclineLimit(context: LimitContext, placing: Placer): Promise<Refusal | undefined> {
  const [wait] = await readWaits(context.db, declinesOf(context, placing), context.now());
  return wait && tooManyDeclines(secondsUntil(wait.until, context.now()));
}

const tooManyDeclines = (retryAfter: number) =>
  new Refusal('tooManyDeclines', {
    message: `Too many declined cards. Please wait ${formatWait(retryAfter)} and try again`,
    retryAfter,
  });

/** Counts a declined card for its Bud and their network. */
export async function countDecline(context: LimitContext, placing: Placer): Promise<void> {
  await countTries(context.db, declinesOf(context, placing), context.now());
}

/** Counts an order that was placed, with the next statement of the connection. */
export async function countPlacement({ db, now }: LimitContext, bud: BudId): Promise<void> {
  await askToCount(db, [placementsOf(bud)], now());
}

/** Counts a request that its Bud took back. */
export async function countCancellation(tx: Tx, bud: string, now: Date): Promise<void> {
  await askToCount(tx, [cancellationsOf(bud)], now);
}

/** Counts a decline of a card, no matter for whom. Returns false when the card was already waiting. */
export async function countCardDecline({ db, now }: LimitContext, fingerprint: string): Promise<boolean> {
  return (await countTries(db, [declinesOfCard(fingerprint)], now())) > 0;
}

/** Whether a card was declined so often that it has to wait. */
export async function isCardBlocked({ db, now }: LimitContext, fingerprint: string): Promise<boolean> {
  return (await readWaits(db, [declinesOfCard(fingerprint)], now())).length > 0;
}

/** Refuses a card that has to wait. The answer does not say whether the card network approved it. */
export async function refuseBlockedCard({ db, now }: LimitContext, fingerprint: string): Promise<never> {
  const [wait] = await readWaits(db, [declinesOfCard(fingerprint)], now());
  const retryAfter = secondsUntil(wait?.until ?? now(), now());
  const message = `This card was declined too often. Please wait ${formatWait(retryAfter)}, or use another card`;
  refuse('tooManyDeclines', { message, retryAfter });
}

/** An accepted order does not count. */
export const uncountPlacement = (tx: Tx, bud: string): Promise<void> =>
  lowerCount(tx, { kind: PLACEMENT_KIND, key: bud });
