import type { Order } from '../../contract/orders.ts';
import { factsOfOrder, situationOf, wayOf } from '../../domain/process/situation.ts';
import { isSentBack } from '../weighing/useWeighing.ts';

/** The order with the situation that follows from its steps, for a step that is shown before the server has answered. */
export function withSituation(order: Order): Order {
  const { status, situation, isCleanedAgain = false, wayHome = null } = order;
  const facts = factsOfOrder(order, {
    ...{ hasExpired: false, givenBackBy: null, isCleanedAgain, wayHome },
    weight: situation === 'heavier' ? 'asked' : isSentBack(order) ? 'unwashed' : null,
    isWithBud: status === 'Cancelled' && wayHome === null,
  });
  return { ...order, situation: situationOf(facts), way: wayOf(order) };
}
