import type { Order } from '../../contract/orders.ts';
import { localDate } from '../../domain/localDays.ts';
import { SIZE_POUNDS } from '../../domain/orders.ts';
import { toCents } from '../../domain/payments.ts';
import { approximatePoint, distanceInMeters, NEARBY_RADIUS_M } from '../../domain/places.ts';
import { linesOfOrder, totalOfLines } from '../../domain/prices.ts';
import { CARD_CONSENT } from '../../domain/savedCards.ts';
import { askedTimes } from '../../domain/weeks.ts';
import { type AgreedTimes, placesOf } from '../../domain/windows.ts';
import { isHeldWork, refuseHeldWork } from '../auth/restrictions.sql.ts';
import { digest } from '../auth/secrets.ts';
import { bookingRefusalOf, type NewBooking, refuseBooking } from '../bookings/bookings.ts';
import { chooseTimes } from '../bookings/chooseTimes.ts';
import type { Context } from '../context.ts';
import { type Tx, transact, violatedConstraint, withConnection } from '../db/database.ts';
import type { SerializedJson } from '../db/json.sql.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import {
  CardNetworkUnavailableError,
  type Declined,
  type Hold,
  refuseCardNetworkAway,
} from '../payments/card/cards.ts';
import { ABANDONED_AFTER_MS } from '../payments/card/retry.ts';
import { endIfLimited, findDeclineReason, recordDecline, refuseIfCardBlocked } from '../payments/hold/declinedCards.ts';
import type { OrderDraft } from '../payments/hold/orderDraft.ts';
import { askForPlacingLimit, countPlacement, type Placer, runInTurn } from '../payments/hold/orderLimits.ts';
import {
  extendIntentDeadline,
  findPaymentByKey,
  type PaymentIntent,
  type PaymentRow,
  releaseLateHold,
  releaseUnwantedHold,
  writeIntent,
} from '../payments/hold/payments.sql.ts';
import { tariffAt, tariffOf } from '../payments/prices/prices.sql.ts';
import { hasMaximumOfCards, holdOnCard, isSavedCard, resolveSource } from '../payments/saved/savedCards.ts';
import { findDiscount, judgeCardOfUse, takeUse } from '../promos/promos.ts';
import { closedOf, toOpening } from '../town/opening.sql.ts';
import { readOrderJson } from './orders.sql.ts';
import { type OrderInputs, placeHeldOrder, readOrderInputs } from './placeOrder.sql.ts';
import { checkSizes, maximumCents } from './sizes.ts';

type PlaceOrderInput = Parameters<Handlers['placeOrder']>[0];

/** Runs `work` on one connection. It must not call the card network, nor wait for its turn there. */
const connect = <T>(context: Context, work: (connected: Context) => Promise<T>) =>
  withConnection(context.db, (db) => work({ ...context, db }));

/**
 * Places an order in three steps: commit the intent, hold the amount at the card network, commit the order. A request
 * with the same Idempotency-Key resumes at the step that failed, and repeats the hold under the same key.
 */
export async function placeOrder(context: Context, input: PlaceOrderInput): Promise<SerializedJson<Order>> {
  const { intent, isNew } = await connect(context, async (connected) => {
    const known = await findIntentByKey(connected, input);
    return known ? { intent: known, isNew: false } : createIntent(connected, input);
  });
  const placed = intent.state === 'holding' ? await placeInTurn(context, { intent, isNew }, input) : undefined;
  return placed ?? (await readOwnOrder(context, intent, input)) ?? refuseUnplaced(context, intent);
}

const readOwnOrder = ({ db, now }: Context, { orderId }: PaymentRow, { caller }: PlaceOrderInput) =>
  readOrderJson(caller, orderId, now()).run(db);

/** An intent, and whether this request has just written it. */
type FoundIntent = { readonly intent: PaymentRow; readonly isNew: boolean };

/** Finishes an intent when it is the Bud's turn. Undefined when the intent is too old, or another request was faster. */
function placeInTurn(context: Context, { intent, isNew }: FoundIntent, input: PlaceOrderInput) {
  const placing = { bud: input.caller.id, from: input.from };
  return runInTurn(placing.bud, async (hasWaited) => {
    // Others of the Bud's requests may have reached a limit while this one waited for its turn, or since it was sent first.
    if ((hasWaited || !isNew) && !(await isStillOpen(context, intent, placing))) return undefined;
    const outcome = await holdAmount(context, intent);
    return connect(context, async (connected) => {
      if (outcome.kind === 'declined') return refuseDeclined(connected, { orderId: intent.orderId, outcome, placing });
      await placeHeld(connected, { orderId: intent.orderId, hold: outcome, placing, hasPromo: intent.discount > 0 });
      return readOwnOrder(connected, intent, input);
    });
  });
}

/** Whether an intent still waits for its hold. Refuses a Bud who has reached a limit since. */
const isStillOpen = (context: Context, intent: PaymentRow, placing: Placer) =>
  connect(context, async (connected) => {
    const limit = await askForPlacingLimit(connected, placing);
    const isHolding = await extendIntent(connected, intent);
    await endIfLimited(connected, intent.orderId, await limit());
    return isHolding;
  });

/** Why there is no order although this request did not end it. */
async function refuseUnplaced({ db }: Context, { orderId }: PaymentRow): Promise<never> {
  // A parallel request with the same key was declined.
  const message = await findDeclineReason(db, orderId);
  if (message !== undefined) refuse('cardDeclined', { message });
  // The hold arrived after its deadline, and is being voided.
  return refuseCardNetworkAway();
}

// The intent must not expire while the card network may still answer.
const extendIntent = ({ db, now }: Context, { orderId }: PaymentRow) =>
  extendIntentDeadline(db, orderId, new Date(now().getTime() + ABANDONED_AFTER_MS), now());

// Leaves the card token out: a token works once, so a retry of the same order brings another one. Also what was shown: an order
// that may exist already keeps its price, and saves the card that it was first sent with.
const hashBody = ({
  paymentSourceId: _token,
  verificationToken: _proof,
  shownTotal: _shown,
  saveCard: _wish,
  ...rest
}: PlaceOrderInput['body']) => digest(JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))));

async function findIntentByKey(
  { db }: Context,
  { caller, body, idempotencyKey }: PlaceOrderInput,
): Promise<PaymentRow | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const intent = await findPaymentByKey(db, caller.id, idempotencyKey);
  if (intent && intent.bodyHash?.equals(hashBody(body)) !== true) refuse('keyReused');
  return intent;
}

async function createIntent(context: Context, input: PlaceOrderInput): Promise<FoundIntent> {
  const { db, now } = context;
  const { caller, body, idempotencyKey, from } = input;
  const findLimit = await askForPlacingLimit(context, { bud: caller.id, from });
  const draft = await draftOrder(context, input);
  const source = await resolveSource(db, caller.id, body.paymentSourceId);
  const limit = await findLimit();
  if (limit) throw limit;
  const startedAt = now();
  try {
    const intent: PaymentIntent = {
      draft,
      budId: caller.id,
      ...source,
      verificationToken: body.verificationToken ?? null,
      idempotencyKey: idempotencyKey ?? null,
      bodyHash: hashBody(body),
      abandonedAt: new Date(startedAt.getTime() + ABANDONED_AFTER_MS),
    };
    return { intent: orNotFound(await writeWithPromo(db, intent, startedAt)), isNew: true };
  } catch (error) {
    // A parallel request with the same key was first: both finish its intent.
    if (violatedConstraint(error) !== 'payments_idempotency') return refuseBooking(error);
    return { intent: (await findIntentByKey(context, input)) ?? refuseCardNetworkAway(), isNew: false };
  }
}

/** Writes an intent, with the use of its promo code in the same transaction. */
function writeWithPromo(db: Tx, intent: PaymentIntent, at: Date): Promise<PaymentRow | undefined> {
  const { budId: bud, draft } = intent;
  const { promo, id: orderId, lines } = draft;
  if (!promo) return writeIntent(db, intent, at);
  return transact(db, async (tx) => {
    const recordUse = await takeUse(tx, { promo, orderId, bud, total: totalOfLines(lines) }, at);
    const written = orNotFound(await writeIntent(tx, intent, at));
    await recordUse();
    return written;
  });
}

async function draftOrder(context: Context, { caller, body, from }: PlaceOrderInput): Promise<OrderDraft> {
  const { db, now, newId } = context;
  const pricedAt = now();
  const inputs = await readOrderInputs(db, caller.id, body, pricedAt);
  // The spec's order of refusals: what is sold is known without an address.
  checkSizes(body, tariffOf(inputs.prices), inputs.isWeighed);
  const budAddress = orNotFound(inputs.budAddress);
  const { tariff, zoneId } = tariffAt(inputs, budAddress);
  const scrub = orNotFound(inputs.scrub);
  // An order with windows comes when its zone is open.
  const isForLater = body.pickupFrom !== undefined || body.returnFrom !== undefined;
  const closed = closedOf(inputs.opening, isForLater ? null : zoneId, pricedAt);
  if (closed) refuse('townPaused', { message: closed.words });
  if (inputs.isHeld) refuse('newWorkHeld');
  const savesCard = body.saveCard === true && !isSavedCard(body.paymentSourceId);
  if (savesCard && (await hasMaximumOfCards(db, caller.id))) refuse('tooManySavedCards');
  // As far as the search has shown it to the Bud.
  const shownDistance = distanceInMeters(budAddress, inputs.isCareful ? approximatePoint(scrub.place) : scrub.place);
  if (!scrub.active || shownDistance > NEARBY_RADIUS_M) refuse('scrubUnavailable');
  const times = chooseTimes(body, { ...inputs, zoneId }, pricedAt);
  const priced = { ...body, turnaround: times?.turnaround };
  const lines = linesOfOrder(priced, tariff);
  const total = totalOfLines(lines);
  const { promoCode: code } = body;
  const promo = code === undefined ? undefined : await findDiscount(context, { bud: caller.id, from }, { code, total });
  const cents = (inputs.isWeighed ? maximumCents(priced, tariff) : total) - (promo?.discount ?? 0);
  if (body.shownTotal !== undefined && toCents(body.shownTotal) !== cents) refuse('priceChanged');
  return {
    id: newId(),
    budId: caller.id,
    scrubId: body.scrubId,
    loadSize: body.loadSize,
    selfDelivery: body.selfDelivery,
    selfPickup: body.selfPickup,
    instructions: body.orderInstructions ?? null,
    lines,
    taxRate: tariff.taxRate,
    ...(zoneId === null ? {} : { zoneId }),
    ...(promo ? { promo } : {}),
    ...(inputs.isWeighed ? { ...limitOf(body, pricedAt), holdAmount: cents } : {}),
    ...(times ? { times } : {}),
    ...(savesCard ? { saveCard: { id: newId(), consent: CARD_CONSENT } } : {}),
    booking: bookingOf(body, { times, inputs, zoneId }, pricedAt),
    budAddress,
    scrubAddress: scrub.place,
    distanceInMeters: distanceInMeters(budAddress, scrub.place),
  };
}

type Placed = {
  readonly times: AgreedTimes | undefined;
  readonly inputs: OrderInputs;
  readonly zoneId: string | null;
};

/** What the order reserves. As soon as possible is today. */
function bookingOf(body: PlaceOrderInput['body'], { times, inputs, zoneId }: Placed, at: Date): NewBooking {
  const { timeZone: zone } = toOpening(inputs.opening, zoneId);
  const { loadSize: size, scrubId, selfDelivery, selfPickup } = body;
  const pounds = SIZE_POUNDS[size].to;
  return {
    ...{ scrubId, zoneId, pounds, waits: times !== undefined },
    pickupStarts: times && !selfDelivery ? times.pickup.from : null,
    returnStarts: times && !selfPickup ? times.return.from : null,
    day: localDate(times?.pickup.from ?? at, zone),
    places: inputs.windows ? placesOf(inputs.windows, zoneId) : 0,
    asked: { at, zone, pounds, size, ...(times ? askedTimes(times) : {}) },
  };
}

/** An order that is weighed may cost as much as its limit, which is held. */
function limitOf(body: PlaceOrderInput['body'], pricedAt: Date) {
  return { ceilingSize: body.ceilingSize ?? body.loadSize, pricedAt };
}

/** Holds an intent's amount at the card network. */
async function holdAmount(context: Context, intent: PaymentRow) {
  const { log } = context;
  const { orderId, sourceId, customerId, verificationToken } = intent;
  const amount = intent.held ?? intent.amount;
  if (!sourceId) throw new Error(`the payment intent of order ${orderId} has no card token`);
  const request = { orderId, amount, sourceId, customerId, verificationToken };
  return holdOnCard(context, request).catch((error: unknown) => {
    if (!(error instanceof CardNetworkUnavailableError)) throw error;
    log.warn(
      { order: orderId, err: error.cause },
      'the card network does not answer; the Bud may retry with the same key',
    );
    return refuseCardNetworkAway();
  });
}

type HeldIntent = {
  readonly orderId: string;
  readonly hold: Hold;
  readonly placing: Placer;
  readonly hasPromo: boolean;
};

async function placeHeld(context: Context, { orderId, hold, placing, hasPromo }: HeldIntent): Promise<void> {
  const { db, now, wake } = context;
  await refuseIfCardBlocked(context, orderId, hold);
  if (hasPromo) await refuseCardOfUse(context, orderId, hold);
  const isPlaced = await placeHeldOrder(db, orderId, hold, now()).catch(async (error: unknown) => {
    // Somebody was suspended, or the town or the Scrub is away then, since the order was drafted.
    const isRefused = isHeldWork(error) || bookingRefusalOf(error) !== undefined;
    if (isRefused && (await releaseUnwantedHold(db, orderId, hold, now()))) wake('payments');
    return isHeldWork(error) ? refuseHeldWork(error, 'Bud') : refuseBooking(error);
  });
  if (isPlaced) {
    wake('events');
    return countPlacement(context, placing.bud);
  }
  await releaseLateHold(db, orderId, hold, now());
  wake('payments');
}

const REFUSED_CARDS = {
  used: 'This code is for a first order, and this card has used it before',
  unknown:
    'This code is for a first order, and this card cannot be told from others. Please pay with a credit or debit card, or order without the code',
};

/** The card network tells which card a token stands for only with its answer. */
async function refuseCardOfUse(context: Context, orderId: string, hold: Hold): Promise<void> {
  const { db, now, wake } = context;
  const verdict = await judgeCardOfUse(context, orderId, hold.cardFingerprint);
  if (verdict === 'fine') return;
  if (!(await releaseUnwantedHold(db, orderId, hold, now()))) return;
  wake('payments');
  refuse('promoFirstOrder', { message: REFUSED_CARDS[verdict] });
}

type DeclinedIntent = { readonly orderId: string; readonly outcome: Declined; readonly placing: Placer };

async function refuseDeclined(context: Context, { orderId, outcome, placing }: DeclinedIntent): Promise<never> {
  const { reason, code } = outcome;
  context.log.info({ order: orderId, code }, 'a card was declined');
  await recordDecline(context, { id: orderId, placing, declined: outcome });
  return refuse('cardDeclined', { message: reason });
}
