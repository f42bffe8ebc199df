import type { StepEvent } from '../../contract/events.ts';
import type { Role } from '../../domain/accounts.ts';
import { askAnew } from '../queries.ts';
import { isTouched } from './affectedQueries.ts';

const GATHER_MS = 250;
/** The card is charged after the order was accepted. */
const CHARGED_AFTER_MS = 2_500;

let gathered: StepEvent[] | undefined;

/** Asks anew for what an event has made old: at once, and for all that follows it closely in one go. */
export function refetchTouched(event: StepEvent, role: Role): void {
  if (role === 'Bud' && event.entity === 'order' && event.status === 'Accepted')
    setTimeout(() => invalidate([event], role), CHARGED_AFTER_MS);
  if (gathered) {
    gathered.push(event);
    return;
  }
  gathered = [];
  invalidate([event], role);
  // Each refetch cancels the one before it: a rush of events would never let one finish.
  setTimeout(() => {
    const rest = gathered ?? [];
    gathered = undefined;
    if (rest.length > 0) invalidate(rest, role);
  }, GATHER_MS);
}

function invalidate(events: readonly StepEvent[], role: Role): void {
  void askAnew(({ queryKey: key, state: { data } }) => events.some((event) => isTouched({ key, data }, event, role)));
}
