/** The card network did not answer, or not in a way that says what it did: ask again with the same key. */
export class CardNetworkUnavailableError extends Error {
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
/** No money will move under this key; `reason` is in words for the person whose card it is, `code` is the network's. */
export type Declined = { readonly kind: 'declined'; readonly reason: string; readonly code: string };
/** It will never work, whoever asks how often; `reason` is for the person who looks into it. */
export type Refused = { readonly kind: 'refused'; readonly reason: string };

export type HoldRequest = {
  readonly orderId: string;
  /** Cents. */
  readonly amount: number;
  readonly sourceId: string;
  readonly verificationToken: string | null;
};
export type HeldPayment = {
  readonly orderId: string;
  /** Cents. */
  readonly amount: number;
  readonly squareId: string | null;
  readonly versionToken: string | null;
};
export type CardRefundRequest = {
  readonly refundId: string;
  readonly squareId: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string;
  /** Known once the card network has taken the refund up. */
  readonly squareRefundId: string | null;
};
/** A payment as it stands at the card network; amounts in cents. */
export type CardNetworkPayment = { readonly status: string; readonly amount: number; readonly refunded: number };

/** What is asked of the card network. Every verb may be repeated; all throw CardNetworkAway. */
export type Cards = {
  hold(asked: HoldRequest): Promise<Hold | Declined>;
  capture(held: HeldPayment): Promise<{ kind: 'captured' } | Refused>;
  /** Releases a hold, also one that is only suspected under the order's key. */
  release(held: HeldPayment): Promise<{ kind: 'released' } | Refused>;
  refund(asked: CardRefundRequest): Promise<{ kind: 'refunded' | 'pending'; squareRefundId: string } | Refused>;
  /** Undefined when the card network knows no such payment. */
  findPayment(squareId: string): Promise<CardNetworkPayment | undefined>;
};

/** The key that every try of an order's hold carries; Square takes 45 characters at most. */
export const holdKey = (orderId: string) => `hold-${orderId}`;
export const refundKey = (refundId: string) => `refund-${refundId}`;
