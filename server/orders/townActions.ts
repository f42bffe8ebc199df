import type { TownAction } from '../../contract/operator/orders.ts';
import { ORDER_NEEDS, townReasonsOf } from '../../domain/needs.ts';
import { waysHomeFor } from '../../domain/orders.ts';
import { ORDER_TOWN_ROWS } from '../../domain/process/order.ts';
import { chooseRow } from '../../domain/workflow.ts';
import type { Tx } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import { actionsAt, hintOf } from '../process/townHints.ts';
import { factsOf, readDeliveries, whereMoved } from './orderFacts.sql.ts';
import { findOrderOfTown } from './orders.sql.ts';

/** What an operator can do with an order at its present status. */
export async function readTownActionsOfOrder(tx: Tx, id: string): Promise<TownAction[]> {
  const order = orNotFound(await findOrderOfTown(tx, id));
  const deliveries = await readDeliveries(tx, id);
  const facts = factsOf(order, deliveries);
  const moved = whereMoved(facts, deliveries, 'Operator');
  return actionsAt(ORDER_TOWN_ROWS, order.status).map((action) => ({
    action,
    hint: hintOf(
      chooseRow(ORDER_TOWN_ROWS, { action, status: order.status, by: 'Operator' }, ORDER_NEEDS, facts),
      moved,
    ),
    reasons: [...townReasonsOf(action)],
    needsWords: false,
    needsPlace: false,
    needsPayer: action === 'reopen',
    waysHome: action === 'cancel-by-operator' ? waysHomeFor(facts) : [],
  }));
}
