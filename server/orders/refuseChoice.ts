import { failureOfNeed } from '../../contract/failures.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import type { ChosenRow } from '../../domain/workflow.ts';
import { refuse } from '../http/refusals.ts';

type NoRow = Exclude<ChosenRow<unknown>, { ok: true }>;

/** Refuses an action because of its status, or of the need that is missing. `moved` is what to say of laundry that has moved. */
export function refuseChoice(choice: NoRow, status: OrderStatus, moved?: string): never {
  const failure = choice.why === 'need' ? failureOfNeed(choice.need) : undefined;
  if (failure) refuse(failure, failure === 'laundryMoved' && moved !== undefined ? { message: moved } : {});
  return refuse('wrongStatus', { message: `This order is ${status.replaceAll('_', ' ')}` });
}
