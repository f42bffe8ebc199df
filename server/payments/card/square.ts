import type { SquareConfig } from '../../config/config.ts';
import {
  type CircuitBreaker,
  CircuitOpenError,
  type CircuitTimes,
  createCircuitBreaker,
} from '../../outgoing/circuitBreaker.ts';
import {
  type Captured,
  type CardAccess,
  CardNetworkUnavailableError,
  type CardRefundRequest,
  type Cards,
  type Declined,
  type HeldPayment,
  HOLD_IS_OVER,
  type Hold,
  type HoldRequest,
  holdKey,
  lowerKey,
  type Refused,
  refundKey,
} from './cards.ts';
import {
  findRefusal,
  isAnswer,
  parseRefusal,
  refused,
  type SquareContext,
  UnclearAnswerError,
} from './squareAnswers.ts';
import { createSquareCardsOnFile } from './squareCardsOnFile.ts';
import { createSquareClient, type SquareClient, type SquarePayment, SquareRefusalError } from './squareClient.ts';
import { createSquareDisputes } from './squareDisputes.ts';
import { readFee } from './squareFees.ts';
import { createSquareLists } from './squareLists.ts';

const DECLINE_MESSAGES: Record<string, string> = {
  CVV_FAILURE: 'The card was declined: the security code (CVV) is wrong.',
  VERIFY_CVV_FAILURE: 'The card was declined: the security code (CVV) is wrong.',
  ADDRESS_VERIFICATION_FAILURE: 'The card was declined: the ZIP does not match the card.',
  VERIFY_AVS_FAILURE: 'The card was declined: the ZIP does not match the card.',
  INVALID_EXPIRATION: 'The card was declined: the expiration date is wrong.',
  CARD_EXPIRED: 'The card was declined: it has expired.',
  EXPIRATION_FAILURE: 'The card was declined: the expiration date is wrong.',
  INSUFFICIENT_FUNDS: 'The card was declined: insufficient funds.',
  TRANSACTION_LIMIT: 'The card was declined: the amount is over its limit.',
  CARD_NOT_SUPPORTED: 'The card was declined: this type of card is not accepted.',
  CARD_DECLINED_VERIFICATION_REQUIRED: 'The card was declined: your bank wants to verify you first.',
  CARD_TOKEN_USED: 'This card entry was already used. Please enter the card again.',
  CARD_TOKEN_EXPIRED: 'This card entry has expired. Please enter the card again.',
  INVALID_ACCOUNT: 'The card was declined: your bank does not know this account.',
};
const DEFAULT_DECLINE_MESSAGE = 'The card was declined. You were not charged. Please try another card.';

export type SquareOptions = {
  readonly holdTimeoutS?: number;
  readonly timeoutS?: number;
  readonly circuitTimes?: Partial<CircuitTimes>;
};

/** Each longer than Square usually takes. A probe waits almost as long as any call but a hold. */
const CIRCUIT_TIMES: CircuitTimes = { slowMs: 3_000, probeMs: 3_000, quickProbeMs: 500, probeEveryMs: 1_000 };

export type SquareCards = Cards & { readonly circuit: CircuitBreaker };

/** Square's Payments API behind a circuit breaker. The configuration is read with the first call. */
export function createSquareCards(
  config: () => SquareConfig,
  { holdTimeoutS = 15, timeoutS = 4, circuitTimes = {} }: SquareOptions = {},
): SquareCards {
  let client: SquareClient | undefined;
  const open = () => {
    client ??= createSquareClient(config());
    return client;
  };
  const circuit = createCircuitBreaker({
    ...CIRCUIT_TIMES,
    ...circuitTimes,
    name: 'the card network',
    probe: (signal) => open().probe(signal),
    isUnanswered: (error) => error instanceof CardNetworkUnavailableError && !isAnswer(error.cause),
  });
  const run = async <T>(call: (context: SquareContext) => Promise<T>): Promise<T> => {
    try {
      return await circuit.run((signal) =>
        call({ square: open(), holdWait: { timeoutS: holdTimeoutS, signal }, wait: { timeoutS, signal } }),
      );
    } catch (error) {
      throw error instanceof CircuitOpenError ? new CardNetworkUnavailableError(error) : error;
    }
  };
  return {
    circuit,
    hold: (request) => run((context) => hold(context, request)),
    capture: (payment) => run((context) => capture(context, payment)),
    release: (payment) => run((context) => release(context, payment)),
    refund: (request) => run((context) => refund(context, request)),
    checkAccess: () => run(checkAccess),
    disputes: createSquareDisputes(run),
    lists: createSquareLists(run),
    onFile: createSquareCardsOnFile(run),
    findPayment: async (squareId) => {
      const payment = await run((context) => readPayment(context, squareId));
      if (!payment) return undefined;
      const refunded = payment.refunded_money?.amount ?? 0;
      const fee = await run((context) => readFee(context, payment));
      return {
        status: payment.status,
        amount: payment.total_money?.amount ?? 0,
        refunded,
        ...(fee === undefined ? {} : { fee }),
      };
    },
  };
}

async function hold({ square, holdWait }: SquareContext, request: HoldRequest): Promise<Hold | Declined> {
  const { orderId, amount, sourceId, verificationToken, customerId, paysFor } = request;
  const referenceId = paysFor ?? orderId;
  const payment = { idempotencyKey: holdKey(orderId), sourceId, amount, referenceId, verificationToken, customerId };
  try {
    const { id, status, version_token, card_details } = await square.createPayment(payment, holdWait);
    const card = card_details?.card;
    const cardFingerprint = card?.fingerprint ?? null;
    if (status === 'FAILED' || status === 'CANCELED')
      return { kind: 'declined', reason: DEFAULT_DECLINE_MESSAGE, code: status, cardFingerprint };
    // Any other status may still become a hold, so the caller retries the key and releases it in the end.
    if (status !== 'APPROVED') throw new CardNetworkUnavailableError(new UnclearAnswerError(`the hold is ${status}`));
    return {
      kind: 'held',
      squareId: id,
      versionToken: version_token ?? null,
      cardBrand: card?.card_brand ?? null,
      cardLast4: card?.last_4 ?? null,
      cardFingerprint,
    };
  } catch (error) {
    const { code, cardFingerprint } = parseRefusal(error);
    if (code === 'IDEMPOTENCY_KEY_REUSED') throw new CardNetworkUnavailableError(error);
    return { kind: 'declined', reason: DECLINE_MESSAGES[code] ?? DEFAULT_DECLINE_MESSAGE, code, cardFingerprint };
  }
}

async function capture(context: SquareContext, payment: HeldPayment): Promise<Captured | Refused> {
  const { squareId } = payment;
  if (squareId === null) return refused(`${HOLD_IS_OVER}: there is no payment to capture`);
  const hold = { ...payment, squareId };
  return (payment.held ?? payment.amount) > payment.amount ? capturePart(context, hold) : captureAll(context, hold);
}

type KnownHold = HeldPayment & { readonly squareId: string };

async function captureAll(
  context: SquareContext,
  { squareId, versionToken, amount }: KnownHold,
): Promise<Captured | Refused> {
  const complete = async (token: string | null) => {
    requireStatus('COMPLETED', await context.square.completePayment(squareId, token, context.wait));
  };
  let refusal = await findRefusal(complete(versionToken));
  if (!refusal) return { kind: 'captured', amount };
  let payment = await readPayment(context, squareId);
  const newer = payment?.version_token;
  // The hold was edited at Square. It can still be captured if its amount is the same.
  if (payment?.status === 'APPROVED' && newer && newer !== versionToken && amountOf(payment) === amount) {
    refusal = await findRefusal(complete(newer));
    if (!refusal) return { kind: 'captured', amount };
    payment = await readPayment(context, squareId);
  }
  // An earlier try may have captured it and lost the response.
  if (payment?.status === 'COMPLETED' && amountOf(payment) === amount) return { kind: 'captured', amount };
  return refusedCapture(`capture refused (${refusal})`, payment);
}

/**
 * Captures a part of a hold: lowers it first, and then captures what it is. A hold that cannot be lowered is captured as a whole,
 * and the caller refunds the difference. What an earlier try has done is read from the payment.
 */
async function capturePart(context: SquareContext, hold: KnownHold): Promise<Captured | Refused> {
  const { squareId, amount } = hold;
  let payment = await readPayment(context, squareId);
  let refusal: string | undefined;
  // An earlier request may arrive late and change it between reading and capturing: then once more.
  for (let tries = 0; tries < 2 && payment?.status === 'APPROVED' && amountOf(payment) >= amount; tries += 1) {
    const lowered = await lowerHold(context, payment, hold);
    const call = context.square.completePayment(squareId, lowered.version_token ?? null, context.wait);
    refusal = await findRefusal(call.then((completed) => requireStatus('COMPLETED', completed)));
    if (!refusal) return { kind: 'captured', amount: amountOf(lowered) };
    payment = await readPayment(context, squareId);
  }
  if (payment?.status === 'COMPLETED' && amountOf(payment) >= amount)
    return { kind: 'captured', amount: amountOf(payment) };
  return refusedCapture(`capture of ${amount} cents refused (${refusal ?? 'not tried'})`, payment);
}

/** The payment as it is afterwards: unchanged when it cannot be lowered. */
async function lowerHold(
  { square, wait }: SquareContext,
  payment: SquarePayment,
  { amount }: KnownHold,
): Promise<SquarePayment> {
  const { id, version_token: versionToken, capabilities } = payment;
  if (amountOf(payment) === amount || !versionToken || !capabilities?.includes('EDIT_AMOUNT_DOWN')) return payment;
  const idempotencyKey = lowerKey(id, versionToken, amount);
  try {
    return await square.updatePayment({ idempotencyKey, id, amount, versionToken }, wait);
  } catch (error) {
    parseRefusal(error);
    return payment;
  }
}

async function release(
  context: SquareContext,
  { orderId, squareId }: HeldPayment,
): Promise<{ kind: 'released' } | Refused> {
  const { square, wait } = context;
  if (squareId === null) {
    const refusal = await findRefusal(square.cancelByKey(holdKey(orderId), wait));
    if (!refusal || refusal.startsWith('404')) return { kind: 'released' };
    return refused(`release by key refused (${refusal})`);
  }
  const cancel = async () => requireStatus('CANCELED', await square.cancelPayment(squareId, wait));
  const refusal = await findRefusal(cancel());
  if (!refusal) return { kind: 'released' };
  const payment = await readPayment(context, squareId);
  if (payment?.status === 'CANCELED' || payment?.status === 'FAILED') return { kind: 'released' };
  // A payment that was captured by mistake and fully refunded holds nothing either.
  if (payment?.status === 'COMPLETED' && payment.refunded_money?.amount === payment.total_money?.amount) {
    return { kind: 'released' };
  }
  return refused(`release refused (${refusal}); ${describePayment(payment)}`);
}

async function refund({ square, wait }: SquareContext, request: CardRefundRequest) {
  const { refundId, squareId: paymentId, squareRefundId, amount, reason } = request;
  try {
    const refund = squareRefundId
      ? await square.getRefund(squareRefundId, wait)
      : await square.refundPayment({ idempotencyKey: refundKey(refundId), paymentId, amount, reason }, wait);
    if (refund.status === 'COMPLETED') return { kind: 'refunded' as const, squareRefundId: refund.id };
    if (refund.status === 'PENDING') return { kind: 'pending' as const, squareRefundId: refund.id };
    return refused(`refund ${refund.id} is ${refund.status} at the card network`);
  } catch (error) {
    const { statusCode, code, detail } = parseRefusal(error);
    return refused(`refund refused (${statusCode} ${code} ${detail})`);
  }
}

/** Reads the location that payments are made at, with the keys that payments use. */
async function checkAccess({ square, wait }: SquareContext): Promise<CardAccess> {
  try {
    const { name, id, status, currency, capabilities } = await square.getLocation(wait);
    const takesCards = status !== 'INACTIVE' && (capabilities?.includes('CREDIT_CARD_PROCESSING') ?? true);
    return { kind: 'open', location: name ?? id, currency: currency ?? null, takesCards };
  } catch (error) {
    if (error instanceof SquareRefusalError && error.statusCode < 500 && error.statusCode !== 429)
      return { kind: 'closed', statusCode: error.statusCode, words: `${error.code} ${error.detail}`.trim() };
    throw error instanceof CardNetworkUnavailableError ? error : new CardNetworkUnavailableError(error);
  }
}

function requireStatus(status: string, payment: SquarePayment): void {
  if (payment.status !== status)
    throw new CardNetworkUnavailableError(new UnclearAnswerError(`the payment in the response is not ${status}`));
}

const amountOf = (payment: SquarePayment) => payment.total_money?.amount ?? payment.amount_money?.amount ?? 0;

/** A hold that was canceled or has run out is not charged by another try. */
function refusedCapture(what: string, payment: SquarePayment | undefined): Refused {
  const isOver = payment === undefined || payment.status === 'CANCELED' || payment.status === 'FAILED';
  return refused(`${isOver ? `${HOLD_IS_OVER}: ` : ''}${what}; ${describePayment(payment)}`);
}

function describePayment(payment: SquarePayment | undefined): string {
  if (!payment) return 'the card network does not know this payment';
  return `at the card network it is ${payment.status}, ${amountOf(payment)} cents`;
}

async function readPayment({ square, wait }: SquareContext, paymentId: string): Promise<SquarePayment | undefined> {
  try {
    return await square.getPayment(paymentId, wait);
  } catch (error) {
    if (parseRefusal(error).statusCode === 404) return undefined;
    throw new CardNetworkUnavailableError(error);
  }
}
