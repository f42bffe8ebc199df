import type { QueryKey } from '@tanstack/react-query';
import type { StepEvent } from '../../contract/events.ts';
import type { Role } from '../../domain/accounts.ts';

/** What a cached answer is about: the keys are ['orders' | 'deliveries', 'one', id], [..., 'list', …] and ['dashboards', …]. */
type CachedQuery = { readonly key: QueryKey; readonly data: unknown };

const LIVE_QUERY_KINDS = ['orders', 'deliveries', 'dashboards', 'earnings'];

/** Whether a cached answer is of a kind that events tell about at all. */
export const isLiveQuery = ({ key }: CachedQuery) => LIVE_QUERY_KINDS.includes(String(key[0]));

/** Whether an event has made a cached answer old. */
export function isAffected({ key, data }: CachedQuery, event: StepEvent, role: Role): boolean {
  const [kind, part, id] = key;
  const shows = part === 'list' || id === event.id;
  if (event.entity === 'order') {
    if (kind === 'earnings') return event.status === 'Completed';
    return kind === 'dashboards' || (kind === 'orders' && shows);
  }
  if (kind === 'deliveries') return shows;
  if (kind === 'orders') return part === 'one' && deliveryIdsOf(data).includes(event.id);
  // The figures of a Bud and a Scrub do not count deliveries.
  if (kind === 'dashboards') return role === 'Duber';
  return kind === 'earnings' && event.status === 'Delivered';
}

function deliveryIdsOf(order: unknown): string[] {
  const { deliveries = [] } = (order ?? {}) as { deliveries?: { id: string }[] };
  return deliveries.map(({ id }) => id);
}
