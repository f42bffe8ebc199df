import { type DisputeStatus, WARN_BEFORE_MS } from '../disputes.ts';
import { type Actor, fromEach, rowsOfTimers, type Transition } from '../workflow.ts';
import type { DisputeCauses } from './row.ts';

// The life of a chargeback: who may do what, at which status, what it needs, and what it causes.

/** The columns of a chargeback that its rows set. */
export type DisputeColumns = {
  readonly sentAt: Date;
  readonly endedAt: Date;
  /** Nobody is named any more who bears it. */
  readonly bearer: null;
};

type RowCauses = DisputeCauses<{ readonly at: Date }, DisputeColumns>;
export type DisputeAction = 'prepare' | 'send' | 'accept' | 'answered' | 'asked-again' | 'win' | 'lose' | 'warn';

/** A row of a chargeback, as the server takes it. `after` counts from the date of the bank; a negative time is before it. */
export type DisputeRow = Transition<DisputeAction, DisputeStatus, Actor> & RowCauses;

/** The effects of a chargeback that the card network reports, and that the bank has not decided yet. */
export const FOUND = {
  to: 'open',
  by: 'System',
  holds: 'chargeback',
  opens: { case: 'chargeback' },
} as const satisfies RowCauses & Pick<DisputeRow, 'to' | 'by'>;

const UNANSWERED = ['open', 'prepared'] as const;
const RUNNING = [...UNANSWERED, 'sent'] as const;

const stay = <const Status extends DisputeStatus, const Row extends object>(statuses: readonly Status[], row: Row) =>
  statuses.map((status) => ({ ...row, from: status, to: status }));

const ENDED = {
  by: 'System',
  sets: ({ at }) => ({ endedAt: at }),
  endsCall: true,
  frees: 'chargeback',
} as const satisfies RowCauses & { readonly by: Actor };

/** The whole life of a chargeback. The card network's answer to a call moves it, and what the bank decides is the System's. */
export const DISPUTE_ROWS = [
  ...fromEach(UNANSWERED, {
    action: 'prepare',
    to: 'prepared',
    by: 'Operator',
    needs: ['no-call'],
    keeps: 'evidence',
  }),
  ...stay(['prepared'], { action: 'send', by: 'Operator', needs: ['no-call'], calls: 'send' }),
  ...stay(UNANSWERED, {
    action: 'accept',
    by: 'Operator',
    needs: ['no-call', 'bearer-known'],
    calls: 'accept',
  }),
  ...stay(UNANSWERED, { action: 'warn', by: 'System', after: -WARN_BEFORE_MS, needs: ['no-call'], warns: 'town' }),
  // Also when evidence was sent on the card network's own website.
  ...fromEach(UNANSWERED, {
    action: 'answered',
    to: 'sent',
    by: 'System',
    // It was not given up, so nobody bears it.
    sets: ({ at }: { readonly at: Date }) => ({ sentAt: at, bearer: null }),
    endsCall: true,
  }),
  // A bank that is not satisfied with an inquiry contests the payment, and one that has evidence may ask for more.
  { action: 'asked-again', from: 'sent', to: 'open', by: 'System', opens: { case: 'chargeback' }, startsWarning: true },
  ...fromEach(RUNNING, { ...ENDED, action: 'win', to: 'won', settles: 'won' }),
  ...fromEach(RUNNING, { ...ENDED, action: 'lose', to: 'lost', settles: 'lost' }),
] as const satisfies readonly DisputeRow[];

export const DISPUTE_TIMER_ROWS = rowsOfTimers(DISPUTE_ROWS);
