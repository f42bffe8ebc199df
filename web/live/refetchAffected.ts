import type { StepEvent } from '../../contract/events.ts';
import type { Role } from '../../domain/accounts.ts';
import { invalidateMatching } from '../queryClient.ts';
import { isAffected } from './affectedQueries.ts';

const BATCH_MS = 250;
/** The card is charged after the order was accepted. */
const CHARGE_DELAY_MS = 2_500;

let pendingEvents: StepEvent[] | undefined;

/** Asks anew for what an event has made old: at once, and for all that follows it closely in one go. */
export function refetchAffected(event: StepEvent, role: Role): void {
  if (role === 'Bud' && event.entity === 'order' && event.status === 'Accepted')
    setTimeout(() => invalidateAffected([event], role), CHARGE_DELAY_MS);
  if (pendingEvents) {
    pendingEvents.push(event);
    return;
  }
  pendingEvents = [];
  invalidateAffected([event], role);
  // Each refetch cancels the one before it: a rush of events would never let one finish.
  setTimeout(() => {
    const rest = pendingEvents ?? [];
    pendingEvents = undefined;
    if (rest.length > 0) invalidateAffected(rest, role);
  }, BATCH_MS);
}

function invalidateAffected(events: readonly StepEvent[], role: Role): void {
  void invalidateMatching(({ queryKey: key, state: { data } }) =>
    events.some((event) => isAffected({ key, data }, event, role)),
  );
}
