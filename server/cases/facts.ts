import type { CaseAction, CasePersonAction, CaseStatus, Offer } from '../../domain/cases.ts';
import { SAID_BY_DUBER } from '../../domain/cases.ts';
import type { DecisionPlan, ItemDecision } from '../../domain/decisions.ts';
import type { CaseFacts, Need } from '../../domain/needs.ts';
import { formatDollars } from '../../domain/payments.ts';
import { CASE_ROWS, type CaseRow as CaseStepRow, type CaseTaken } from '../../domain/process/case.ts';
import type { Tx } from '../db/database.ts';
import { isFinishedCase } from '../db/finishedCases.sql.ts';
import { refuseProperty } from '../http/refusals.ts';
import type { Asked, StepDone, StepTaken } from '../process/takeStep.ts';
import { type CleaningAgain, findCover, findLeft, isCovered, type OfferPlan, planOffer } from './caseMoney.ts';
import type { StepBy } from './caseSteps.sql.ts';
import { type CaseRow, hasOpenRefund, listLiable, listOtherReports, wasDenied } from './cases.sql.ts';
import { readDecision } from './decision.ts';
import { hasCollectedSince } from './newCase.sql.ts';

/** The request for a row of CASE_ROWS. Amounts in cents. */
export type CaseStepRequest = {
  readonly id: string;
  readonly action: CaseAction;
  readonly words?: string | undefined;
  readonly fileIds?: readonly string[] | undefined;
  readonly offer?: Offer | undefined;
  readonly offerCents?: number | undefined;
  /** For `ask`: where the Duber is. */
  readonly place?: { readonly latitude: number; readonly longitude: number } | undefined;
  /** For `ask`: the delivery that the Duber cannot go on with. */
  readonly deliveryId?: string;
  /** For `decide`. Items that are not listed get nothing. */
  readonly items?: readonly ItemDecision[];
  /** For `close`: the Dubers are not paid for the trips that wait for it. */
  readonly takesBackTrips?: boolean;
  readonly requestKey?: Buffer | null | undefined;
};

/** A case before a step. */
export type CaseRecord = CaseRow & {
  /** How its offer is carried out, where a row does that; undefined when it cannot be. */
  readonly offerPlan: OfferPlan | undefined;
  /** How the decision would be carried out, or why the town cannot decide so. */
  readonly decision: DecisionPlan | undefined;
};

/** A step that was taken. */
export type TakenCaseStep = {
  readonly id: string;
  readonly status: CaseStatus;
  readonly eventId: string;
  /** What a decision gives back. */
  readonly cents: number;
};

export type CaseKind = {
  readonly actor: StepBy;
  readonly row: CaseStepRow;
  readonly request: CaseStepRequest;
  readonly locked: CaseRow | undefined;
  readonly facts: CaseRecord;
  readonly needed: CaseFacts;
  readonly answer: TakenCaseStep;
};
export type CaseStepTaken = StepTaken<CaseKind>;
export type CaseStepDone = StepDone<CaseKind>;

/** A step as the functions in the rows read it. */
export const takenOf = ({ actor, request, facts, at }: CaseStepTaken): CaseTaken => ({
  ...{ at, by: actor.role, offer: request.offer ?? null, offerCents: request.offerCents ?? null },
  ...{ askedCents: facts.askedCents, givenCents: facts.givenCents },
});

const FOR_ALL_OF_A_CASE: readonly CaseAction[] = ['contest', 'deny'] satisfies CasePersonAction[];

/** A Scrub or a Duber answers only cases that ask them, and other people take steps of cases that they have reported. */
export function isTheirTurn(row: CaseRow, action: CaseAction, { id }: { readonly id: string | null }): boolean {
  if (id === null || FOR_ALL_OF_A_CASE.includes(action)) return true;
  return (action === 'answer' ? row.aboutUser : row.openedBy) === id;
}

type Actor = CaseKind['actor'];
const rowsAt = ({ status }: CaseRow, { role }: Actor, actions: readonly CaseAction[]) =>
  (CASE_ROWS as readonly CaseStepRow[]).filter(
    (row) => actions.includes(row.action) && row.by === role && row.from === status,
  );

/** The facts for the needs of the rows that the actor could take from the present status. Nothing is locked. */
export async function readCaseFacts(
  tx: Tx,
  row: CaseRow,
  { actor, actions, deliveryId }: { actor: Actor; actions: readonly CaseAction[]; deliveryId?: string | undefined },
  now: Date,
): Promise<CaseFacts> {
  const needs = new Set<Need>(rowsAt(row, actor, actions).flatMap((one) => one.needs ?? []));
  const looksAt = (...some: readonly Need[]) => some.some((need) => needs.has(need));
  const isSaidByDuber = SAID_BY_DUBER.includes(row.kind);
  return {
    isTheirTurn: true,
    isOfferPossible: true,
    isDecisionPossible: true,
    isBorneByCaller: looksAt('bears-it') && (await isBorneBy(tx, row, actor)),
    isSaidByDuber,
    wasDenied: looksAt('not-denied') && isSaidByDuber && (await wasDenied(tx, row.id)),
    wasContested: row.contestedAt !== null,
    decidedAt: row.decidedAt ?? undefined,
    otherReports: looksAt('first-week', 'none-open', 'contest-over') ? await listOtherReports(tx, row) : [],
    isOver: looksAt('is-over') && (await isFinishedCase(tx, row.id, now)),
    hasOpenRefund: looksAt('refunds-done') && (await hasOpenRefund(tx, row.id)),
    hasCollectedSince:
      looksAt('collected-since') && deliveryId !== undefined && (await hasCollectedSince(tx, row.id, deliveryId)),
    now,
  };
}

/** Reads the facts, and locks the money that the step moves. Refuses an offer that nobody can make. */
export async function readFacts(
  tx: Tx,
  { actor, request, locked: row }: Asked<CaseKind>,
  cleaning: CleaningAgain,
  now: Date,
) {
  if (!row) return undefined;
  const { action, deliveryId, items } = request;
  const known = await readCaseFacts(tx, row, { actor, actions: [action], deliveryId }, now);
  const isTurn = isTheirTurn(row, action, actor);
  if (action === 'answer' && isTurn) await checkOffer(tx, row, actor, request);
  const carriesOut = isTurn ? rowsAt(row, actor, [action]).find((one) => one.carriesOut)?.carriesOut : undefined;
  const offerPlan = carriesOut === 'offer' ? await planOffer(tx, row, cleaning, now) : undefined;
  const decision = carriesOut === 'decision' ? await readDecision(tx, row, items ?? [], now) : undefined;
  const isOfferPossible =
    action === 'answer' ? isTurn && (await isOfferCovered(tx, row, request)) : offerPlan !== undefined;
  const isDecisionPossible = decision?.ok !== false;
  const needed = { ...known, isTheirTurn: isTurn, isOfferPossible, isDecisionPossible };
  return { facts: { ...row, offerPlan, decision }, needed, at: now };
}

/** An offer is at most what was claimed, and what was paid for the order. */
async function checkOffer(
  tx: Tx,
  row: CaseRow,
  { role }: Actor,
  { offer, offerCents }: CaseStepRequest,
): Promise<void> {
  if (offer === 'clean-again' && role !== 'Scrub') refuseProperty('offer', 'isIn', 'Only a Scrub cleans again');
  if (offerCents === undefined) return;
  const most = Math.min(row.askedCents, (await findLeft(tx, row)) ?? 0);
  if (offerCents > most) refuseProperty('amount', 'isAboveCap', `At most ${formatDollars(most)}`);
}

/** Whether the one who answers has earned what they offer. Nothing is locked, because it is asked again when the offer happens. */
async function isOfferCovered(
  tx: Tx,
  row: CaseRow,
  { offer = null, offerCents = null }: { readonly [P in 'offer' | 'offerCents']?: CaseStepRequest[P] | null },
): Promise<boolean> {
  if (offer === 'was-before') return true;
  const cover = await findCover(tx, row);
  return cover !== undefined && isCovered({ offer, offerCents }, cover);
}

/** Whether the town decided, and the person pays for it or got less than they asked for. */
async function isBorneBy(tx: Tx, row: CaseRow, { id }: Actor): Promise<boolean> {
  if (row.decidedBy !== 'Operator' || id === null) return false;
  if (id === row.openedBy && row.kind === 'claim' && row.decidedCents < row.askedCents) return true;
  return (await listLiable(tx, row.id)).some(({ userId }) => userId === id);
}
