import { NEED_FAILURES } from '../../contract/failures.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { ChosenRow } from '../../domain/workflow.ts';
import { refuse } from '../http/refusals.ts';

type NoRow = Exclude<ChosenRow<unknown>, { ok: true }>;

/** Refuses an action because of its status, or of the need that is missing. */
export function refuseChoice(choice: NoRow, status: OrderStatus): never {
  if (choice.why === 'need' && choice.need in NEED_FAILURES)
    refuse(NEED_FAILURES[choice.need as keyof typeof NEED_FAILURES]);
  return refuse('wrongStatus', { message: `This order is ${status.replaceAll('_', ' ')}` });
}
