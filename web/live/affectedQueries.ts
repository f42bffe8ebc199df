import type { QueryKey } from '@tanstack/react-query';
import type { ChangeEvent } from '../../contract/events.ts';
import { isCustodyKey } from '../api/queryKeys.ts';

/** The keys are ['orders' | 'deliveries' | 'cases', 'one', id], the same with 'list', …, ['dashboards', …] and ['saved-cards']. */
type CachedQuery = { readonly key: QueryKey; readonly data: unknown };

const LIVE_QUERY_KINDS = ['orders', 'deliveries', 'cases', 'dashboards', 'earnings', 'saved-cards'];

/** Whether live events can affect a query. */
export const isLiveQuery = ({ key }: CachedQuery) => LIVE_QUERY_KINDS.includes(String(key[0]));

/** What a Duber is paid for, or what takes it back, leads to one of these. */
const PAYING_STATUSES: readonly string[] = [
  'Delivered',
  'Failed',
  'Returned',
  'Called_Off',
  'Pending',
  'Way_To_Pick',
  'Way_To_Drop',
];

/** Whether an event makes the cached data of a query stale. */
export function isAffected({ key, data }: CachedQuery, event: ChangeEvent): boolean {
  const [kind, part, id] = key;
  const includesEntity = part === 'list' || id === event.id;
  // Too many wrong PINs are a case, and no step.
  if (event.entity === 'case' && isCustodyKey(key)) return true;
  if (event.entity === 'case' || kind === 'cases') return event.entity === 'case' && kind === 'cases' && includesEntity;
  // The card that an order was placed with is saved, or was used last.
  if (kind === 'saved-cards') return event.entity === 'order' && event.status === 'Requested';
  if (event.entity === 'order') {
    if (kind === 'earnings') return event.status === 'Completed';
    return kind === 'dashboards' || (kind === 'orders' && includesEntity);
  }
  if (kind === 'deliveries') return includesEntity;
  // An order on its first fetch may be the delivery's.
  if (kind === 'orders')
    return part === 'one' && (data === undefined ? key.length === 3 : deliveryIdsOf(data).includes(event.id));
  if (kind === 'dashboards') return true;
  return kind === 'earnings' && PAYING_STATUSES.includes(event.status);
}

function deliveryIdsOf(order: unknown): string[] {
  const { deliveries = [] } = (order ?? {}) as { deliveries?: { id: string }[] };
  return deliveries.map(({ id }) => id);
}
