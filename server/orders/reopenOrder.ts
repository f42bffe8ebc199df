import type { OrderExceptionAnswer } from '../../contract/exceptions.ts';
import type { TripPayer } from '../../domain/orders.ts';
import type { CleaningAgain } from '../cases/caseMoney.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { chooseOrderStep, takeOrderStepIn } from './steps.ts';

const TOWN = { role: 'Operator', id: null } as const;

type Reopening = {
  readonly orderId: string;
  readonly waysPaidBy: TripPayer;
  readonly reason: string;
  readonly words?: string | undefined;
};

/**
 * Has an order cleaned again, as an operator or the answer to a claim decides, in the transaction of that decision: its next
 * round, with new deliveries that cost the Bud nothing. Refuses when it is closed, or when a delivery has not ended.
 */
export function reopenOrder(
  { now }: Pick<Context, 'now'>,
  tx: Tx,
  { orderId: id, ...why }: Reopening,
): Promise<OrderExceptionAnswer> {
  return takeOrderStepIn(tx, TOWN, { id, action: 'reopen', ...why }, now);
}

const AT_COST_OF_SCRUB = { waysPaidBy: 'scrub', reason: 'clean-again' } as const;

/** A Scrub cleans again, as they offered in the answer to a claim. */
export const CLEANING_AGAIN: CleaningAgain = {
  canBegin: async (tx, id, at) =>
    (await chooseOrderStep(tx, TOWN, { id, action: 'reopen', ...AT_COST_OF_SCRUB }, at)).ok,
  begin: (tx, orderId, at) => reopenOrder({ now: () => at }, tx, { orderId, ...AT_COST_OF_SCRUB }),
};
