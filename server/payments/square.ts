import type { Square, SquareClient, SquareError } from 'square';
import type { SquareConfig } from '../config/config.ts';
import {
  CardNetworkUnavailableError,
  type CardRefundRequest,
  type Cards,
  type Declined,
  type HeldPayment,
  type Hold,
  type HoldRequest,
  holdKey,
  type Refused,
  refundKey,
} from './cards.ts';

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

export type SquareOptions = { readonly holdTimeoutS?: number; readonly timeoutS?: number };

type SquareContext = { square: SquareClient; locationId: string; holdTimeout: Timeout; timeout: Timeout };
type Timeout = { timeoutInSeconds: number };

/** Square's Payments API. The SDK is loaded with the first call. */
export function createSquareCards(
  config: () => SquareConfig,
  { holdTimeoutS = 15, timeoutS = 4 }: SquareOptions = {},
): Cards {
  let client: Promise<SquareContext> | undefined;
  const load = async (): Promise<SquareContext> => {
    const { SquareClient } = await import('square');
    const { accessToken, baseUrl, locationId } = config();
    const square = new SquareClient({ token: accessToken, baseUrl, maxRetries: 0 });
    return {
      square,
      locationId,
      holdTimeout: { timeoutInSeconds: holdTimeoutS },
      timeout: { timeoutInSeconds: timeoutS },
    };
  };
  const open = () => {
    client ??= load();
    return client;
  };
  return {
    hold: async (request) => hold(await open(), request),
    capture: async (payment) => capture(await open(), payment),
    release: async (payment) => release(await open(), payment),
    refund: async (request) => refund(await open(), request),
    findPayment: async (squareId) => {
      const payment = await readPayment(await open(), squareId);
      if (!payment) return undefined;
      const refunded = Number(payment.refundedMoney?.amount ?? 0);
      return { status: payment.status ?? 'UNKNOWN', amount: Number(payment.totalMoney?.amount ?? 0), refunded };
    },
  };
}

const toMoney = (amount: number): Square.Money => ({ amount: BigInt(amount), currency: 'USD' });

async function hold(
  { square, locationId, holdTimeout }: SquareContext,
  request: HoldRequest,
): Promise<Hold | Declined> {
  const body: Square.CreatePaymentRequest = {
    idempotencyKey: holdKey(request.orderId),
    sourceId: request.sourceId,
    amountMoney: toMoney(request.amount),
    autocomplete: false,
    referenceId: request.orderId,
    locationId,
    ...(request.verificationToken ? { verificationToken: request.verificationToken } : {}),
  };
  try {
    const { payment } = await square.payments.create(body, holdTimeout);
    const status = payment?.status;
    const card = payment?.cardDetails?.card;
    const cardFingerprint = card?.fingerprint ?? null;
    if (status === 'FAILED' || status === 'CANCELED')
      return { kind: 'declined', reason: DEFAULT_DECLINE_MESSAGE, code: status, cardFingerprint };
    // Any other status may still become a hold, so the caller retries the key and releases it in the end.
    if (status !== 'APPROVED' || !payment?.id)
      throw new CardNetworkUnavailableError(new Error(`the hold is ${status}`));
    return {
      kind: 'held',
      squareId: payment.id,
      versionToken: payment.versionToken ?? null,
      cardBrand: card?.cardBrand ?? null,
      cardLast4: card?.last4 ?? null,
      cardFingerprint,
    };
  } catch (error) {
    if (error instanceof CardNetworkUnavailableError) throw error;
    const { code } = parseRefusal(error);
    if (code === 'IDEMPOTENCY_KEY_REUSED') throw new CardNetworkUnavailableError(error);
    const reason = DECLINE_MESSAGES[code] ?? DEFAULT_DECLINE_MESSAGE;
    return { kind: 'declined', reason, code, cardFingerprint: readDeclinedFingerprint(error) };
  }
}

/** The card of the failed payment that Square sends with a decline. The SDK leaves the body of an error as it is. */
function readDeclinedFingerprint(error: unknown): string | null {
  const { body } = error as { body?: { payment?: { card_details?: { card?: { fingerprint?: unknown } } } } };
  const fingerprint = body?.payment?.card_details?.card?.fingerprint;
  return typeof fingerprint === 'string' ? fingerprint : null;
}

async function capture(
  context: SquareContext,
  { squareId, versionToken, amount }: HeldPayment,
): Promise<{ kind: 'captured' } | Refused> {
  if (squareId === null) return refused('there is no payment to capture');
  const complete = async (token: string | null) => {
    const body = { paymentId: squareId, ...(token ? { versionToken: token } : {}) };
    requireStatus('COMPLETED', await context.square.payments.complete(body, context.timeout));
  };
  let refusal = await findRefusal(complete(versionToken));
  if (!refusal) return { kind: 'captured' };
  let payment = await readPayment(context, squareId);
  const newer = payment?.versionToken;
  // The hold was edited at Square. It can still be captured if its amount is the same.
  if (payment?.status === 'APPROVED' && newer && newer !== versionToken && amountOf(payment) === amount) {
    refusal = await findRefusal(complete(newer));
    if (!refusal) return { kind: 'captured' };
    payment = await readPayment(context, squareId);
  }
  // An earlier try may have captured it and lost the response.
  if (payment?.status === 'COMPLETED' && amountOf(payment) === amount) return { kind: 'captured' };
  return refused(`capture refused (${refusal}); ${describePayment(payment)}`);
}

async function release(
  context: SquareContext,
  { orderId, squareId }: HeldPayment,
): Promise<{ kind: 'released' } | Refused> {
  const { square, timeout } = context;
  if (squareId === null) {
    const idempotencyKey = holdKey(orderId);
    const refusal = await findRefusal(square.payments.cancelByIdempotencyKey({ idempotencyKey }, timeout));
    if (!refusal || refusal.startsWith('404')) return { kind: 'released' };
    return refused(`release by key refused (${refusal})`);
  }
  const cancel = async () => requireStatus('CANCELED', await square.payments.cancel({ paymentId: squareId }, timeout));
  const refusal = await findRefusal(cancel());
  if (!refusal) return { kind: 'released' };
  const payment = await readPayment(context, squareId);
  if (payment?.status === 'CANCELED' || payment?.status === 'FAILED') return { kind: 'released' };
  // A payment that was captured by mistake and fully refunded holds nothing either.
  if (payment?.status === 'COMPLETED' && payment.refundedMoney?.amount === payment.totalMoney?.amount) {
    return { kind: 'released' };
  }
  return refused(`release refused (${refusal}); ${describePayment(payment)}`);
}

async function refund({ square, timeout }: SquareContext, request: CardRefundRequest) {
  try {
    const { refund } = request.squareRefundId
      ? await square.refunds.get({ refundId: request.squareRefundId }, timeout)
      : await square.refunds.refundPayment(
          {
            idempotencyKey: refundKey(request.refundId),
            paymentId: request.squareId,
            amountMoney: toMoney(request.amount),
            reason: request.reason,
          },
          timeout,
        );
    if (!refund?.id) throw new CardNetworkUnavailableError(new Error('the refund in the response has no id'));
    if (refund.status === 'COMPLETED') return { kind: 'refunded' as const, squareRefundId: refund.id };
    if (refund.status === 'PENDING') return { kind: 'pending' as const, squareRefundId: refund.id };
    return refused(`refund ${refund.id} is ${refund.status} at the card network`);
  } catch (error) {
    if (error instanceof CardNetworkUnavailableError) throw error;
    const { status, code, detail } = parseRefusal(error);
    return refused(`refund refused (${status} ${code} ${detail})`);
  }
}

// A truncated response proves nothing.
function requireStatus(status: string, { payment }: { payment?: Square.Payment }): void {
  if (payment?.status !== status)
    throw new CardNetworkUnavailableError(new Error(`the payment in the response is not ${status}`));
}

const refused = (reason: string) => ({ kind: 'refused' as const, reason });

const amountOf = (payment: Square.Payment) => Number(payment.totalMoney?.amount ?? payment.amountMoney?.amount ?? 0);

function describePayment(payment: Square.Payment | undefined): string {
  if (!payment) return 'the card network does not know this payment';
  return `at the card network it is ${payment.status}, ${amountOf(payment)} cents`;
}

/** Why the card network refused the call, or undefined when it succeeded. Throws CardNetworkUnavailableError. */
async function findRefusal(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof CardNetworkUnavailableError) throw error;
    const { status, code, detail } = parseRefusal(error);
    return `${status} ${code} ${detail}`.trim();
  }
}

async function readPayment({ square, timeout }: SquareContext, paymentId: string): Promise<Square.Payment | undefined> {
  try {
    const { payment } = await square.payments.get({ paymentId }, timeout);
    if (!payment?.status) throw new CardNetworkUnavailableError(new Error('the response has no payment'));
    return payment;
  } catch (error) {
    if (error instanceof CardNetworkUnavailableError) throw error;
    if (parseRefusal(error).status === 404) return undefined;
    throw new CardNetworkUnavailableError(error);
  }
}

/** Reads a refusal. Throws CardNetworkUnavailableError for any other error. */
function parseRefusal(error: unknown): { status: number; code: string; detail: string } {
  const { statusCode: status, errors = [] } = (error ?? {}) as Partial<SquareError>;
  // 401 and 403 are about our access token: the operator fixes it and the retries continue. 409 means that another try
  // is in progress.
  const isUnclear = status === undefined || status < 400 || status >= 500 || [401, 403, 408, 409, 429].includes(status);
  if (isUnclear) throw new CardNetworkUnavailableError(error);
  return { status, code: errors[0]?.code ?? 'UNKNOWN', detail: errors[0]?.detail ?? '' };
}
