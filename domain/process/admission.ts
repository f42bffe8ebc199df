import { type AdmissionStatus, graceUntil, WARN_DAYS } from '../admissions.ts';
import { DAY_MS } from '../durations.ts';
import type { Need } from '../needs.ts';
import { type Actor, fromEach, rowsOfTimers, type Transition } from '../workflow.ts';

// How a worker is admitted. A worker sends documents at any time; the server takes the step that they make possible.

/** A step that is being taken. */
export type AdmissionTaken = {
  /** Until when the worker may work without all documents; null when they may not, or need not send any. */
  readonly worksUntil: Date | null;
  readonly isSomethingMissing: boolean;
  /** Whether documents have expired, and all of them while none were required. */
  readonly haveExpiredBefore: boolean;
  readonly at: Date;
};

type AdmissionColumns = { readonly worksUntil: Date | null };

/** A row of an admission, as the server takes it. */
export type AdmissionRow = Transition<string, AdmissionStatus, Actor> & {
  /** A row without columns is only a mail: it leaves no trace. */
  readonly sets?: (taken: AdmissionTaken) => AdmissionColumns;
  /** Accepts those that wait, sends back those that are named, refuses all open ones, or marks those that have expired. */
  readonly documents?: 'accept' | 'send-back' | 'refuse' | 'expire';
  /** If a step of the server fits then, it replaces the update of the restriction and the timers (`before`), or follows it (`after`). */
  readonly reviews?: 'before' | 'after';
  readonly notifies?: 'admitted' | 'asked-again' | 'refused' | 'reconsidered' | 'lapsed' | 'warned';
};

const NO_GRACE = () => ({ worksUntil: null });
/** A grace period that is not over goes on. */
const GRACE = ({ worksUntil, at }: AdmissionTaken) => ({ worksUntil: graceUntil(worksUntil, at) });
/** An admitted worker who was asked for more has a grace period, which may be over. */
const SAME_TIME = ({ worksUntil }: AdmissionTaken) => ({ worksUntil });

/** A worker can send documents that are missing, were sent back, have expired or will expire. */
const SENDS_FROM = ['new', 'asked', 'lapsed'] as const;
/** Accepted documents expire for them too. */
const EXPIRES_FROM = ['waiting', 'asked', 'lapsed'] as const;
/** Until the end of the grace period, which does not end while documents wait for an operator. */
const GRACE_FROM = ['new', 'asked', 'lapsed'] as const;

/** An operator accepts what they have seen. */
const ADMITTED = { action: 'admit', to: 'active', by: 'Operator', documents: 'accept', notifies: 'admitted' } as const;
const SEEN = ['documents-asked', 'some-wait', 'all-seen', 'seen-in-time'] as const;
const SENT_BACK = {
  action: 'ask-again',
  by: 'Operator',
  needs: ['documents-asked', 'all-wait'],
  documents: 'send-back',
  // The document that was sent back may not be needed. Then an operator can still accept the rest.
  reviews: 'after',
  notifies: 'asked-again',
} as const;

/** `after` counts from the end of the right to work; of `expire` from the end of a document. */
const ENDED = { by: 'System', after: 0, needs: ['documents-required', 'end-reached'], notifies: 'lapsed' } as const;
/** No new work until the missing documents are accepted. Their replacements may already be waiting. */
const EXPIRED = { ...ENDED, documents: 'expire', reviews: 'before' } as const;

export const ADMISSION_ROWS = [
  ...fromEach(SENDS_FROM, {
    action: 'send-documents',
    to: 'waiting',
    by: 'System',
    needs: ['some-needed', 'nothing-missing', 'not-all-accepted'],
    sets: GRACE,
  }),
  // The requirements have changed, or a document has expired.
  {
    action: 'ask-missing',
    from: 'waiting',
    to: 'asked',
    by: 'System',
    needs: ['some-needed', 'something-missing'],
    sets: GRACE,
  },
  // Mailed only when the town asks for less than before.
  ...fromEach(['waiting', 'asked', 'lapsed'], {
    action: 'reinstate',
    to: 'active',
    by: 'System',
    needs: ['some-needed', 'all-accepted'],
    sets: NO_GRACE,
  }),
  { ...ADMITTED, from: 'waiting', needs: [...SEEN, 'nothing-missing', 'none-expired'], sets: NO_GRACE },
  // Replaces documents that are about to expire. One who was asked for more can renew other documents meanwhile.
  {
    ...ADMITTED,
    from: 'active',
    needs: [...SEEN, 'none-expired'],
    sets: (taken) => (taken.isSomethingMissing ? SAME_TIME(taken) : NO_GRACE()),
  },
  { ...SENT_BACK, from: 'waiting', to: 'asked', sets: GRACE },
  { ...SENT_BACK, from: 'active', to: 'active', sets: SAME_TIME },
  ...fromEach(['new', 'waiting', 'asked', 'lapsed'], {
    action: 'refuse',
    to: 'refused',
    by: 'Operator',
    needs: ['documents-asked'],
    sets: NO_GRACE,
    documents: 'refuse',
    notifies: 'refused',
  }),
  // A mistake can be undone.
  {
    action: 'reconsider',
    from: 'refused',
    to: 'asked',
    by: 'Operator',
    needs: ['documents-asked'],
    sets: NO_GRACE,
    notifies: 'reconsidered',
  },
  // A document that expired while none were required does not shorten the grace period that its owner got.
  {
    ...EXPIRED,
    action: 'lapse',
    from: 'active',
    to: 'lapsed',
    sets: (taken) => (taken.haveExpiredBefore ? GRACE(taken) : NO_GRACE()),
  },
  ...EXPIRES_FROM.map((status) => ({ ...EXPIRED, action: 'expire', from: status, to: status, sets: GRACE }) as const),
  ...GRACE_FROM.map((status) => ({ ...ENDED, action: 'end-grace', from: status, to: status, sets: NO_GRACE }) as const),
  ...(['active', ...GRACE_FROM] as const).flatMap((status) =>
    WARN_DAYS.map(
      (days) =>
        ({
          action: `warn-${days}`,
          from: status,
          to: status,
          by: 'System',
          after: -days * DAY_MS,
          needs: ['documents-required', 'warning-due', 'end-not-reached', 'latest-warning'],
          notifies: 'warned',
        }) as const,
    ),
  ),
] as const satisfies readonly AdmissionRow[];

export type AdmissionAction = (typeof ADMISSION_ROWS)[number]['action'];
export const ADMISSION_TIMER_ROWS = rowsOfTimers(ADMISSION_ROWS);
/** The steps that the server takes from the present state, whenever it changes. At most one of them fits. */
export const REVIEW_ACTIONS = ['ask-missing', 'send-documents', 'reinstate'] as const satisfies AdmissionAction[];

/** Whether some row takes the action at a status. */
export const hasAdmissionRow = (action: AdmissionAction, from: AdmissionStatus): boolean =>
  ADMISSION_ROWS.some((row) => row.action === action && row.from === from);

/** What the needs look at. */
export type AdmissionFacts = {
  /** Whether workers can send documents now, also before the day from which they need them. */
  readonly areTaken: boolean;
  /** Whether workers get work only once their documents are accepted. */
  readonly areRequired: boolean;
  /** Whether the role needs documents, whether one of those neither waits nor counts, and whether all count. */
  readonly isSomeNeeded: boolean;
  readonly isSomethingMissing: boolean;
  readonly areAllAccepted: boolean;
  /** Of the documents that wait: whether there are some, the operator has seen each, in time, and one has expired. */
  readonly doSomeWait: boolean;
  readonly areAllSeen: boolean;
  readonly areSeenInTime: boolean;
  readonly hasOneExpired: boolean;
  /** Whether all documents wait that an operator sends back. */
  readonly doAllWait: boolean;
  /** When the worker may no longer work, or a document no longer counts; null for never. */
  readonly end: Date | null;
  /** The action of the latest warning that is due. */
  readonly latestWarning: string | undefined;
  readonly action: string;
  readonly now: Date;
};

export const ADMISSION_NEEDS = {
  'documents-asked': ({ areTaken }) => areTaken,
  'documents-required': ({ areRequired }) => areRequired,
  'some-needed': ({ isSomeNeeded }) => isSomeNeeded,
  'nothing-missing': ({ isSomethingMissing }) => !isSomethingMissing,
  'something-missing': ({ isSomethingMissing }) => isSomethingMissing,
  'all-accepted': ({ areAllAccepted }) => areAllAccepted,
  'not-all-accepted': ({ areAllAccepted }) => !areAllAccepted,
  'some-wait': ({ doSomeWait }) => doSomeWait,
  'all-seen': ({ areAllSeen }) => areAllSeen,
  'seen-in-time': ({ areSeenInTime }) => areSeenInTime,
  'none-expired': ({ hasOneExpired }) => !hasOneExpired,
  'all-wait': ({ doAllWait }) => doAllWait,
  'end-reached': ({ end, now }) => end !== null && end <= now,
  'warning-due': ({ latestWarning }) => latestWarning !== undefined,
  'end-not-reached': ({ end, now }) => end !== null && end > now,
  'latest-warning': ({ latestWarning, action }) => latestWarning === action,
} as const satisfies Partial<Record<Need, (facts: AdmissionFacts) => boolean>>;
