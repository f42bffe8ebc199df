import { FAILURES, failureOfNeed } from '../../contract/failures.ts';
import type { ChosenRow } from '../../domain/workflow.ts';

/** The actions with a row that leads on from a status, each once. */
export const actionsAt = <A extends string>(
  rows: readonly { readonly action: A; readonly from: string }[],
  status: string,
): A[] => [...new Set(rows.filter(({ from }) => from === status).map(({ action }) => action))];

/** Why no row can be taken now. `moved` is what to say of laundry that has moved. */
export function hintOf(choice: ChosenRow<unknown>, moved?: string): string | null {
  if (choice.ok) return null;
  const failure = (choice.why === 'need' ? failureOfNeed(choice.need) : undefined) ?? 'wrongStatus';
  return failure === 'laundryMoved' && moved !== undefined ? moved : FAILURES[failure][1];
}
