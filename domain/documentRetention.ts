import { type DocumentState, endOfDocument } from './admissions.ts';
import { DAY_MS } from './durations.ts';

/** The picture of a document that no longer counts is erased after this. */
export const ENDED_DOCUMENT_KEPT_MS = 30 * DAY_MS;
/** A picture that was replaced before anyone saw it. */
export const UNSEEN_DOCUMENT_KEPT_MS = DAY_MS;

type KeptDocument = {
  readonly state: DocumentState;
  readonly lastDay: string | null;
  readonly decidedAt: Date | null;
  readonly eraseAt: Date | null;
};

/** Facts about the worker and the town that decide about erasing pictures. */
export type RetentionFacts = {
  /** Whether the town takes documents now. */
  readonly isTaking: boolean;
  readonly isNeeded: boolean;
  /** Since when the worker has not sent missing documents; null when nothing is missing, or when an operator must decide. */
  readonly idleSince: Date | null;
  readonly timeZone: string;
  readonly now: Date;
};

const keptFrom = (at: Date) => new Date(at.getTime() + ENDED_DOCUMENT_KEPT_MS);

/** When the picture of a document will be erased; null when no time is set. */
export function eraseAtOf(document: KeptDocument, keeping: RetentionFacts): Date | null {
  const { state, lastDay, decidedAt, eraseAt } = document;
  const { isTaking, isNeeded, idleSince, timeZone, now } = keeping;
  if (state !== 'waiting' && state !== 'accepted') return eraseAt ?? keptFrom(decidedAt ?? now);
  // Waiting documents are kept for the operator, needed or not.
  const isEnded = !isTaking || (state === 'accepted' && !isNeeded);
  return earliest([
    // It ends when this is first noticed.
    ...(isEnded ? [eraseAt, keptFrom(now)] : []),
    idleSince && keptFrom(idleSince),
    state === 'accepted' && lastDay !== null ? keptFrom(endOfDocument(lastDay, timeZone)) : null,
  ]);
}

const earliest = (times: readonly (Date | null)[]): Date | null =>
  times.filter((time) => time !== null).toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
