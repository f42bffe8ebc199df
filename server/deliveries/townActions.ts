import type { TownAction } from '../../contract/operator/orders.ts';
import { townReasonsOf } from '../../domain/needs.ts';
import { DELIVERY_TOWN_ROWS } from '../../domain/process/delivery.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import { actionsAt, hintOf } from '../orders/townActions.ts';
import { readDeliveryWithHistory } from './deliveryExceptions.sql.ts';
import { chooseException } from './deliveryExceptions.ts';
import { isRelayed } from './exceptionChange.ts';

const OPERATOR = { role: 'Operator', id: null } as const;

/** What an operator can do with a delivery at its present status. */
export async function readTownActionsOfDelivery(tx: Tx, id: string, now: Date): Promise<TownAction[]> {
  const delivery = orNotFound(await readDeliveryWithHistory(tx, OPERATOR, id));
  return actionsAt(DELIVERY_TOWN_ROWS, delivery.status).map((action) => ({
    action,
    hint: hintOf(chooseException(OPERATOR, delivery, { id, action }, now)),
    reasons: [...townReasonsOf(action)],
    needsWords: action === 'call-off' && isRelayed(delivery),
    needsPlace: action === 'relay',
    needsPayer: false,
    waysHome: [],
  }));
}
