import { choicesFor, type WorkChoice } from '../../domain/restrictions.ts';
import type { Tx } from '../db/database.ts';
import { readTownActionsOfOrder } from '../orders/townActions.ts';
import type { OpenWorkRow } from './openWork.sql.ts';
import type { PersonRecord } from './people.sql.ts';

/** The step of an order that a choice stands for. */
export const ORDER_ACTIONS = { another: 'give-back', cancel: 'cancel-by-operator' } as const satisfies Partial<
  Record<WorkChoice, string>
>;

/** What can become of a piece of open work now: a choice whose step would be refused is none. */
export async function readChoices(
  tx: Tx,
  { role }: Pick<PersonRecord, 'role'>,
  work: OpenWorkRow,
): Promise<readonly WorkChoice[]> {
  const choices = choicesFor(role, work);
  if (work.kind === 'delivery') return choices;
  const actions = await readTownActionsOfOrder(tx, work.id);
  const isPossible = (action: string) => actions.some((one) => one.action === action && one.hint === null);
  return choices.filter((choice) => choice === 'finish' || isPossible(ORDER_ACTIONS[choice]));
}
