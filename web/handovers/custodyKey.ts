const CUSTODY = 'custody';

export const custodyKey = (orderId: string) => ['orders', 'one', orderId, CUSTODY] as const;

/** Whether a cached query has a PIN and the codes of bags. The offline cache leaves these out. */
export const isCustodyKey = (key: readonly unknown[]) => key[0] === 'orders' && key[3] === CUSTODY;
