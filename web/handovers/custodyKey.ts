import type { Delivery } from '../../contract/deliveries.ts';
import type { Order } from '../../contract/orders.ts';

const CUSTODY = 'custody';

export const custodyKey = (orderId: string) => ['orders', 'one', orderId, CUSTODY] as const;

/** The same for the Duber of a delivery. Not one of the orders, which are asked for again after a step that may have ended it. */
export const dubersCustodyKey = (deliveryId: string) => ['dubers-custody', deliveryId] as const;

/**
 * What changes with each step of an order and its deliveries: an answer that was on its way during a step is never shown after
 * the next one, which may lead back to an earlier status.
 */
export const stepsOf = ({
  status,
  round,
  isHandedOver,
  deliveries,
}: {
  readonly deliveries: readonly Pick<Delivery, 'id' | 'status' | 'attempt' | 'statusHistory' | 'exceptions'>[];
} & Pick<Order, 'status' | 'round' | 'isHandedOver'>): readonly string[] => [
  [status, round, isHandedOver].join(' '),
  ...deliveries.map((leg) =>
    [leg.id, leg.status, leg.attempt, leg.statusHistory.length, leg.exceptions.length].join(' '),
  ),
];

/** Whether a cached query has a PIN and the codes of bags. The offline cache leaves these out. */
export const isCustodyKey = (key: readonly unknown[]) => key[0] === 'orders' && key[3] === CUSTODY;
