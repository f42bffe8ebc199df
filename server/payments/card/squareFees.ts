import { CardNetworkUnavailableError } from './cards.ts';
import type { SquareContext } from './squareAnswers.ts';
import type { SquareFee, SquarePayment } from './squareClient.ts';

/** The fees of a payment and of its refunds, as far as they are known; undefined before the first one is. */
export async function readFee({ square, wait }: SquareContext, payment: SquarePayment): Promise<number | undefined> {
  if (!payment.processing_fee?.length) return undefined;
  let fee = addUpFees(payment.processing_fee);
  for (const id of payment.refund_ids ?? []) {
    const refund = await square.getRefund(id, wait).catch((error) => {
      throw new CardNetworkUnavailableError(error);
    });
    fee += addUpFees(refund.processing_fee ?? []);
  }
  return fee;
}

const addUpFees = (fees: readonly SquareFee[]) => fees.reduce((sum, { amount_money }) => sum + amount_money.amount, 0);
