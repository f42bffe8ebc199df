import { HOUR_MS } from './durations.ts';

/** A chargeback: a payment that a cardholder contests at their bank. */
export const DISPUTE_STATUSES = ['open', 'prepared', 'sent', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** The town is warned this long before the bank stops waiting for an answer. */
export const WARN_BEFORE_MS = 48 * HOUR_MS;
/** How often the card network is asked for its chargebacks, besides when it says that something has changed. */
export const DISPUTE_POLL_MS = HOUR_MS;

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

/** What the card network's state of a chargeback means for it: the step that follows where one of its rows fits. */
export function stepOfNetworkState(state: string): 'answered' | 'asked-again' | 'win' | 'lose' | undefined {
  const { outcome } = readNetworkState(state);
  if (outcome !== null) return outcome === 'won' ? 'win' : 'lose';
  if (awaitsEvidence(state)) return 'asked-again';
  return state === 'PROCESSING' || state === 'INQUIRY_PROCESSING' ? 'answered' : undefined;
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
