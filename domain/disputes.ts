import { HOUR_MS } from './durations.ts';
import { type Actor, rowsOfTimers } from './workflow.ts';

/** A chargeback: a payment that a cardholder contests at their bank. */
export const DISPUTE_STATUSES = ['open', 'prepared', 'sent', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The town is warned this long before the bank stops waiting for an answer. */
export const WARN_BEFORE_MS = 48 * HOUR_MS;
/** How often the card network is asked for its chargebacks, besides when it says that something has changed. */
export const DISPUTE_POLL_MS = HOUR_MS;

type DisputeRow = {
  readonly action: 'prepare' | 'send' | 'accept' | 'answered' | 'win' | 'lose' | 'warn';
  readonly from: DisputeStatus;
  readonly to: DisputeStatus;
  readonly by: Actor;
  /** A timer; that of `warn` counts back from when the bank wants an answer. */
  readonly after?: number;
};

/**
 * How a chargeback is answered. `send` and `accept` are decided by two operators, and happen when the card network has taken
 * them. What the bank decides is the System's.
 */
export const DISPUTE_FLOW = [
  { action: 'prepare', from: 'open', to: 'prepared', by: 'Operator' },
  { action: 'prepare', from: 'prepared', to: 'prepared', by: 'Operator' },
  { action: 'send', from: 'prepared', to: 'sent', by: 'Operator' },
  { action: 'accept', from: 'open', to: 'lost', by: 'Operator' },
  { action: 'accept', from: 'prepared', to: 'lost', by: 'Operator' },
  // Also when evidence was sent on the card network's own website.
  { action: 'answered', from: 'open', to: 'sent', by: 'System' },
  { action: 'answered', from: 'prepared', to: 'sent', by: 'System' },
  { action: 'win', from: 'open', to: 'won', by: 'System' },
  { action: 'win', from: 'prepared', to: 'won', by: 'System' },
  { action: 'win', from: 'sent', to: 'won', by: 'System' },
  { action: 'lose', from: 'open', to: 'lost', by: 'System' },
  { action: 'lose', from: 'prepared', to: 'lost', by: 'System' },
  { action: 'lose', from: 'sent', to: 'lost', by: 'System' },
  { action: 'warn', from: 'open', to: 'open', by: 'System', after: -WARN_BEFORE_MS },
  { action: 'warn', from: 'prepared', to: 'prepared', by: 'System', after: -WARN_BEFORE_MS },
] as const satisfies readonly DisputeRow[];

export type DisputeAction = (typeof DISPUTE_FLOW)[number]['action'];
export const DISPUTE_TIMER_ROWS = rowsOfTimers(DISPUTE_FLOW);

/** The status after a step, or undefined when it cannot be taken now. */
export const disputeStatusAfter = (action: DisputeAction, from: DisputeStatus): DisputeStatus | undefined =>
  DISPUTE_FLOW.find((row) => row.action === action && row.from === from)?.to;

/** What the card network's state says: whether the money is taken, and how it ended. */
export function readNetworkState(state: string): {
  readonly isTaken: boolean;
  readonly outcome: 'won' | 'lost' | null;
} {
  // An inquiry before a chargeback takes no money.
  if (state === 'INQUIRY_EVIDENCE_REQUIRED' || state === 'INQUIRY_PROCESSING') return { isTaken: false, outcome: null };
  if (state === 'INQUIRY_CLOSED') return { isTaken: false, outcome: 'won' };
  if (state === 'WON') return { isTaken: true, outcome: 'won' };
  if (state === 'LOST' || state === 'ACCEPTED') return { isTaken: true, outcome: 'lost' };
  return { isTaken: true, outcome: null };
}

/** Whether the bank still waits for evidence. */
export const awaitsEvidence = (state: string): boolean =>
  state === 'EVIDENCE_REQUIRED' || state === 'INQUIRY_EVIDENCE_REQUIRED';

/** The card network takes evidence as texts of at most this length, and so many of them. */
export const EVIDENCE_PIECE_MAX = 500;
export const EVIDENCE_PIECES_MAX = 9;

/** Cuts a text into pieces at its lines. A line that is longer than a piece is cut; what does not fit is left out. */
export function cutEvidence(lines: readonly string[]): string[] {
  const pieces: string[] = [];
  for (const line of lines) {
    const text = line.slice(0, EVIDENCE_PIECE_MAX);
    const last = pieces.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= EVIDENCE_PIECE_MAX)
      pieces[pieces.length - 1] = `${last}\n${text}`;
    else pieces.push(text);
  }
  return pieces.slice(0, EVIDENCE_PIECES_MAX);
}
