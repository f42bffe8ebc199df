import type { Need } from '../needs.ts';
import { LONGEST_SUSPENSION_MS, SUSPENDED_FOR_MS, type SuspensionStatus } from '../restrictions.ts';
import { type Actor, rowsOfTimers, type Transition } from '../workflow.ts';

// The life of a suspension: an operator imposes it, with its restrictions, and it ends with one of these rows.

/** A row of a suspension, as the server takes it. */
export type SuspensionRow = Transition<'reinstate' | 'extend' | 'end', SuspensionStatus, Actor> & {
  /** The restrictions of the suspension end, the search finds a Scrub again, and open work says that its person is back. */
  readonly lifts?: 'restrictions';
  /** The suspension ends later. */
  readonly sets?: 'until';
  /** The mail to the person. */
  readonly notifies: 'reinstated' | 'extended';
};

export const SUSPENSION_ROWS = [
  // A second operator has approved it.
  {
    action: 'extend',
    from: 'suspended',
    to: 'suspended',
    by: 'Operator',
    needs: ['later-end', 'within-a-year'],
    sets: 'until',
    notifies: 'extended',
  },
  {
    action: 'reinstate',
    from: 'suspended',
    to: 'lifted',
    by: 'Operator',
    needs: ['not-imposed-by-them'],
    lifts: 'restrictions',
    notifies: 'reinstated',
  },
  {
    action: 'end',
    from: 'suspended',
    to: 'ended',
    by: 'System',
    after: SUSPENDED_FOR_MS,
    lifts: 'restrictions',
    notifies: 'reinstated',
  },
] as const satisfies readonly SuspensionRow[];

export const SUSPENSION_TIMER_ROWS = rowsOfTimers(SUSPENSION_ROWS);

/** What the needs look at. */
export type SuspensionFacts = {
  /** Who imposed it, and who takes the step. */
  readonly setBy: string | undefined;
  readonly actorId: string | null;
  readonly fromAt: Date | undefined;
  readonly untilAt: Date | undefined;
  /** The end that an operator asks for. */
  readonly until: Date | undefined;
  readonly now: Date;
  /** Whether who takes the step runs the town alone, so that nobody else could. */
  readonly runsAlone: boolean;
};

export const SUSPENSION_NEEDS = {
  'not-imposed-by-them': ({ setBy, actorId, runsAlone }) => setBy !== actorId || runsAlone,
  'later-end': ({ until, untilAt, now }) =>
    until !== undefined && (untilAt === undefined || until > untilAt) && until > now,
  'within-a-year': ({ until, fromAt }) =>
    until === undefined || fromAt === undefined || until.getTime() - fromAt.getTime() <= LONGEST_SUSPENSION_MS,
} as const satisfies Partial<Record<Need, (facts: SuspensionFacts) => boolean>>;
