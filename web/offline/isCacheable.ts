import type { QueryKey } from '@tanstack/react-query';
import { isCustodyKey, isPositionKey } from '../api/queryKeys.ts';

/** The first parts of the query keys of all screens that open without a network. */
const CACHED_KINDS = ['orders', 'deliveries', 'dashboards', 'earnings', 'profile', 'config'];

/**
 * Whether the answer to a query may stay on this device. A Duber's position must not outlive the delivery by more than an hour,
 * and a PIN is worth something at a door.
 */
export const isCacheable = (key: QueryKey): boolean =>
  CACHED_KINDS.includes(String(key[0])) && !isPositionKey(key) && !isCustodyKey(key);
