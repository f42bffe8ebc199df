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
import type { OrderDraft } from './orderDraft.ts';
import { readOrderJson } from './orders.sql.ts';
import { placeHeldOrder, readOrderInputs } from './placeOrder.sql.ts';

type PlaceOrderInput = Parameters<Handlers['placeOrder']>[0];

const ABANDONED_AFTER_MS = 90_000;
const RETRY_AFTER_S = 5;

/**
 * Places an order in three steps: commit the intent, hold the amount at the card network, commit the order. A request
 * with the same Idempotency-Key resumes at the step that failed, and repeats the hold under the same key.
 */
export async function placeOrder(context: Context, input: PlaceOrderInput): Promise<SerializedJson<Order>> {
  const earlier = await findIntentByKey(context, input);
  const intent = earlier ?? (await createIntent(context, input));
  const canFinish = intent.state === 'holding' && (!earlier || (await extendIntent(context, intent)));
  if (canFinish) await holdAndPlaceOrder(context, intent);
  // There is no order when the hold arrived after its deadline: the hold is being voided.
  return (
    (await readOrderJson(input.caller, intent.orderId, context.now()).run(context.db)) ??
    refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S })
  );
}

// The intent must not expire while the card network may still answer.
const extendIntent = ({ db, now }: Context, { orderId }: PaymentRow) =>
  extendIntentDeadline(db, orderId, new Date(now().getTime() + ABANDONED_AFTER_MS), now());

// Leaves the card token out: a token works once, so a retry of the same order brings another one.
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

async function createIntent(context: Context, input: PlaceOrderInput): Promise<PaymentRow> {
  const { db, now } = context;
  const { caller, body, idempotencyKey } = input;
  const draft = await draftOrder(context, input);
  const startedAt = now();
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
        abandonedAt: new Date(startedAt.getTime() + ABANDONED_AFTER_MS),
      },
      startedAt,
    );
  } catch (error) {
    // A parallel request with the same key was first: both finish its intent.
    if (violatedConstraint(error) !== 'payments_idempotency') throw error;
    return (await findIntentByKey(context, input)) ?? refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S });
  }
}

async function draftOrder({ db, now, newId }: Context, { caller, body }: PlaceOrderInput): Promise<OrderDraft> {
  const inputs = await readOrderInputs(db, caller.id, body, now());
  const budAddress = orNotFound(inputs.budAddress);
  const scrub = orNotFound(inputs.scrub);
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
    price: computePrice(body, tariffOf(inputs.prices)),
    budAddress,
    scrubAddress: scrub.place,
    distanceInMeters: distance,
  };
}

/** Holds an intent's amount and turns the intent into an order, or ends it when the card is declined. */
async function holdAndPlaceOrder({ db, now, cards, log, wake }: Context, intent: PaymentRow): Promise<void> {
  const { orderId, amount, sourceId, verificationToken } = intent;
  if (!sourceId) throw new Error(`the payment intent of order ${orderId} has no card token`);
  const outcome = await cards.hold({ orderId, amount, sourceId, verificationToken }).catch((error: unknown) => {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    log.warn(
      { order: orderId, err: error.cause },
      'the card network does not answer; the Bud may retry with the same key',
    );
    return refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S });
  });
  if (outcome.kind === 'declined') {
    log.info({ order: orderId, code: outcome.code }, 'a card was declined');
    await markDeclined(db, orderId, outcome.reason, now());
    refuse('cardDeclined', { message: outcome.reason });
  }
  if (await placeHeldOrder(db, orderId, outcome, now())) return wake('events');
  await releaseLateHold(db, orderId, outcome, now());
  wake('payments');
}
