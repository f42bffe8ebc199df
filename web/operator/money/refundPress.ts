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

const SAYS_WHAT_BECAME_OF_IT: readonly (Failure | undefined)[] = ['refundedSince', 'wrongStatus', 'keyReused'];

/**
 * Whether the server has said what became of the presses before: it has looked at the refund and refused it, so that none was made,
 * or the first one was made and this one is not the same. The next press is another refund of what is left then.
 */
export const isSettled = (error: unknown): boolean =>
  error instanceof CallFailed && SAYS_WHAT_BECAME_OF_IT.includes(error.code);
