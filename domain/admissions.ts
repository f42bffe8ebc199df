import type { Role } from './accounts.ts';
import { DAY_MS } from './durations.ts';
import { addDays, endOfLocalDay, localDate } from './localDays.ts';

/** The roles that may need documents before they work. */
export const WORKER_ROLES = ['Scrub', 'Duber'] as const satisfies readonly Role[];
export type WorkerRole = (typeof WORKER_ROLES)[number];
export const isWorkerRole = (role: Role): role is WorkerRole => role !== 'Bud';

/** The kinds of documents. The rows of `requirements` say which role needs which. */
export const DOCUMENT_KINDS = ['identity', 'licence', 'insurance', 'detergent-safety'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** A worker has at most one document of each kind that waits or was sent back, and one that is accepted. */
export const DOCUMENT_STATES = ['waiting', 'accepted', 'asked-again', 'refused', 'expired', 'replaced'] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/** `new` and `asked` wait for the worker, `waiting` for an operator. */
export const ADMISSION_STATUSES = ['new', 'waiting', 'asked', 'active', 'lapsed', 'refused'] as const;
export type AdmissionStatus = (typeof ADMISSION_STATUSES)[number];

/** The grace period of workers who worked before documents were required. */
export const GRACE_MS = 30 * DAY_MS;
/** A worker is warned so many days before they may no longer work. */
export const WARN_DAYS = [30, 7, 1] as const;
/** After giving a reason, an operator can read a person's documents for this long. */
export const DOCUMENTS_SHOWN_MS = 15 * 60_000;
/** How many documents a worker may send a day. */
export const DOCUMENTS_PER_DAY = 20;

/** A document that a role needs. */
export type Requirement = {
  readonly kind: DocumentKind;
  readonly needed: boolean;
  /** Documents of the kind have an expiry date, and count for at most so many days. Null: the kind does not expire. */
  readonly renewDays: number | null;
};

/** The kinds that a role needs to work. Empty when only the other role needs documents. */
export const neededKinds = (requirements: readonly Requirement[]): DocumentKind[] =>
  requirements.filter((one) => one.needed).map(({ kind }) => kind);

export const hasRequirements = (requirements: readonly Requirement[]): boolean => neededKinds(requirements).length > 0;

type SentDocument = { readonly kind: DocumentKind; readonly state: DocumentState };

/** The kinds that a worker still has to send before an operator can decide. */
export const missingKinds = (
  requirements: readonly Requirement[],
  documents: readonly SentDocument[],
): DocumentKind[] =>
  neededKinds(requirements).filter(
    (kind) => !documents.some((one) => one.kind === kind && IN_HAND.includes(one.state)),
  );

const IN_HAND: readonly DocumentState[] = ['waiting', 'accepted'];

/** The last day on which a document counts that was accepted on `today`; null: it does not expire. */
export function lastDayOf(
  expiresOn: string | null,
  { renewDays }: Pick<Requirement, 'renewDays'>,
  today: string,
): string | null {
  if (renewDays === null) return expiresOn;
  const latest = addDays(today, renewDays);
  return expiresOn === null || expiresOn > latest ? latest : expiresOn;
}

/** When a document no longer counts: at the end of its last day in the town's time zone. */
export const endOfDocument = endOfLocalDay;

/** Whether the last day of a document is over. */
export const isExpired = (expiresOn: string | null, now: Date, timeZone: string): boolean =>
  expiresOn !== null && expiresOn < localDate(now, timeZone);

/** When a worker may no longer work, from the accepted and the needed documents; null for never. */
export function endOfAdmission(
  requirements: readonly Requirement[],
  accepted: readonly { readonly kind: DocumentKind; readonly lastDay: string | null }[],
  timeZone: string,
): Date | null {
  const needed = new Set(neededKinds(requirements));
  const days = accepted.filter(({ kind }) => needed.has(kind)).flatMap(({ lastDay }) => lastDay ?? []);
  const first = days.toSorted()[0];
  return first === undefined ? null : endOfDocument(first, timeZone);
}

/** The latest warning that is due. */
export const latestWarning = (end: Date, now: Date): (typeof WARN_DAYS)[number] | undefined =>
  WARN_DAYS.findLast((days) => end.getTime() - days * DAY_MS <= now.getTime());

/** How many days are left until then, begun ones too. */
export const daysUntil = (end: Date, now: Date): number => Math.ceil((end.getTime() - now.getTime()) / DAY_MS);

/** The end of a grace period that is not over; null otherwise. */
export const graceUntil = (worksUntil: Date | null, now: Date): Date | null =>
  worksUntil !== null && worksUntil > now ? worksUntil : null;

/** Whether a worker gets a restriction because they are not admitted, in a town that requires documents. */
export const isHeldUnadmitted = (
  { status, worksUntil }: { readonly status: AdmissionStatus; readonly worksUntil: Date | null },
  now: Date,
): boolean => {
  if (status === 'active') return false;
  // A waiting worker keeps working, because a slow town must not stop them.
  return status === 'refused' || worksUntil === null || (status !== 'waiting' && worksUntil <= now);
};
