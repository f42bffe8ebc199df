import { priceOf } from '../../domain/payments.ts';
import { distanceInMeters, NEARBY_RADIUS_M } from '../../domain/places.ts';
import { digest } from '../auth/secrets.ts';
import type { Deps } from '../context.ts';
import { brokenConstraint } from '../db/database.ts';
import type { Ready } from '../db/json.sql.ts';
import { found, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { CardNetworkAway } from '../payments/cards.ts';
import {
  markDeclined,
  type PaymentRow,
  paymentByKey,
  releaseLateHold,
  renewIntent,
  writeIntent,
} from '../payments/payments.sql.ts';
import { tariffOf } from '../payments/prices.sql.ts';
import { type NewOrder, showOrder } from './orders.sql.ts';
import { placeHeld, readGround } from './placeOrder.sql.ts';

type Asked = Parameters<Handlers['placeOrder']>[0];

const ABANDONED_AFTER_MS = 90_000;
const RETRY_AFTER_S = 5;

/**
 * Places an order: the intent is committed, then the card network is asked, then the order is committed with its hold.
 * The same Idempotency-Key resumes where an earlier try stopped, and asks the card network under the same key.
 */
export async function placeOrder(deps: Deps, asked: Asked): Promise<Ready> {
  const earlier = await intentOfKey(deps, asked);
  const intent = earlier ?? (await newIntent(deps, asked));
  const mayFinish = intent.state === 'holding' && (!earlier || (await renew(deps, intent)));
  if (mayFinish) await finishHold(deps, intent);
  const { caller } = asked;
  // No order after all: the hold came too late and is being released.
  return (
    (await showOrder(caller, intent.orderId, deps.now()).ask(deps.db)) ??
    refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S })
  );
}

// What is under way must not be given up before its answer can have come.
const renew = ({ db, now }: Deps, { orderId }: PaymentRow) =>
  renewIntent(db, orderId, new Date(now().getTime() + ABANDONED_AFTER_MS), now());

// The card token is left out: it is used once, and a new try of the same order brings a new one.
const bodyHash = ({ paymentSourceId: _token, verificationToken: _proof, ...rest }: Asked['body']) =>
  digest(JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))));

async function intentOfKey({ db }: Deps, { caller, body, idempotencyKey }: Asked): Promise<PaymentRow | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const intent = await paymentByKey(db, caller.id, idempotencyKey);
  if (intent && intent.bodyHash?.equals(bodyHash(body)) !== true) refuse('keyReused');
  return intent;
}

async function newIntent(deps: Deps, asked: Asked): Promise<PaymentRow> {
  const { db, now } = deps;
  const { caller, body, idempotencyKey } = asked;
  const draft = await draftOrder(deps, asked);
  const time = now();
  try {
    return await writeIntent(
      db,
      {
        draft,
        budId: caller.id,
        sourceId: body.paymentSourceId,
        verificationToken: body.verificationToken ?? null,
        idempotencyKey: idempotencyKey ?? null,
        bodyHash: bodyHash(body),
        abandonedAt: new Date(time.getTime() + ABANDONED_AFTER_MS),
      },
      time,
    );
  } catch (error) {
    // The same key twice at once: the other one was first, and both finish its intent.
    if (brokenConstraint(error) !== 'payments_idempotency') throw error;
    return (await intentOfKey(deps, asked)) ?? refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S });
  }
}

async function draftOrder({ db, now, newId }: Deps, { caller, body }: Asked): Promise<NewOrder> {
  const ground = await readGround(db, caller.id, body, now());
  const budAddress = found(ground.budAddress);
  const scrub = found(ground.scrub);
  const tariff = tariffOf(ground.prices);
  const distance = distanceInMeters(budAddress, scrub.place);
  if (!scrub.active || distance > NEARBY_RADIUS_M) refuse('scrubUnavailable');
  return {
    id: newId(),
    budId: caller.id,
    scrubId: body.scrubId,
    loadSize: body.loadSize,
    selfDelivery: body.selfDelivery,
    selfPickup: body.selfPickup,
    instructions: body.orderInstructions ?? null,
    price: priceOf(body, tariff),
    budAddress,
    scrubAddress: scrub.place,
    distanceInMeters: distance,
  };
}

/** Asks for the hold of an intent and makes the order of it, or ends it. */
async function finishHold({ db, now, cards, log, nudge }: Deps, intent: PaymentRow): Promise<void> {
  const { orderId, amount, sourceId, verificationToken } = intent;
  if (!sourceId) throw new Error(`the intent of order ${orderId} has lost its card`);
  const outcome = await cards.hold({ orderId, amount, sourceId, verificationToken }).catch((error: unknown) => {
    if (!(error instanceof CardNetworkAway)) throw error;
    log.warn({ order: orderId, err: error.cause }, 'the card network is away; the same key resumes');
    return refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S });
  });
  if (outcome.kind === 'declined') {
    log.info({ order: orderId, code: outcome.code }, 'a card was declined');
    await markDeclined(db, orderId, outcome.reason, now());
    refuse('cardDeclined', { message: outcome.reason });
  }
  if (await placeHeld(db, orderId, outcome, now())) return nudge('events');
  await releaseLateHold(db, orderId, outcome, now());
  nudge('payments');
}
