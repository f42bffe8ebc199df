/*
 * The keys of answers in the cache that more than one room reads. All queries of a kind start with the same word, so that one call
 * refreshes all of them.
 */

export const orderKey = (id: string) => ['orders', 'one', id] as const;

export const deliveryKey = (id: string) => ['deliveries', 'one', id] as const;

const CUSTODY = 'custody';

export const custodyKey = (orderId: string) => [...orderKey(orderId), CUSTODY] as const;

/** The same for the Duber of a delivery. Not one of the orders, which are asked for again after a step that may have ended it. */
export const dubersCustodyKey = (deliveryId: string) => ['dubers-custody', deliveryId] as const;

/** Whether a cached query has a PIN and the codes of bags. The offline cache leaves these out. */
export const isCustodyKey = (key: readonly unknown[]) => key[0] === 'orders' && key[3] === CUSTODY;

const POSITION = 'position';

export const positionKey = (deliveryId: string) => [...deliveryKey(deliveryId), POSITION] as const;

/** The key of the way along streets, which begins at the position. */
export const routeKey = (deliveryId: string) => [...positionKey(deliveryId), 'route'] as const;

/** Whether a cached query tells a position. The offline cache leaves these out. */
export const isPositionKey = (key: readonly unknown[]) => key[0] === 'deliveries' && key[3] === POSITION;

/** The mutation key of every step of a delivery that is being sent. */
export const STEP_MUTATION = ['delivery-step'] as const;
