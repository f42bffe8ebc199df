import type { HeldBy } from '../../domain/restrictions.ts';
import { formatDateInText } from '../ui/format.ts';

type ScrubsWork = {
  /** Whether the Scrub wants to be found. */
  readonly isActive: boolean;
  /** What keeps them from new work; undefined until it is known. */
  readonly heldBy: HeldBy | null | undefined;
  /** Until when nobody can order in the town. */
  readonly pause: { readonly until: string } | undefined;
};

/** Whether Buds find this Scrub now, under the greeting of the dashboard. */
export function scrubLine({ isActive, heldBy, pause }: ScrubsWork): string {
  if (heldBy === 'town') return 'You get no new orders now. Our email to you says why, and how to answer.';
  if (heldBy === 'documents') return 'Buds cannot find you now: your documents are not accepted.';
  if (!isActive) return 'You are invisible. Turn on Visibility to get new orders.';
  if (pause) return `No new orders are taken until ${formatDateInText(pause.until)}. After that, Buds find you again.`;
  return heldBy === null ? 'Buds near you can find you and send you orders.' : 'You are visible.';
}
