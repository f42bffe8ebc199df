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
  INSUFFICIENT_FUNDS: 'The card was declined: there is not enough money on it.',
  TRANSACTION_LIMIT: 'The card was declined: the amount is over its limit.',
  CARD_NOT_SUPPORTED: 'The card was declined: this kind of card is not taken.',
  CARD_DECLINED_VERIFICATION_REQUIRED: 'The card was declined: your bank wants to verify you first.',
  CARD_TOKEN_USED: 'This card entry was used already: type the card in again.',
  CARD_TOKEN_EXPIRED: 'This card entry is too old: type the card in again.',
  INVALID_ACCOUNT: 'The card was declined: your bank does not know this account.',
};
const DEFAULT_DECLINE_MESSAGE = 'The card was declined. Nothing was charged: try another card.';

export type SquareOptions = { readonly holdTimeoutS?: number; readonly timeoutS?: number };

type SquareContext = { square: SquareClient; locationId: string; holdTimeout: Timeout; timeout: Timeout };
type Timeout = { timeoutInSeconds: number };

/** Square's Payments API behind the verbs that the product needs. The SDK is loaded when the first card is. */
export function createSquareCards(
  config: () => SquareConfig,
  { holdTimeoutS = 15, timeoutS = 4 }: SquareOptions = {},
): Cards {
  let opened: Promise<SquareContext> | undefined;
  const start = async (): Promise<SquareContext> => {
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
    opened ??= start();
    return opened;
  };
  return {
    hold: async (asked) => hold(await open(), asked),
    capture: async (held) => capture(await open(), held),
    release: async (held) => release(await open(), held),
    refund: async (asked) => refund(await open(), asked),
    findPayment: async (squareId) => {
      const payment = await readPayment(await open(), squareId);
      if (!payment) return undefined;
      const refunded = Number(payment.refundedMoney?.amount ?? 0);
      return { status: payment.status ?? 'UNKNOWN', amount: Number(payment.totalMoney?.amount ?? 0), refunded };
    },
  };
}

const toMoney = (amount: number): Square.Money => ({ amount: BigInt(amount), currency: 'USD' });

async function hold({ square, locationId, holdTimeout }: SquareContext, asked: HoldRequest): Promise<Hold | Declined> {
  const request: Square.CreatePaymentRequest = {
    idempotencyKey: holdKey(asked.orderId),
    sourceId: asked.sourceId,
    amountMoney: toMoney(asked.amount),
    autocomplete: false,
    referenceId: asked.orderId,
    locationId,
    ...(asked.verificationToken ? { verificationToken: asked.verificationToken } : {}),
  };
  try {
    const { payment } = await square.payments.create(request, holdTimeout);
    const status = payment?.status;
    if (status === 'FAILED' || status === 'CANCELED')
      return { kind: 'declined', reason: DEFAULT_DECLINE_MESSAGE, code: status };
    // Anything else may still turn into money: the key is asked about again, and released when nothing comes of it.
    if (status !== 'APPROVED' || !payment?.id)
      throw new CardNetworkUnavailableError(new Error(`the hold is ${status}`));
    const card = payment.cardDetails?.card;
    return {
      kind: 'held',
      squareId: payment.id,
      versionToken: payment.versionToken ?? null,
      cardBrand: card?.cardBrand ?? null,
      cardLast4: card?.last4 ?? null,
    };
  } catch (error) {
    if (error instanceof CardNetworkUnavailableError) throw error;
    const { code } = parseRefusal(error);
    if (code === 'IDEMPOTENCY_KEY_REUSED') throw new CardNetworkUnavailableError(error);
    return { kind: 'declined', reason: DECLINE_MESSAGES[code] ?? DEFAULT_DECLINE_MESSAGE, code };
  }
}

async function capture(
  open: SquareContext,
  { squareId, versionToken, amount }: HeldPayment,
): Promise<{ kind: 'captured' } | Refused> {
  if (squareId === null) return refused('there is no payment to capture');
  const complete = async (token: string | null) => {
    const asked = { paymentId: squareId, ...(token ? { versionToken: token } : {}) };
    requireStatus('COMPLETED', await open.square.payments.complete(asked, open.timeout));
  };
  let refusal = await findRefusal(complete(versionToken));
  if (!refusal) return { kind: 'captured' };
  let payment = await readPayment(open, squareId);
  const newer = payment?.versionToken;
  // Somebody touched the hold since: it is still ours to take as long as it is over the same amount.
  if (payment?.status === 'APPROVED' && newer && newer !== versionToken && amountOf(payment) === amount) {
    refusal = await findRefusal(complete(newer));
    if (!refusal) return { kind: 'captured' };
    payment = await readPayment(open, squareId);
  }
  // It may have been refused because an earlier try did it, and only its answer was lost.
  if (payment?.status === 'COMPLETED' && amountOf(payment) === amount) return { kind: 'captured' };
  return refused(`capture refused (${refusal}); ${describePayment(payment)}`);
}

async function release(
  open: SquareContext,
  { orderId, squareId }: HeldPayment,
): Promise<{ kind: 'released' } | Refused> {
  const { square, timeout } = open;
  if (squareId === null) {
    const idempotencyKey = holdKey(orderId);
    const refusal = await findRefusal(square.payments.cancelByIdempotencyKey({ idempotencyKey }, timeout));
    if (!refusal || refusal.startsWith('404')) return { kind: 'released' };
    return refused(`release by key refused (${refusal})`);
  }
  const cancel = async () => requireStatus('CANCELED', await square.payments.cancel({ paymentId: squareId }, timeout));
  const refusal = await findRefusal(cancel());
  if (!refusal) return { kind: 'released' };
  const payment = await readPayment(open, squareId);
  if (payment?.status === 'CANCELED' || payment?.status === 'FAILED') return { kind: 'released' };
  // What was captured by mistake and given back by a person holds nothing any more either.
  if (payment?.status === 'COMPLETED' && payment.refundedMoney?.amount === payment.totalMoney?.amount) {
    return { kind: 'released' };
  }
  return refused(`release refused (${refusal}); ${describePayment(payment)}`);
}

async function refund({ square, timeout }: SquareContext, asked: CardRefundRequest) {
  try {
    const { refund } = asked.squareRefundId
      ? await square.refunds.get({ refundId: asked.squareRefundId }, timeout)
      : await square.refunds.refundPayment(
          {
            idempotencyKey: refundKey(asked.refundId),
            paymentId: asked.squareId,
            amountMoney: toMoney(asked.amount),
            reason: asked.reason,
          },
          timeout,
        );
    if (!refund?.id) throw new CardNetworkUnavailableError(new Error('a refund without an id'));
    if (refund.status === 'COMPLETED') return { kind: 'refunded' as const, squareRefundId: refund.id };
    if (refund.status === 'PENDING') return { kind: 'pending' as const, squareRefundId: refund.id };
    return refused(`the card network says that refund ${refund.id} is ${refund.status}`);
  } catch (error) {
    if (error instanceof CardNetworkUnavailableError) throw error;
    const { status, code, detail } = parseRefusal(error);
    return refused(`refund refused (${status} ${code} ${detail})`);
  }
}

// An answer that was cut short on its way says nothing.
function requireStatus(status: string, { payment }: { payment?: Square.Payment }): void {
  if (payment?.status !== status) throw new CardNetworkUnavailableError(new Error(`an answer without ${status}`));
}

const refused = (reason: string) => ({ kind: 'refused' as const, reason });

const amountOf = (payment: Square.Payment) => Number(payment.totalMoney?.amount ?? payment.amountMoney?.amount ?? 0);

function describePayment(payment: Square.Payment | undefined): string {
  if (!payment) return 'the card network knows no such payment';
  return `there it is ${payment.status}, ${amountOf(payment)} cents`;
}

/** The words of the network's no, or undefined when it did what was asked. Throws CardNetworkAway. */
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
    if (!payment?.status) throw new CardNetworkUnavailableError(new Error('an answer without a payment'));
    return payment;
  } catch (error) {
    if (error instanceof CardNetworkUnavailableError) throw error;
    if (parseRefusal(error).status === 404) return undefined;
    throw new CardNetworkUnavailableError(error);
  }
}

/** The network's no; throws CardNetworkAway for everything that is not one. */
function parseRefusal(error: unknown): { status: number; code: string; detail: string } {
  const { statusCode: status, errors = [] } = (error ?? {}) as Partial<SquareError>;
  // 401 and 403 speak of our key, not of the card: the operator mends it and the same key goes on. 409 speaks of another
  // try of ours that is under way.
  const unclear = status === undefined || status < 400 || status >= 500 || [401, 403, 408, 409, 429].includes(status);
  if (unclear) throw new CardNetworkUnavailableError(error);
  return { status, code: errors[0]?.code ?? 'UNKNOWN', detail: errors[0]?.detail ?? '' };
}
