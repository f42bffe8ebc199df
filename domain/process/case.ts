import type { Role } from '../accounts.ts';
import {
  ANSWER_WITHIN_MS,
  BUD_ANSWER_WITHIN_MS,
  type CaseAction,
  type CaseKind,
  type CaseOpening,
  type CasePriority,
  type CaseStatus,
  type CaseTimer,
  CONTEST_WITHIN_MS,
  type Offer,
  STALE_AFTER_MS,
} from '../cases.ts';
import type { Cents } from '../payments.ts';
import { type Actor, rowsOfPeople, rowsOfTimers, type Transition } from '../workflow.ts';
import type { CaseCauses } from './row.ts';

// The life of a case: how it opens, who may do what then, at which status, what it needs, and what it causes.

/** A step that is being taken. Amounts in cents. */
export type CaseTaken = {
  readonly at: Date;
  readonly by: Actor;
  /** What the step offers. */
  readonly offer: Offer | null;
  readonly offerCents: Cents | null;
  /** The claimed amount, and the part of it that was given back so far. */
  readonly askedCents: Cents;
  readonly givenCents: Cents;
};

/** The columns of a case that its rows set. */
export type CaseColumns = {
  readonly offer: Offer | null;
  readonly offerCents: Cents | null;
  readonly decidedAt: Date;
  readonly decidedBy: Actor;
  readonly contestedAt: Date;
  readonly priority: CasePriority;
};

type RowCauses = CaseCauses<CaseTaken, CaseColumns>;

/** A row of a case, as the server takes it. */
export type CaseRow = Transition<CaseAction, CaseStatus, Actor> & RowCauses;

/** A row by which a case opens. */
export type OpeningRow = {
  readonly action: CaseOpening;
  readonly kinds: readonly CaseKind[];
  readonly by: readonly Actor[];
  /** Of several statuses, the report says which one: see `openingOfClaim`. */
  readonly to: readonly [CaseStatus, ...CaseStatus[]];
  /** It comes before other cases of the town. */
  readonly urgent?: true;
  /** The readers of the case besides its opener and the person that the case is about. */
  readonly readers?: 'people-of-the-order';
} & Pick<RowCauses, 'holds' | 'notifies'>;

const NOTIFIED = { notifies: 'others' } as const;
const HOLDS_CLAIM = { holds: ({ askedCents, givenCents }) => askedCents - givenCents } as const satisfies RowCauses;

/** A step of somebody, or the server, has found a problem. */
const PROBLEM = { action: 'open', by: ['System'], to: ['with-town'] } as const;
const PROBLEM_OF_ORDER = { ...PROBLEM, readers: 'people-of-the-order' } as const;

/** How a case opens: each kind in one way. */
export const CASE_OPENINGS: readonly OpeningRow[] = [
  {
    action: 'open-claim',
    kinds: ['claim'],
    by: ['Bud'],
    // The town, when they claim often or the laundry is lost.
    to: ['with-scrub', 'with-duber', 'with-town'],
    ...HOLDS_CLAIM,
    ...NOTIFIED,
  },
  { action: 'ask', kinds: ['question'], by: ['Bud', 'Scrub', 'Duber'], to: ['with-town'] },
  { action: 'ask', kinds: ['relay'], by: ['Duber'], to: ['with-town'], urgent: true },
  { ...PROBLEM_OF_ORDER, kinds: ['handover', 'wrong-pin', 'scrub-silent'], ...NOTIFIED },
  // The readers of these get the notice of the step.
  { ...PROBLEM_OF_ORDER, kinds: ['failed-pickup', 'failed-drop', 'late', 'scales'] },
  // The Bud has refused another time of the town, or has not answered.
  { ...PROBLEM_OF_ORDER, kinds: ['window'], by: ['Bud', 'System'], ...NOTIFIED },
  { ...PROBLEM_OF_ORDER, kinds: ['lost'], urgent: true },
  // The Bud says that the weight is wrong, or has not answered.
  { ...PROBLEM_OF_ORDER, kinds: ['weighing'], by: ['Bud', 'System'] },
  { ...PROBLEM, kinds: ['chargeback'], urgent: true },
  { ...PROBLEM, kinds: ['same-people', 'platform-pay'] },
  // An operator has made a refund that a Scrub or a Duber bears, who can contest it.
  { action: 'decide', kinds: ['refund'], by: ['Operator'], to: ['decided'], ...NOTIFIED },
];

/** How a case of a kind opens; undefined when not by this actor. */
export const findOpening = (kind: CaseKind, by: Actor): OpeningRow | undefined =>
  CASE_OPENINGS.find((row) => row.kinds.includes(kind) && row.by.includes(by));

const DECIDED = {
  to: 'decided',
  sets: ({ at, by }) => ({ decidedAt: at, decidedBy: by }),
  // What waited becomes payable: the refund takes its part of it.
  frees: true,
  ...NOTIFIED,
} as const satisfies RowCauses & { readonly to: CaseStatus };

const OFFER_HAPPENS = { ...DECIDED, needs: ['offer-possible'], carriesOut: 'offer' } as const;
const CLOSED = { to: 'closed', frees: true } as const;
const TO_TOWN = { to: 'with-town', ...NOTIFIED } as const;

const ANSWER = {
  action: 'answer',
  sets: ({ offer, offerCents }) => ({ offer, offerCents }),
  ...NOTIFIED,
} as const satisfies RowCauses & { readonly action: string };
const ANSWER_NEEDS = ['their-turn', 'own-offer', 'within-claim'] as const;
const SILENT_BUD = { action: 'silent-bud', from: 'with-bud', by: 'System', after: BUD_ANSWER_WITHIN_MS } as const;
const NO_ANSWER = { ...TO_TOWN, action: 'no-answer', by: 'System', after: ANSWER_WITHIN_MS } as const;

const CONTEST = {
  ...TO_TOWN,
  action: 'contest',
  from: 'decided',
  needs: ['not-contested', 'first-week', 'bears-it', 'none-open'],
  sets: ({ at }) => ({ contestedAt: at }),
  ...HOLDS_CLAIM,
} as const satisfies Omit<CaseRow, 'by'>;

/** The whole life of a case. An action may have several rows: the first whose status and needs fit is taken. */
export const CASE_ROWS = [
  // A Duber who asked for help, was helped, and cannot go on once more.
  { action: 'ask', from: 'with-town', to: 'with-town', by: 'Duber', needs: ['their-turn', 'collected-since'] },
  { ...ANSWER, from: 'with-scrub', to: 'with-bud', by: 'Scrub', needs: [...ANSWER_NEEDS, 'offer-possible'] },
  { ...ANSWER, from: 'with-duber', to: 'with-bud', by: 'Duber', needs: [...ANSWER_NEEDS, 'offer-possible'] },
  // An offer that costs more than the unpaid earnings of the worker: the town decides.
  { ...ANSWER, from: 'with-scrub', to: 'with-town', by: 'Scrub', needs: ANSWER_NEEDS },
  { ...ANSWER, from: 'with-duber', to: 'with-town', by: 'Duber', needs: ANSWER_NEEDS },
  { ...NO_ANSWER, from: 'with-scrub' },
  { ...NO_ANSWER, from: 'with-duber' },
  { ...OFFER_HAPPENS, action: 'accept-offer', from: 'with-bud', by: 'Bud', needs: ['their-turn', 'offer-possible'] },
  // The town decides about an offer that can no longer be carried out.
  { ...TO_TOWN, action: 'accept-offer', from: 'with-bud', by: 'Bud', needs: ['their-turn'] },
  { ...TO_TOWN, action: 'refuse-offer', from: 'with-bud', by: 'Bud', needs: ['their-turn'] },
  { ...OFFER_HAPPENS, ...SILENT_BUD },
  { ...TO_TOWN, ...SILENT_BUD },
  // A Bud says that they were there.
  {
    action: 'deny',
    from: 'with-town',
    to: 'with-town',
    by: 'Bud',
    needs: ['said-by-duber', 'undecided', 'not-denied'],
    holdsEarnings: true,
    ...NOTIFIED,
  },
  {
    ...DECIDED,
    action: 'decide',
    from: 'with-town',
    by: 'Operator',
    needs: ['decision-possible'],
    carriesOut: 'decision',
  },
  { ...CLOSED, action: 'close', from: 'with-town', by: 'Operator', takesBack: 'trips' },
  // Tried before `stale` when that is due: the laundry was delivered, the Scrub has started, or the bank has decided.
  { ...CLOSED, action: 'close', from: 'with-town', by: 'System', needs: ['undecided', 'is-over'] },
  {
    action: 'stale',
    from: 'with-town',
    to: 'with-town',
    by: 'System',
    after: STALE_AFTER_MS,
    sets: () => ({ priority: 'high' as const }),
  },
  // The step that opened it was pressed by mistake.
  { ...CLOSED, action: 'taken-back', from: 'with-town', by: 'System', needs: ['undecided'] },
  // The one who takes the laundry says that they have it, so the PIN no longer matters.
  { ...CLOSED, action: 'confirmed', from: 'with-town', by: 'System', needs: ['undecided'] },
  { ...CONTEST, by: 'Bud' },
  { ...CONTEST, by: 'Scrub' },
  { ...CONTEST, by: 'Duber' },
  {
    ...CLOSED,
    action: 'close',
    from: 'decided',
    by: 'System',
    after: CONTEST_WITHIN_MS,
    needs: ['refunds-done', 'contest-over'],
  },
] as const satisfies readonly CaseRow[];

type Row = (typeof CASE_ROWS)[number];

/** The rows of people, which are calls, and those of the server. A Duber asks again with the call that opens a case. */
export const CASE_CALL_ROWS = rowsOfPeople(CASE_ROWS).filter(
  (row): row is Exclude<Extract<Row, { by: Role }>, { action: 'ask' }> => row.action !== 'ask',
);
export const CASE_TIMER_ROWS = rowsOfTimers(CASE_ROWS);

/** The timers that a case starts at a status, so that a missing answer never blocks it. */
export const caseTimersAt = (status: CaseStatus): readonly { action: CaseTimer; from: CaseStatus; after: number }[] => {
  const rows = CASE_TIMER_ROWS.filter(({ from }) => from === status);
  return rows.filter((row, index) => rows.findIndex(({ action }) => action === row.action) === index);
};
