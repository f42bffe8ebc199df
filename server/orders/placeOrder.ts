import type { Order } from '../../contract/orders.ts';
import { computePrice } from '../../domain/payments.ts';
import { distanceInMeters, NEARBY_RADIUS_M } from '../../domain/places.ts';
import { digest } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { violatedConstraint } from '../db/database.ts';
import type { SerializedJson } from '../db/json.sql.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { CardNetworkUnavailableError } from '../payments/cards.ts';
import {
  extendIntentDeadline,
  findPaymentByKey,
  markDeclined,
  type PaymentRow,
  releaseLateHold,
  writeIntent,
} from '../payments/payments.sql.ts';
import { tariffOf } from '../payments/prices.sql.ts';
import { type NewOrder, readOrderJson } from './orders.sql.ts';
import { placeHeldOrder, readOrderInputs } from './placeOrder.sql.ts';

type PlaceOrderInput = Parameters<Handlers['placeOrder']>[0];

const ABANDONED_AFTER_MS = 90_000;
const RETRY_AFTER_S = 5;

/**
 * Places an order: the intent is committed, then the card network is asked, then the order is committed with its hold.
 * The same Idempotency-Key resumes where an earlier try stopped, and asks the card network under the same key.
 */
export async function placeOrder(deps: Context, asked: PlaceOrderInput): Promise<SerializedJson<Order>> {
  const earlier = await findIntentByKey(deps, asked);
  const intent = earlier ?? (await createIntent(deps, asked));
  const mayFinish = intent.state === 'holding' && (!earlier || (await extendIntent(deps, intent)));
  if (mayFinish) await holdAndPlaceOrder(deps, intent);
  const { caller } = asked;
  // No order after all: the hold came too late and is being released.
  return (
    (await readOrderJson(caller, intent.orderId, deps.now()).run(deps.db)) ??
    refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S })
  );
}

// What is under way must not be given up before its answer can have come.
const extendIntent = ({ db, now }: Context, { orderId }: PaymentRow) =>
  extendIntentDeadline(db, orderId, new Date(now().getTime() + ABANDONED_AFTER_MS), now());

// The card token is left out: it is used once, and a new try of the same order brings a new one.
const hashBody = ({ paymentSourceId: _token, verificationToken: _proof, ...rest }: PlaceOrderInput['body']) =>
  digest(JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))));

async function findIntentByKey(
  { db }: Context,
  { caller, body, idempotencyKey }: PlaceOrderInput,
): Promise<PaymentRow | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const intent = await findPaymentByKey(db, caller.id, idempotencyKey);
  if (intent && intent.bodyHash?.equals(hashBody(body)) !== true) refuse('keyReused');
  return intent;
}

async function createIntent(deps: Context, asked: PlaceOrderInput): Promise<PaymentRow> {
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
        bodyHash: hashBody(body),
        abandonedAt: new Date(time.getTime() + ABANDONED_AFTER_MS),
      },
      time,
    );
  } catch (error) {
    // The same key twice at once: the other one was first, and both finish its intent.
    if (violatedConstraint(error) !== 'payments_idempotency') throw error;
    return (await findIntentByKey(deps, asked)) ?? refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S });
  }
}

async function draftOrder({ db, now, newId }: Context, { caller, body }: PlaceOrderInput): Promise<NewOrder> {
  const ground = await readOrderInputs(db, caller.id, body, now());
  const budAddress = orNotFound(ground.budAddress);
  const scrub = orNotFound(ground.scrub);
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
    price: computePrice(body, tariff),
    budAddress,
    scrubAddress: scrub.place,
    distanceInMeters: distance,
  };
}

/** Asks for the hold of an intent and makes the order of it, or ends it. */
async function holdAndPlaceOrder({ db, now, cards, log, wake: nudge }: Context, intent: PaymentRow): Promise<void> {
  const { orderId, amount, sourceId, verificationToken } = intent;
  if (!sourceId) throw new Error(`the intent of order ${orderId} has lost its card`);
  const outcome = await cards.hold({ orderId, amount, sourceId, verificationToken }).catch((error: unknown) => {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    log.warn({ order: orderId, err: error.cause }, 'the card network is away; the same key resumes');
    return refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S });
  });
  if (outcome.kind === 'declined') {
    log.info({ order: orderId, code: outcome.code }, 'a card was declined');
    await markDeclined(db, orderId, outcome.reason, now());
    refuse('cardDeclined', { message: outcome.reason });
  }
  if (await placeHeldOrder(db, orderId, outcome, now())) return nudge('events');
  await releaseLateHold(db, orderId, outcome, now());
  nudge('payments');
}
