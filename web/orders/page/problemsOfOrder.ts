import type { Case } from '../../../contract/cases.ts';
import type { Order } from '../../../contract/orders.ts';
import { ORDER_GROUPS } from '../../../domain/orders.ts';

/** The problems of an order: those that give money back, which its price shows, and the others. */
export function problemsOfOrder(cases: readonly Case[], { id, status }: Pick<Order, 'id' | 'status'>) {
  const own = cases.filter(({ orderId }) => orderId === id);
  // The price of an order that was called off has one amount for all that goes back.
  const isCalledOff = ORDER_GROUPS[status] === 'cancelled';
  const givesBack = ({ givenBack }: Case) => givenBack > 0 && !isCalledOff;
  return { givingBack: own.filter(givesBack), others: own.filter((found) => !givesBack(found)) };
}
