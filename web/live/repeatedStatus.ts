import type { StepEvent } from '../../contract/events.ts';
import { queryClient } from '../api/queryClient.ts';

type Row = {
  readonly id?: string;
  readonly status?: string;
  readonly statusHistory?: readonly { createdAt: string }[];
};

/** How long a screen without a history shows a status before an event with the same one cannot be its first. */
const SETTLED_MS = 5_000;

/** The statuses of the last events, by order. */
const lastStatuses = new Map<string, string>();

/**
 * Whether an event left the status of an order as it was, such as a weight: the screens are refetched without a toast. Call it
 * once for each event, before the refetch.
 */
export function isRepeated({ entity, id, status, at }: StepEvent): boolean {
  if (entity !== 'order') return false;
  const last = lastStatuses.get(id);
  lastStatuses.set(id, status);
  if (last !== undefined) return last === status;
  return queryClient
    .getQueryCache()
    .getAll()
    .some(({ state: { data, dataUpdatedAt } }) =>
      rowsOf(data).some((row) => {
        if (row?.id !== id || row.status !== status) return false;
        const since = row.statusHistory?.at(-1)?.createdAt;
        return since ? Date.parse(since) < Date.parse(at) : Date.now() - dataUpdatedAt > SETTLED_MS;
      }),
    );
}

/** An order, or what a list or a dashboard has. */
const rowsOf = (data: unknown): (Row | undefined)[] =>
  typeof data === 'object' && data !== null ? [data, ...Object.values(data).flat()] : [];
