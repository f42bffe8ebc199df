import type { Role } from './accounts.ts';
import { localDate, startOfLocalDay } from './localDays.ts';
import { type Actor, fromEach } from './workflow.ts';

/** Who works, and may be asked for documents before. */
export const WORKER_ROLES = ['Scrub', 'Duber'] as const satisfies readonly Role[];
export type WorkerRole = (typeof WORKER_ROLES)[number];
export const isWorkerRole = (role: Role): role is WorkerRole => role !== 'Bud';

/** What a town can ask its workers for. Which of them it asks whom for are the rows of `requirements`. */
export const DOCUMENT_KINDS = ['identity', 'licence', 'insurance', 'detergent-safety'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Of each kind a worker has at most one that an operator is to look at or has sent back, and one that is accepted. */
export const DOCUMENT_STATES = ['waiting', 'accepted', 'asked-again', 'refused', 'expired', 'replaced'] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/** `new` and `asked` wait for the worker, `waiting` for an operator. */
export const ADMISSION_STATUSES = ['new', 'waiting', 'asked', 'active', 'lapsed', 'refused'] as const;
export type AdmissionStatus = (typeof ADMISSION_STATUSES)[number];

const DAY_MS = 24 * 60 * 60_000;
/** Who worked before the town asked for documents works on for this long without them. */
export const GRACE_MS = 30 * DAY_MS;
/** A worker is warned so many days before they may no longer work. */
export const WARN_DAYS = [30, 7, 1] as const;
/** The picture of a document that no longer counts is erased after this. */
export const ENDED_DOCUMENT_KEPT_MS = 30 * DAY_MS;

/** A worker sends documents while they are missing, were sent back or have expired, and before those that they have expire. */
const SENDS_FROM = ['new', 'asked', 'lapsed'] as const;
/** Until the time is over that somebody works on without what is missing. While an operator looks at it, it does not end. */
const GRACE_FROM = ['new', 'asked', 'lapsed'] as const;

type AdmissionRow = {
  readonly action: string;
  readonly from: AdmissionStatus;
  readonly to: AdmissionStatus;
  readonly by: Actor | 'worker';
  /** Counted from when the worker may no longer work. */
  readonly after?: number;
};

/**
 * How a worker is admitted. `send-documents` happens by itself once nothing is missing. Rows from `active` to `active` are about
 * a document that takes the place of one that is about to expire.
 */
export const ADMISSION_FLOW = [
  ...fromEach(SENDS_FROM, { action: 'send-documents', to: 'waiting', by: 'worker' }),
  { action: 'admit', from: 'waiting', to: 'active', by: 'Operator' },
  { action: 'admit', from: 'active', to: 'active', by: 'Operator' },
  { action: 'ask-again', from: 'waiting', to: 'asked', by: 'Operator' },
  { action: 'ask-again', from: 'active', to: 'active', by: 'Operator' },
  ...fromEach(['new', 'waiting', 'asked', 'lapsed'], { action: 'refuse', to: 'refused', by: 'Operator' }),
  // A mistake can be undone.
  { action: 'reconsider', from: 'refused', to: 'asked', by: 'Operator' },
  { action: 'lapse', from: 'active', to: 'lapsed', by: 'System', after: 0 },
  ...GRACE_FROM.map((from) => ({ action: 'end-grace', from, to: from, by: 'System', after: 0 }) as const),
  ...(['active', ...GRACE_FROM] as const).flatMap((from) =>
    WARN_DAYS.map((days) => ({ action: `warn-${days}`, from, to: from, by: 'System', after: -days * DAY_MS }) as const),
  ),
] as const satisfies readonly AdmissionRow[];

export type AdmissionAction = (typeof ADMISSION_FLOW)[number]['action'];
export const ADMISSION_TIMER_ROWS = ADMISSION_FLOW.filter((row) => row.by === 'System');

/** The status after a step, or undefined when it cannot be taken now. */
export const statusAfter = (action: AdmissionAction, from: AdmissionStatus): AdmissionStatus | undefined =>
  ADMISSION_FLOW.find((row) => row.action === action && row.from === from)?.to;

/** One thing that a town asks its workers of a role for. */
export type Requirement = {
  readonly kind: DocumentKind;
  readonly needed: boolean;
  /** A document of the kind says until when it is valid, and counts no longer than so many days. Null: it is sent once. */
  readonly renewDays: number | null;
};

type SentDocument = { readonly kind: DocumentKind; readonly state: DocumentState };

/** What a worker still has to send before an operator can decide. */
export const missingKinds = (
  requirements: readonly Requirement[],
  documents: readonly SentDocument[],
): DocumentKind[] =>
  requirements
    .filter(({ needed, kind }) => needed && !documents.some((one) => one.kind === kind && IN_HAND.includes(one.state)))
    .map(({ kind }) => kind);

const IN_HAND: readonly DocumentState[] = ['waiting', 'accepted'];

/** The last day on which a document counts that was accepted on `today`; null for ever. */
export function lastDayOf(
  expiresOn: string | null,
  { renewDays }: Pick<Requirement, 'renewDays'>,
  today: string,
): string | null {
  if (renewDays === null) return expiresOn;
  const latest = addDays(today, renewDays);
  return expiresOn === null || expiresOn > latest ? latest : expiresOn;
}

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** When a document no longer counts: the day after the last one begins, where the town is. */
export const endOfDocument = (lastDay: string, timeZone: string): Date =>
  startOfLocalDay(addDays(lastDay, 1), timeZone);

/** Whether a document says a last day that is over. */
export const isPast = (expiresOn: string | null, now: Date, timeZone: string): boolean =>
  expiresOn !== null && expiresOn < localDate(now, timeZone);

/** When a worker may no longer work unless something happens, from what is accepted and needed; null for never. */
export function endOfAdmission(
  requirements: readonly Requirement[],
  accepted: readonly { readonly kind: DocumentKind; readonly lastDay: string | null }[],
  timeZone: string,
): Date | null {
  const needed = new Set(requirements.filter((one) => one.needed).map(({ kind }) => kind));
  const days = accepted.filter(({ kind }) => needed.has(kind)).flatMap(({ lastDay }) => lastDay ?? []);
  const first = days.toSorted()[0];
  return first === undefined ? null : endOfDocument(first, timeZone);
}

/** What is left of the time in which somebody works on without being admitted. */
export const graceLeft = (worksUntil: Date | null, now: Date): Date | null =>
  worksUntil !== null && worksUntil > now ? worksUntil : null;

/** Whether somebody is kept from new work because they are not admitted, in a town that asks for documents. */
export const isHeldUnadmitted = (
  { status, worksUntil }: { readonly status: AdmissionStatus; readonly worksUntil: Date | null },
  now: Date,
): boolean => {
  if (status === 'active') return false;
  // Nobody stands still because the town is slow.
  return status === 'refused' || worksUntil === null || (status !== 'waiting' && worksUntil <= now);
};
