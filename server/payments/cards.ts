import type { Square, SquareClient, SquareError } from 'square';
import type { SquareConfig } from '../config.ts';

/** The card network did not answer, or not in a way that says what it did: ask again with the same key. */
export class CardNetworkAway extends Error {
  constructor(cause: unknown) {
    super('the card network does not answer', { cause });
    this.name = 'CardNetworkAway';
  }
}

export type Hold = {
  readonly kind: 'held';
  readonly squareId: string;
  readonly versionToken: string | null;
  readonly cardBrand: string | null;
  readonly cardLast4: string | null;
};
/** No money will move under this key; `reason` is in words for the person whose card it is. */
export type Declined = { readonly kind: 'declined'; readonly reason: string };
/** It will never work, whoever asks how often; `reason` is for the person who looks into it. */
export type Refused = { readonly kind: 'refused'; readonly reason: string };

export type HoldAsked = {
  readonly orderId: string;
  /** Cents. */
  readonly amount: number;
  readonly sourceId: string;
  readonly verificationToken: string | null;
};
export type Held = { readonly orderId: string; readonly squareId: string | null; readonly versionToken: string | null };

/** What is asked of the card network. Every verb may be repeated; all throw CardNetworkAway. */
export type Cards = {
  hold(asked: HoldAsked): Promise<Hold | Declined>;
  capture(held: Held): Promise<{ kind: 'captured' } | Refused>;
  /** Releases a hold, also one that is only suspected under the order's key. */
  release(held: Held): Promise<{ kind: 'released' } | Refused>;
};

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

const HOLD_TIMEOUT_S = 15;
const SETTLE_TIMEOUT_S = 4;

/** The key that every try of an order's hold carries; Square takes 45 characters at most. */
export const holdKey = (orderId: string) => `hold-${orderId}`;

/** Square's Payments API behind the three verbs that the product needs. The SDK is loaded when the first card is. */
export function squareCards(config: () => SquareConfig): Cards {
  let client: Promise<SquareClient> | undefined;
  const open = async () => {
    const { SquareClient } = await import('square');
    const { accessToken, baseUrl } = config();
    return new SquareClient({ token: accessToken, baseUrl, maxRetries: 0 });
  };
  const square = () => {
    client ??= open();
    return client;
  };
  return {
    hold: async (asked) => hold(await square(), config().locationId, asked),
    capture: async (held) => capture(await square(), held),
    release: async (held) => release(await square(), held),
  };
}

async function hold(square: SquareClient, locationId: string, asked: HoldAsked): Promise<Hold | Declined> {
  const request: Square.CreatePaymentRequest = {
    idempotencyKey: holdKey(asked.orderId),
    sourceId: asked.sourceId,
    amountMoney: { amount: BigInt(asked.amount), currency: 'USD' },
    autocomplete: false,
    referenceId: asked.orderId,
    locationId,
    ...(asked.verificationToken ? { verificationToken: asked.verificationToken } : {}),
  };
  try {
    const { payment } = await square.payments.create(request, { timeoutInSeconds: HOLD_TIMEOUT_S });
    if (payment?.status !== 'APPROVED' || !payment.id) return { kind: 'declined', reason: DECLINED };
    const card = payment.cardDetails?.card;
    return {
      kind: 'held',
      squareId: payment.id,
      versionToken: payment.versionToken ?? null,
      cardBrand: card?.cardBrand ?? null,
      cardLast4: card?.last4 ?? null,
    };
  } catch (error) {
    const { code } = refusalOf(error);
    if (code === 'IDEMPOTENCY_KEY_REUSED') throw new CardNetworkAway(error);
    return { kind: 'declined', reason: DECLINE_WORDS[code] ?? DECLINED };
  }
}

async function capture(square: SquareClient, { squareId, versionToken }: Held) {
  if (squareId === null) return { kind: 'refused' as const, reason: 'there is no payment to capture' };
  const complete = (token: string | null) =>
    square.payments.complete({ paymentId: squareId, ...(token ? { versionToken: token } : {}) }, timeout);
  try {
    await complete(versionToken);
    return { kind: 'captured' as const };
  } catch (error) {
    const refusal = refusalOf(error);
    // It may be refused because an earlier try did it, and only its answer was lost.
    const payment = await read(square, squareId);
    if (payment?.status === 'COMPLETED') return { kind: 'captured' as const };
    if (payment?.status === 'APPROVED' && payment.versionToken && payment.versionToken !== versionToken) {
      await complete(payment.versionToken).catch((again: unknown) => {
        throw new CardNetworkAway(again);
      });
      return { kind: 'captured' as const };
    }
    return { kind: 'refused' as const, reason: `capture refused: ${refusal.code} ${refusal.detail}` };
  }
}

async function release(square: SquareClient, { orderId, squareId }: Held) {
  try {
    if (squareId === null) await square.payments.cancelByIdempotencyKey({ idempotencyKey: holdKey(orderId) }, timeout);
    else await square.payments.cancel({ paymentId: squareId }, timeout);
    return { kind: 'released' as const };
  } catch (error) {
    const refusal = refusalOf(error);
    if (squareId === null && refusal.status === 404) return { kind: 'released' as const };
    const payment = squareId === null ? undefined : await read(square, squareId);
    if (payment?.status === 'CANCELED' || payment?.status === 'FAILED') return { kind: 'released' as const };
    return { kind: 'refused' as const, reason: `release refused: ${refusal.code} ${refusal.detail}` };
  }
}

const timeout = { timeoutInSeconds: SETTLE_TIMEOUT_S };

async function read(square: SquareClient, paymentId: string) {
  try {
    return (await square.payments.get({ paymentId }, timeout)).payment;
  } catch (error) {
    throw new CardNetworkAway(error);
  }
}

/** The network's no; throws CardNetworkAway for everything that is not one. */
function refusalOf(error: unknown): { status: number; code: string; detail: string } {
  const { statusCode: status, errors = [] } = (error ?? {}) as Partial<SquareError>;
  // 401 and 403 speak of our key, not of the card: the operator mends it and the same key goes on.
  const unclear = status === undefined || status >= 500 || [401, 403, 408, 429].includes(status);
  if (unclear) throw new CardNetworkAway(error);
  return { status, code: errors[0]?.code ?? 'UNKNOWN', detail: errors[0]?.detail ?? '' };
}
