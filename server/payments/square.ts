import type { Square, SquareClient, SquareError } from 'square';
import type { SquareConfig } from '../config/config.ts';
import {
  CardNetworkAway,
  type Cards,
  type Declined,
  type Held,
  type Hold,
  type HoldAsked,
  holdKey,
  type RefundAsked,
  type Refused,
  refundKey,
} from './cards.ts';

const DECLINE_WORDS: Record<string, string> = {
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
const DECLINED = 'The card was declined. Nothing was charged: try another card.';

export type SquareOptions = { readonly holdTimeoutS?: number; readonly timeoutS?: number };

type Open = { square: SquareClient; locationId: string; holdTimeout: Timeout; timeout: Timeout };
type Timeout = { timeoutInSeconds: number };

/** Square's Payments API behind the verbs that the product needs. The SDK is loaded when the first card is. */
export function squareCards(
  config: () => SquareConfig,
  { holdTimeoutS = 15, timeoutS = 4 }: SquareOptions = {},
): Cards {
  let opened: Promise<Open> | undefined;
  const start = async (): Promise<Open> => {
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
    look: async (squareId) => {
      const payment = await read(await open(), squareId);
      if (!payment) return undefined;
      const refunded = Number(payment.refundedMoney?.amount ?? 0);
      return { status: payment.status ?? 'UNKNOWN', amount: Number(payment.totalMoney?.amount ?? 0), refunded };
    },
  };
}

const cents = (amount: number): Square.Money => ({ amount: BigInt(amount), currency: 'USD' });

async function hold({ square, locationId, holdTimeout }: Open, asked: HoldAsked): Promise<Hold | Declined> {
  const request: Square.CreatePaymentRequest = {
    idempotencyKey: holdKey(asked.orderId),
    sourceId: asked.sourceId,
    amountMoney: cents(asked.amount),
    autocomplete: false,
    referenceId: asked.orderId,
    locationId,
    ...(asked.verificationToken ? { verificationToken: asked.verificationToken } : {}),
  };
  try {
    const { payment } = await square.payments.create(request, holdTimeout);
    const status = payment?.status;
    if (status === 'FAILED' || status === 'CANCELED') return { kind: 'declined', reason: DECLINED, code: status };
    // Anything else may still turn into money: the key is asked about again, and released when nothing comes of it.
    if (status !== 'APPROVED' || !payment?.id) throw new CardNetworkAway(new Error(`the hold is ${status}`));
    const card = payment.cardDetails?.card;
    return {
      kind: 'held',
      squareId: payment.id,
      versionToken: payment.versionToken ?? null,
      cardBrand: card?.cardBrand ?? null,
      cardLast4: card?.last4 ?? null,
    };
  } catch (error) {
    if (error instanceof CardNetworkAway) throw error;
    const { code } = refusalOf(error);
    if (code === 'IDEMPOTENCY_KEY_REUSED') throw new CardNetworkAway(error);
    return { kind: 'declined', reason: DECLINE_WORDS[code] ?? DECLINED, code };
  }
}

async function capture(open: Open, { squareId, versionToken, amount }: Held): Promise<{ kind: 'captured' } | Refused> {
  if (squareId === null) return refused('there is no payment to capture');
  const complete = async (token: string | null) => {
    const asked = { paymentId: squareId, ...(token ? { versionToken: token } : {}) };
    requireStatus('COMPLETED', await open.square.payments.complete(asked, open.timeout));
  };
  let refusal = await refusalBy(complete(versionToken));
  if (!refusal) return { kind: 'captured' };
  let payment = await read(open, squareId);
  const newer = payment?.versionToken;
  // Somebody touched the hold since: it is still ours to take as long as it is over the same amount.
  if (payment?.status === 'APPROVED' && newer && newer !== versionToken && amountOf(payment) === amount) {
    refusal = await refusalBy(complete(newer));
    if (!refusal) return { kind: 'captured' };
    payment = await read(open, squareId);
  }
  // It may have been refused because an earlier try did it, and only its answer was lost.
  if (payment?.status === 'COMPLETED' && amountOf(payment) === amount) return { kind: 'captured' };
  return refused(`capture refused (${refusal}); ${describe(payment)}`);
}

async function release(open: Open, { orderId, squareId }: Held): Promise<{ kind: 'released' } | Refused> {
  const { square, timeout } = open;
  if (squareId === null) {
    const idempotencyKey = holdKey(orderId);
    const refusal = await refusalBy(square.payments.cancelByIdempotencyKey({ idempotencyKey }, timeout));
    if (!refusal || refusal.startsWith('404')) return { kind: 'released' };
    return refused(`release by key refused (${refusal})`);
  }
  const cancel = async () => requireStatus('CANCELED', await square.payments.cancel({ paymentId: squareId }, timeout));
  const refusal = await refusalBy(cancel());
  if (!refusal) return { kind: 'released' };
  const payment = await read(open, squareId);
  if (payment?.status === 'CANCELED' || payment?.status === 'FAILED') return { kind: 'released' };
  // What was captured by mistake and given back by a person holds nothing any more either.
  if (payment?.status === 'COMPLETED' && payment.refundedMoney?.amount === payment.totalMoney?.amount) {
    return { kind: 'released' };
  }
  return refused(`release refused (${refusal}); ${describe(payment)}`);
}

async function refund({ square, timeout }: Open, asked: RefundAsked) {
  try {
    const { refund } = asked.squareRefundId
      ? await square.refunds.get({ refundId: asked.squareRefundId }, timeout)
      : await square.refunds.refundPayment(
          {
            idempotencyKey: refundKey(asked.refundId),
            paymentId: asked.squareId,
            amountMoney: cents(asked.amount),
            reason: asked.reason,
          },
          timeout,
        );
    if (!refund?.id) throw new CardNetworkAway(new Error('a refund without an id'));
    if (refund.status === 'COMPLETED') return { kind: 'refunded' as const, squareRefundId: refund.id };
    if (refund.status === 'PENDING') return { kind: 'pending' as const, squareRefundId: refund.id };
    return refused(`the card network says that refund ${refund.id} is ${refund.status}`);
  } catch (error) {
    if (error instanceof CardNetworkAway) throw error;
    const { status, code, detail } = refusalOf(error);
    return refused(`refund refused (${status} ${code} ${detail})`);
  }
}

// An answer that was cut short on its way says nothing.
function requireStatus(status: string, { payment }: { payment?: Square.Payment }): void {
  if (payment?.status !== status) throw new CardNetworkAway(new Error(`an answer without ${status}`));
}

const refused = (reason: string) => ({ kind: 'refused' as const, reason });

const amountOf = (payment: Square.Payment) => Number(payment.totalMoney?.amount ?? payment.amountMoney?.amount ?? 0);

function describe(payment: Square.Payment | undefined): string {
  if (!payment) return 'the card network knows no such payment';
  return `there it is ${payment.status}, ${amountOf(payment)} cents`;
}

/** The words of the network's no, or undefined when it did what was asked. Throws CardNetworkAway. */
async function refusalBy(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof CardNetworkAway) throw error;
    const { status, code, detail } = refusalOf(error);
    return `${status} ${code} ${detail}`.trim();
  }
}

async function read({ square, timeout }: Open, paymentId: string): Promise<Square.Payment | undefined> {
  try {
    const { payment } = await square.payments.get({ paymentId }, timeout);
    if (!payment?.status) throw new CardNetworkAway(new Error('an answer without a payment'));
    return payment;
  } catch (error) {
    if (error instanceof CardNetworkAway) throw error;
    if (refusalOf(error).status === 404) return undefined;
    throw new CardNetworkAway(error);
  }
}

/** The network's no; throws CardNetworkAway for everything that is not one. */
function refusalOf(error: unknown): { status: number; code: string; detail: string } {
  const { statusCode: status, errors = [] } = (error ?? {}) as Partial<SquareError>;
  // 401 and 403 speak of our key, not of the card: the operator mends it and the same key goes on. 409 speaks of another
  // try of ours that is under way.
  const unclear = status === undefined || status < 400 || status >= 500 || [401, 403, 408, 409, 429].includes(status);
  if (unclear) throw new CardNetworkAway(error);
  return { status, code: errors[0]?.code ?? 'UNKNOWN', detail: errors[0]?.detail ?? '' };
}
