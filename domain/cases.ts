import type { Role } from './accounts.ts';
import { DAY_MS, HOUR_MS } from './durations.ts';
import type { Cents } from './payments.ts';
import { toAsciiDigits } from './typed.ts';

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
  'window',
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

/** A Duber who cannot go on asks for help once more, in the case that is open. */
export type CaseStepOfCall = 'ask';
export type CaseAction = CasePersonAction | CaseTimer | CaseTownAction | CaseConsequence | CaseStepOfCall;
/** What an event in the history of a case records. */
export type CaseEventAction = CaseOpening | CaseAction;

/** Whom a claim waits for first, and whom it is about. */
export type Opening = {
  readonly to: CaseStatus;
  readonly about: 'scrub' | 'duber' | null;
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
