import type { Role } from './accounts.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';
import type { Cents } from './payments.ts';
import { toAsciiDigits } from './typed.ts';
import { type Actor, rowsOfPeople, rowsOfTimers } from './workflow.ts';

/** What a case is about. People open the first three; steps and timers open the others. */
export const CASE_KINDS = [
  'claim',
  'question',
  'relay',
  'lost',
  'handover',
  'failed-pickup',
  'failed-drop',
  'wrong-pin',
  'scrub-silent',
  'late',
  'scales',
  'weighing',
  'chargeback',
  'same-people',
  'platform-pay',
  'refund',
] as const;
export type CaseKind = (typeof CASE_KINDS)[number];
export const KINDS_OF_PEOPLE = ['claim', 'question', 'relay'] as const satisfies readonly CaseKind[];
export type KindOfPeople = (typeof KINDS_OF_PEOPLE)[number];

/** Who opens which kind. */
export const CASE_OPENERS: Readonly<Record<KindOfPeople, readonly Role[]>> = {
  claim: ['Bud'],
  question: ['Bud', 'Scrub', 'Duber'],
  relay: ['Duber'],
};

export const CASE_STATUSES = ['with-scrub', 'with-duber', 'with-bud', 'with-town', 'decided', 'closed'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];
export const CASE_PRIORITIES = ['normal', 'high'] as const;
export type CasePriority = (typeof CASE_PRIORITIES)[number];

/** What went wrong with an item of a claim. */
export const ITEM_KINDS = ['damaged', 'stained', 'missing', 'wet', 'wrong-bag', 'late', 'smell'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];
export const MAX_CLAIM_ITEMS = 10;

/** What the Scrub or the Duber answers to a claim. */
export const OFFERS = ['clean-again', 'give-back', 'was-before'] as const;
export type Offer = (typeof OFFERS)[number];

/** A Scrub or a Duber who has not answered after this time leaves the claim to the town. */
export const ANSWER_WITHIN_MS = 24 * HOUR_MS;
/** An offer that the Bud does not answer within this time is carried out. */
export const BUD_ANSWER_WITHIN_MS = 72 * HOUR_MS;
/** A case that the town has not decided after this time becomes urgent, and so on until it is decided. */
export const STALE_AFTER_MS = 48 * HOUR_MS;
/** A decision can be contested for this long, also after another report about the same has ended. Then the case is closed. */
export const CONTEST_WITHIN_MS = 7 * DAY_MS;

export type CasePersonAction = 'answer' | 'accept-offer' | 'refuse-offer' | 'contest' | 'deny';
export type CaseTimer = 'no-answer' | 'silent-bud' | 'close' | 'stale';
export type CaseTownAction = 'decide' | 'close';
/** What a step of the delivery, or of the one who takes its laundry, causes. */
type CaseConsequence = 'taken-back' | 'confirmed';
/** A refund of an operator opens a case that is decided already. */
export type CaseOpening = 'open-claim' | 'ask' | 'open' | 'decide';

/** The conditions of a row besides the status. */
export type CaseNeed =
  | 'undecided'
  | 'offer-possible'
  | 'bears-it'
  | 'not-contested'
  | 'first-week'
  | 'none-open'
  | 'said-by-duber'
  | 'not-denied';

type CaseRow = {
  readonly action: CasePersonAction | CaseTimer | CaseTownAction | CaseConsequence;
  readonly from: CaseStatus;
  readonly to: CaseStatus;
  readonly by: Actor;
  readonly after?: number;
  readonly needs?: readonly CaseNeed[];
};

const CONTEST = {
  action: 'contest',
  from: 'decided',
  to: 'with-town',
  needs: ['not-contested', 'first-week', 'bears-it', 'none-open'],
} as const;

/** An action may have several rows: the first whose status and needs fit is taken. */
export const CASE_FLOW = [
  { action: 'answer', from: 'with-scrub', to: 'with-bud', by: 'Scrub', needs: ['offer-possible'] },
  { action: 'answer', from: 'with-duber', to: 'with-bud', by: 'Duber', needs: ['offer-possible'] },
  // The town decides about an offer that costs more than the one who makes it has earned and not been paid.
  { action: 'answer', from: 'with-scrub', to: 'with-town', by: 'Scrub' },
  { action: 'answer', from: 'with-duber', to: 'with-town', by: 'Duber' },
  { action: 'accept-offer', from: 'with-bud', to: 'decided', by: 'Bud', needs: ['offer-possible'] },
  // The town decides about an offer that can no longer be carried out.
  { action: 'accept-offer', from: 'with-bud', to: 'with-town', by: 'Bud' },
  { action: 'refuse-offer', from: 'with-bud', to: 'with-town', by: 'Bud' },
  { action: 'no-answer', from: 'with-scrub', to: 'with-town', by: 'System', after: ANSWER_WITHIN_MS },
  { action: 'no-answer', from: 'with-duber', to: 'with-town', by: 'System', after: ANSWER_WITHIN_MS },
  {
    action: 'silent-bud',
    from: 'with-bud',
    to: 'decided',
    by: 'System',
    after: BUD_ANSWER_WITHIN_MS,
    needs: ['offer-possible'],
  },
  { action: 'silent-bud', from: 'with-bud', to: 'with-town', by: 'System', after: BUD_ANSWER_WITHIN_MS },
  { action: 'decide', from: 'with-town', to: 'decided', by: 'Operator' },
  { action: 'close', from: 'with-town', to: 'closed', by: 'Operator' },
  // Instead of becoming urgent, when what the case is about is over: the laundry was delivered, the Scrub has started, the
  // bank has decided.
  { action: 'close', needs: ['undecided'], from: 'with-town', to: 'closed', by: 'System' },
  { action: 'stale', from: 'with-town', to: 'with-town', by: 'System', after: STALE_AFTER_MS },
  // The step that opened it was pressed by mistake.
  { action: 'taken-back', from: 'with-town', to: 'closed', by: 'System', needs: ['undecided'] },
  // The one who takes the laundry says that they have it, so the PIN no longer matters.
  { action: 'confirmed', needs: ['undecided'], from: 'with-town', to: 'closed', by: 'System' },
  // A Bud who was there. The Duber's pay then waits for the town.
  {
    action: 'deny',
    from: 'with-town',
    to: 'with-town',
    by: 'Bud',
    needs: ['said-by-duber', 'undecided', 'not-denied'],
  },
  { ...CONTEST, by: 'Bud' },
  { ...CONTEST, by: 'Scrub' },
  { ...CONTEST, by: 'Duber' },
  { action: 'close', from: 'decided', to: 'closed', by: 'System', after: CONTEST_WITHIN_MS },
] as const satisfies readonly CaseRow[];

export type CaseAction = (typeof CASE_FLOW)[number]['action'];
/** What an event in the history of a case records. */
export type CaseEventAction = CaseOpening | CaseAction;

/** The rows of people, which are calls, and those of the server. */
export const CASE_CALL_ROWS = rowsOfPeople(CASE_FLOW);
export const CASE_TIMER_ROWS = rowsOfTimers(CASE_FLOW);

/** The first steps: how a case opens, and whom it waits for. */
export type Opening = {
  readonly action: CaseOpening;
  readonly to: CaseStatus;
  readonly about: 'scrub' | 'duber' | null;
};

/** The facts for the needs of a case's rows. */
export type CaseFacts = {
  /** Whether the offer can be carried out now: it is covered, and the card was charged or the order can start over. */
  readonly isOfferPossible: boolean;
  /** Whether the town decided, and the caller pays for it or got less than they asked for. */
  readonly isBorneByCaller: boolean;
  /** Whether it opened because a Duber said that nobody was there, or gave them the laundry. */
  readonly isSaidByDuber: boolean;
  readonly wasDenied: boolean;
  readonly wasContested: boolean;
  readonly decidedAt: Date | undefined;
  /** Those beside which the case cannot be opened again, the oldest first. */
  readonly otherReports: readonly OtherReport[];
  readonly now: Date;
};

/** A time in which another report about the same was open. Without an end it still is. */
export type OtherReport = { readonly openedAt: Date; readonly endedAt: Date | null };

/**
 * Until when a decision can be contested, in ms. While another report is open that is not possible, so the days count from its
 * end. One that opened after the days were over does not bring them back.
 */
export const contestableUntil = (decidedAt: Date, others: readonly OtherReport[]): number =>
  others.reduce(
    (until, { openedAt, endedAt }) =>
      openedAt.getTime() < until
        ? Math.max(until, (endedAt?.getTime() ?? Number.POSITIVE_INFINITY) + CONTEST_WITHIN_MS)
        : until,
    decidedAt.getTime() + CONTEST_WITHIN_MS,
  );

const CASE_NEEDS: Readonly<Record<CaseNeed, (facts: CaseFacts) => boolean>> = {
  undecided: ({ decidedAt }) => decidedAt === undefined,
  'offer-possible': ({ isOfferPossible }) => isOfferPossible,
  'bears-it': ({ isBorneByCaller }) => isBorneByCaller,
  'not-contested': ({ wasContested }) => !wasContested,
  'first-week': ({ decidedAt, otherReports, now }) =>
    decidedAt !== undefined && now.getTime() < contestableUntil(decidedAt, otherReports),
  'none-open': ({ otherReports }) => otherReports.every(({ endedAt }) => endedAt !== null),
  'said-by-duber': ({ isSaidByDuber }) => isSaidByDuber,
  'not-denied': ({ wasDenied }) => !wasDenied,
};

export type CaseVerdict =
  | { readonly ok: true; readonly to: CaseStatus }
  | { readonly ok: false; readonly why: 'wrong-status' }
  | { readonly ok: false; readonly why: 'need'; readonly need: CaseNeed };

/** Whether `by` may take `action` at `status`, and the status that it leads to. */
export function checkCaseStep(
  { action, status, by }: { readonly action: CaseAction; readonly status: CaseStatus; readonly by: Actor },
  facts: CaseFacts,
): CaseVerdict {
  const rows: readonly CaseRow[] = CASE_FLOW.filter(
    (row) => row.action === action && row.from === status && row.by === by,
  );
  const missing = rows.map((row) => row.needs?.find((need) => !CASE_NEEDS[need](facts)));
  const row = rows[missing.indexOf(undefined)];
  if (row) return { ok: true, to: row.to };
  const need = missing[0];
  return need === undefined ? { ok: false, why: 'wrong-status' } : { ok: false, why: 'need', need };
}

/** The timers that a case starts at a status, so that a missing answer never blocks it. */
export const caseTimersAt = (status: CaseStatus): readonly { action: CaseTimer; from: CaseStatus; after: number }[] => {
  const rows = CASE_TIMER_ROWS.filter(({ from }) => from === status);
  return rows.filter((row, index) => rows.findIndex(({ action }) => action === row.action) === index);
};

/** The kinds that a Duber's word opens: that a pickup or a drop-off has failed. */
export const SAID_BY_DUBER: readonly CaseKind[] = ['failed-pickup', 'failed-drop'];

export const isOpenCase = (status: CaseStatus): boolean => status !== 'decided' && status !== 'closed';

/** Whom a case waits for. */
export const CASE_WAITS_FOR: Readonly<Record<CaseStatus, Role | 'Operator' | null>> = {
  'with-scrub': 'Scrub',
  'with-duber': 'Duber',
  'with-bud': 'Bud',
  'with-town': 'Operator',
  decided: null,
  closed: null,
};

/** The number of a case as people say it. */
export const caseNumber = (no: number): string => `C-${no}`;
export function parseCaseNumber(text: string): number | undefined {
  const [, digits] = /^C-([1-9]\d{0,8})$/i.exec(toAsciiDigits(text).trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** What a claim can be worth, in cents. */
export type ClaimCaps = { readonly garment: Cents; readonly order: Cents };
