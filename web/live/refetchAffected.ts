import type { ChangeEvent } from '../../contract/events.ts';
import type { Role } from '../../domain/accounts.ts';
import { invalidateMatching } from '../api/queryClient.ts';
import { isAffected } from './affectedQueries.ts';

const BATCH_MS = 250;
/** The card is charged a moment after the order is accepted. */
const CHARGE_DELAY_MS = 2_500;

let pendingEvents: ChangeEvent[] | undefined;

/** Refetches the queries that an event affects: the first event at once, those right after it in one batch. */
export function refetchAffected(event: ChangeEvent, role: Role): void {
  if (role === 'Bud' && event.entity === 'order' && event.status === 'Accepted')
    setTimeout(() => invalidateAffected([event], role), CHARGE_DELAY_MS);
  if (pendingEvents) {
    pendingEvents.push(event);
    return;
  }
  pendingEvents = [];
  invalidateAffected([event], role);
  // Each refetch cancels the previous one, so without batching a burst of events would let none finish.
  setTimeout(() => {
    const rest = pendingEvents ?? [];
    pendingEvents = undefined;
    if (rest.length > 0) invalidateAffected(rest, role);
  }, BATCH_MS);
}

function invalidateAffected(events: readonly ChangeEvent[], role: Role): void {
  void invalidateMatching(({ queryKey: key, state: { data } }) =>
    events.some((event) => isAffected({ key, data }, event, role)),
  );
}
