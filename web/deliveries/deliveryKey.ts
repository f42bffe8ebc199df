/** All delivery queries start with 'deliveries' in the cache, so that one call refreshes them all. */
export const deliveryKey = (id: string) => ['deliveries', 'one', id] as const;
