import type { BudId } from '../../domain/accounts.ts';
import type { Cents } from '../../domain/payments.ts';
import { checkPromoTerms, type PromoVerdict } from '../../domain/promos.ts';
import { digest } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, violatedConstraint } from '../db/database.ts';
import { countTries, type GrowingLimit, type LimitedKey, lockTries, readWaits } from '../http/growingLimits.sql.ts';
import { ipNetworkOf } from '../http/rateLimits.ts';
import { refuse } from '../http/refusals.ts';
import { formatWait, secondsUntil } from '../http/waits.ts';
import {
  countUse,
  findPromo,
  insertUse,
  isForFirstOrder,
  lockFirstOrder,
  type PromoRow,
  readUseFacts,
  saveCardOfUse,
} from './promos.sql.ts';

const HOUR_S = 3_600;
/** Codes that do not exist. Nobody mistypes so often. */
const GUESSES: GrowingLimit = { free: 10, firstWaitS: 60, longestWaitS: HOUR_S, forgottenAfterS: 24 * HOUR_S };
const NETWORK_GUESSES: GrowingLimit = { free: 100, firstWaitS: 60, longestWaitS: 600, forgottenAfterS: HOUR_S };

type LimitContext = Pick<Context, 'db' | 'now' | 'config'>;
type Typing = { readonly bud: BudId; readonly from: string };

function guessesOf({ config }: LimitContext, { bud, from }: Typing): LimitedKey[] {
  const free = Math.ceil(NETWORK_GUESSES.free * config.rateLimitScale);
  return [
    { kind: 'promo codes', key: bud, limit: GUESSES },
    { kind: 'promo codes of a network', key: ipNetworkOf(from), limit: { ...NETWORK_GUESSES, free } },
  ];
}

/** What a code takes off, as an order keeps it. */
export type TakenPromo = { readonly id: string; readonly code: string; readonly discount: Cents };

/** What a code takes off an order of a Bud now. Refuses when it takes off nothing, and whoever guesses codes. */
export async function findDiscount(
  context: LimitContext,
  typing: Typing,
  { code, total }: { readonly code: string; readonly total: Cents },
): Promise<TakenPromo> {
  const { db, now } = context;
  const keys = guessesOf(context, typing);
  // One after the other: of a thousand guesses at once, each sees what the one before has counted.
  const { wait, promo, verdict } = await transact(db, async (tx) => {
    await lockTries(tx, keys, now());
    const [before] = await readWaits(tx, keys, now());
    const found = before ? undefined : await findPromo(tx, code);
    const judged = await judge(tx, found, { bud: typing.bud, total }, now());
    if (!before && !judged.ok && judged.why === 'promoUnknown') await countTries(tx, keys, now());
    return { wait: before, promo: found, verdict: judged };
  });
  if (wait) {
    const retryAfter = secondsUntil(wait.until, now());
    const message = `You have tried many codes that do not exist. Please wait ${formatWait(retryAfter)} and try again`;
    refuse('tooManyCodes', { message, retryAfter });
  }
  const discount = discountOrRefuse(verdict);
  if (!promo) throw new Error('a code that does not exist takes something off');
  return { id: promo.id, code: promo.code, discount };
}

type Wanted = { readonly bud: BudId; readonly total: Cents };

async function judge(tx: Tx, promo: PromoRow | undefined, { bud, total }: Wanted, now: Date): Promise<PromoVerdict> {
  const facts = promo ? await readUseFacts(tx, promo.id, bud) : { usesOfBud: 0, hasOrdered: false };
  return checkPromoTerms(promo, { ...facts, now, total, uses: promo?.uses ?? 0 });
}

function discountOrRefuse(verdict: PromoVerdict): Cents {
  if (verdict.ok) return verdict.discount;
  const { why, message } = verdict;
  return refuse(why, message === undefined ? {} : { message });
}

export type PromoUse = Wanted & { readonly orderId: string; readonly promo: TakenPromo };

/**
 * Takes one use of a code, in the transaction that writes the intent of its order, and refuses when another one was faster. The
 * use is given back by a trigger when the payment ends without a charge.
 */
export async function takeUse(
  tx: Tx,
  { promo, orderId, bud, total }: PromoUse,
  now: Date,
): Promise<() => Promise<void>> {
  await lockFirstOrder(tx, promo.id, bud);
  const verdict = await judge(tx, await countUse(tx, promo.id), { bud, total }, now);
  const discount = discountOrRefuse(verdict);
  if (discount !== promo.discount) refuse('priceChanged');
  return () => insertUse(tx, { orderId, promoId: promo.id, bud, discount }, now);
}

/**
 * Whether a card may pay with the code of an order. One for first orders needs a card that can be told from others, and that no
 * other order has used it with.
 */
export async function judgeCardOfUse(
  { db }: Pick<Context, 'db'>,
  orderId: string,
  fingerprint: string | null,
): Promise<'fine' | 'used' | 'unknown'> {
  if (fingerprint === null) return (await isForFirstOrder(db, orderId)) ? 'unknown' : 'fine';
  try {
    await saveCardOfUse(db, orderId, digest(fingerprint));
    return 'fine';
  } catch (error) {
    if (violatedConstraint(error) !== 'promo_uses_once_a_card') throw error;
    return 'used';
  }
}
