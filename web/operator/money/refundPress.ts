import { CallFailed } from '../../../contract/callClient.ts';
import type { Failure } from '../../../contract/failures.ts';
import type { LiableParty } from '../../../domain/ledger.ts';

/** What an operator asks for, and what the preview said was left. */
export type RefundPress = {
  readonly amount: number;
  readonly liable: LiableParty;
  readonly deliveryId?: string;
  readonly left?: number | undefined;
};

/** Whether both ask for the same, so that the second one may be the first one again. */
export const isPressedAgain = (first: RefundPress | undefined, now: RefundPress): first is RefundPress =>
  first?.amount === now.amount && first.liable === now.liable && first.deliveryId === now.deliveryId;

/**
 * What is sent for a press. After a lost answer the refund may be made, and less may be left: the key of the dialog is that of the
 * first body, which the server then knows.
 */
export const pressToSend = (first: RefundPress | undefined, now: RefundPress): RefundPress =>
  isPressedAgain(first, now) ? first : now;

const WROTE_NOTHING: readonly (Failure | undefined)[] = ['refundedSince', 'wrongStatus'];

/** Whether the server has looked at the refund and refused it, so that no press before was made either. */
export const isRefused = (error: unknown): boolean => error instanceof CallFailed && WROTE_NOTHING.includes(error.code);
