import { createHash } from 'node:crypto';
import { refuse } from '../../http/refusals.ts';

/** The card network gave no clear answer. The caller repeats the request with the same key. */
export class CardNetworkUnavailableError extends Error {
  constructor(cause: unknown) {
    super('the card network does not answer', { cause });
    this.name = 'CardNetworkUnavailableError';
  }
}

const RETRY_AFTER_S = 5;

/** Fails a call because the card network gave no clear answer. The Bud may repeat it with the same key. */
export const refuseCardNetworkAway = (): never => refuse('cardNetworkAway', { retryAfter: RETRY_AFTER_S });

/** `cardFingerprint` is the same for every token and account that a card is used with. */
export type Hold = {
  readonly kind: 'held';
  readonly squareId: string;
  readonly versionToken: string | null;
  readonly cardBrand: string | null;
  readonly cardLast4: string | null;
  readonly cardFingerprint: string | null;
};
/** Final: no money moves under this key. `reason` is shown to the cardholder, `code` is the card network's. */
export type Declined = {
  readonly kind: 'declined';
  readonly reason: string;
  readonly code: string;
  readonly cardFingerprint: string | null;
};
export type Captured = { readonly kind: 'captured'; readonly amount: number };
/** Final: retrying cannot succeed. `reason` is shown to the operator. */
/** How the reason of a refusal begins when the hold on the card is over: it cannot be charged any more. */
export const HOLD_IS_OVER = 'the hold on the card is over';
export type Refused = { readonly kind: 'refused'; readonly reason: string };

export type HoldRequest = {
  readonly orderId: string;
  /** Cents. */
  readonly amount: number;
  readonly sourceId: string;
  readonly verificationToken: string | null;
  /** The customer of the card network whose saved card `sourceId` is; null for a token of the card form. */
  readonly customerId: string | null;
  /** The order that it pays for, where the hold has an id of its own. */
  readonly paysFor?: string | null;
};
export type HeldPayment = {
  readonly orderId: string;
  /** The amount to charge, in cents. */
  readonly amount: number;
  /** The amount to hold, in cents, where it is more than `amount`. */
  readonly held?: number | null;
  readonly squareId: string | null;
  readonly versionToken: string | null;
};
export type CardRefundRequest = {
  readonly refundId: string;
  readonly squareId: string;
  /** Cents. */
  readonly amount: number;
  readonly reason: string;
  /** Set once the card network has accepted the refund. */
  readonly squareRefundId: string | null;
};
/** A payment's state at the card network, amounts in cents. */
export type CardNetworkPayment = {
  readonly status: string;
  readonly amount: number;
  readonly refunded: number;
  /** What the card network keeps of it and of its refunds. It tells that some time after the capture. */
  readonly fee?: number;
};

/** A payment that a cardholder contests, in the words of the card network. */
export type CardNetworkDispute = {
  readonly squareId: string;
  /** Square's id of the payment. */
  readonly paymentId: string;
  readonly amount: number;
  readonly reason: string;
  readonly state: string;
  /** It grows with each change. */
  readonly version: number;
  readonly dueAt: Date | null;
  readonly createdAt: Date | null;
};

/** A charge as the card network lists it. */
export type CardNetworkCharge = {
  /** The id of the payment. */
  readonly squareId: string;
  /** Null for a hold that was not captured. */
  readonly at: Date | null;
  readonly amount: number;
  /** What it keeps of it and of its refunds; 0 while that is unknown. */
  readonly fee: number;
};

/** A refund as the card network lists it. */
export type CardNetworkRefund = {
  readonly squareId: string;
  readonly paymentId: string;
  readonly at: Date;
  readonly amount: number;
  /** Whether the money has gone. */
  readonly isMade: boolean;
};

/** What the card network answers to a request of ours that changes nothing. Words are those of the card network. */
export type CardAccess =
  | { readonly kind: 'open'; readonly location: string; readonly currency: string | null; readonly takesCards: boolean }
  | { readonly kind: 'closed'; readonly statusCode: number; readonly words: string };

type ListPage<Item> = { readonly items: readonly Item[]; readonly cursor?: string };
export type DayBounds = { readonly begin: Date; readonly end: Date };

/** The records of the card network. Each call throws CardNetworkUnavailableError. */
export type CardLists = {
  /** A page of the payments that were captured from `begin` until before `end`. It can be empty. */
  charges(bounds: DayBounds, cursor?: string): Promise<ListPage<CardNetworkCharge>>;
  /** A page of the refunds that were asked for in that time. */
  refunds(bounds: DayBounds, cursor?: string): Promise<ListPage<CardNetworkRefund>>;
  /** Undefined when the card network does not know it. */
  findCharge(squareId: string): Promise<CardNetworkCharge | undefined>;
  findRefund(squareId: string): Promise<CardNetworkRefund | undefined>;
};

/** The calls about payments that cardholders contest. Each throws CardNetworkUnavailableError. */
export type CardDisputes = {
  /** A page of all of them. */
  list(cursor?: string): Promise<{ readonly disputes: readonly CardNetworkDispute[]; readonly cursor?: string }>;
  /** Sends evidence to the bank; nothing when it was sent before. Returns the dispute as it is afterwards. */
  sendEvidence(squareId: string, pieces: readonly string[]): Promise<CardNetworkDispute | Refused>;
  /** Gives up; nothing when it was given up before. */
  accept(squareId: string): Promise<CardNetworkDispute | Refused>;
};

/** A card as the card network has it on file. */
export type CardOnFile = {
  readonly kind: 'saved';
  readonly squareCardId: string;
  readonly brand: string | null;
  readonly last4: string | null;
  readonly expMonth: number | null;
  readonly expYear: number | null;
};

/** The calls about cards on file. Each is safe to repeat; each throws CardNetworkUnavailableError. */
export type CardsOnFile = {
  /** The id of a Bud at the card network, made with the first call. */
  createCustomer(budId: string): Promise<string>;
  /** Also of a customer that is deleted already. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Saves the card of a payment that is at most 24 hours old. */
  save(request: {
    readonly id: string;
    readonly customerId: string;
    readonly paymentId: string;
  }): Promise<CardOnFile | Refused>;
  /** Afterwards the card cannot be charged. Also of a card that is removed already. */
  remove(squareCardId: string): Promise<void>;
};

/** The calls to the card network. Each is safe to repeat; each throws CardNetworkUnavailableError. */
export type Cards = {
  hold(request: HoldRequest): Promise<Hold | Declined>;
  /** `amount` is what was charged: more than asked for when the card network cannot lower this hold. */
  capture(payment: HeldPayment): Promise<Captured | Refused>;
  /** Voids a hold. Without a `squareId`, voids whatever was held under the order's key. */
  release(payment: HeldPayment): Promise<{ kind: 'released' } | Refused>;
  refund(request: CardRefundRequest): Promise<{ kind: 'refunded' | 'pending'; squareRefundId: string } | Refused>;
  /** Undefined when the card network does not know the payment. */
  findPayment(squareId: string): Promise<CardNetworkPayment | undefined>;
  /** Whether our keys are accepted. Moves no money. */
  checkAccess(): Promise<CardAccess>;
  readonly disputes: CardDisputes;
  readonly lists: CardLists;
  readonly onFile: CardsOnFile;
};

/** The idempotency key of an order's hold, the same for every try. Square allows up to 45 characters. */
export const holdKey = (orderId: string) => `hold-${orderId}`;
/** The same for each try to lower the same version of a payment to the same amount. */
export const lowerKey = (squareId: string, versionToken: string, amount: number) =>
  `lower-${createHash('sha256').update(`${squareId} ${versionToken} ${amount}`).digest('base64url').slice(0, 32)}`;
export const refundKey = (refundId: string) => `refund-${refundId}`;
/** The same for each try to send the same piece of evidence. */
export const evidenceKey = (disputeId: string, place: number, text: string) =>
  `evidence-${createHash('sha256').update(`${disputeId} ${place} ${text}`).digest('base64url').slice(0, 32)}`;
