import { failureOfNeed } from '../../contract/failures.ts';
import type { CaseAction } from '../../domain/cases.ts';
import { CASE_NEEDS } from '../../domain/needs.ts';
import { CASE_ROWS } from '../../domain/process/case.ts';
import type { Context } from '../context.ts';
import { type Tx, violatedConstraint } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import { keepEarningsOfCase, takeBackTripsOfCase } from '../payments/earnings/earnings.ts';
import { type Refused, type StepSubject, SYSTEM, takeStep, tryStep } from '../process/takeStep.ts';
import { announceCaseEvent, writeCaseEvent } from './caseEvents.ts';
import { type CleaningAgain, carryOutOffer } from './caseMoney.ts';
import { moveCase, type StepBy, type StepDetails } from './caseSteps.sql.ts';
import { type CaseRow, lockCase, lockCaseAlone } from './cases.sql.ts';
import { holdClaim, releasePayouts } from './claimedPayouts.ts';
import { carryOutDecision, DecisionProblem } from './decision.ts';
import {
  type CaseKind,
  type CaseRecord,
  type CaseStepDone,
  type CaseStepRequest,
  type CaseStepTaken,
  readFacts,
  type TakenCaseStep,
  takenOf,
} from './facts.ts';
import { findAutomaticCase } from './newCase.sql.ts';

const NOBODY_CLEANS = (): never => {
  throw new Error('an offer to clean again is carried out where orders start over');
};
/** For steps that carry out no offer. */
const NO_CLEANING: CleaningAgain = { canBegin: NOBODY_CLEANS, begin: NOBODY_CLEANS };

const casesWith = (cleaning: CleaningAgain): StepSubject<CaseKind> => ({
  rows: CASE_ROWS,
  needs: CASE_NEEDS,
  lock: lockCase,
  readFacts: (tx, asked, now) => readFacts(tx, asked, cleaning, now),
  refuse: refuseStep,
  write: writeStep,
  effects: [(tx, done) => applyCaseEffects(tx, done, cleaning)],
  explain: refuseSecondOpen,
  wakes: () => ['events', 'payments'],
});
export const CASES = casesWith(NO_CLEANING);

/** Takes one step of a case for one of its people. */
export const takeCaseStep = (
  context: Pick<Context, 'db' | 'now' | 'wake'>,
  cleaning: CleaningAgain,
  actor: StepBy,
  request: CaseStepRequest,
): Promise<TakenCaseStep> => takeStep(context, casesWith(cleaning), actor, request);

/** A row of the System, if it fits. The caller has locked the case. */
export const tryCaseStep = (tx: Tx, locked: CaseRow, action: CaseAction, at: Date, cleaning = NO_CLEANING) =>
  tryStep(tx, casesWith(cleaning), { actor: SYSTEM, request: { id: locked.id, action }, locked }, at);

/** A case that opened by itself about a delivery. `openedAt`: not one that was opened at another time. */
type OfDelivery = {
  readonly kind: CaseRow['kind'];
  readonly deliveryId: string;
  readonly openedAt?: Date;
};

/**
 * Ends a case that a step of its delivery makes needless, unless the town has decided about it. The step has its locks already. Call
 * it before money is locked.
 */
export async function endCaseOfDelivery(
  tx: Tx,
  { kind, deliveryId, openedAt }: OfDelivery,
  action: 'taken-back' | 'confirmed',
  at: Date,
): Promise<void> {
  const id = await findAutomaticCase(tx, kind, deliveryId);
  const row = id === undefined ? undefined : await lockCaseAlone(tx, id);
  if (!row || (openedAt && row.createdAt.getTime() !== openedAt.getTime())) return;
  await tryCaseStep(tx, row, action, at);
}

async function writeStep(tx: Tx, taken: CaseStepTaken): Promise<TakenCaseStep> {
  const { actor, request, row, facts, at } = taken;
  const { id, steps } = facts;
  await moveCase(tx, { id, steps, from: facts.status, to: row.to, sets: row.sets?.(takenOf(taken)) ?? {} });
  const event = { caseId: id, position: steps, action: row.action, status: row.to, by: actor };
  const { words, fileIds, place } = request;
  const eventId = await writeCaseEvent(tx, { ...event, report: { words, fileIds, place, ...amountOf(taken) } }, at);
  return { id, status: row.to, eventId, cents: sumOf(request.items) };
}

const sumOf = (items: CaseStepRequest['items'] = []) => items.reduce((sum, { cents }) => sum + cents, 0);

/** What the step offers, or gives back. */
function amountOf({ row, request, facts }: CaseStepTaken): Pick<StepDetails, 'offer' | 'cents'> {
  const { decision, offerPlan, offer, givenCents } = facts;
  // The total refund after the decision.
  if (decision) return { cents: Math.max(sumOf(request.items), givenCents) };
  if (row.carriesOut && offerPlan) return { offer, cents: offerPlan.cents };
  return { offer: request.offer ?? null, cents: request.offerCents ?? null };
}

/** Applies the effects of a step. Money moves before people are notified. */
async function applyCaseEffects(tx: Tx, done: CaseStepDone, cleaning: CleaningAgain): Promise<undefined> {
  const { row, actor, request, facts, answer, at } = done;
  const { id: caseId, steps: position, offerPlan, decision } = facts;
  if (row.takesBack && request.takesBackTrips) await takeBackTripsOfCase(tx, caseId, at);
  if (offerPlan && row.carriesOut === 'offer') await carryOutOffer(tx, facts, offerPlan, cleaning, at);
  if (decision?.ok && row.carriesOut === 'decision')
    await carryOutDecision(tx, facts, request.items ?? [], decision, at);
  const { eventId, status } = answer;
  await announceCaseEvent(tx, { eventId, notifies: row.notifies }, { caseId, position, status, by: actor }, at);
  if (row.frees) await releasePayouts(tx, facts, at);
  if (row.holdsEarnings) await keepEarningsOfCase(tx, caseId, at);
  if (row.holds) await holdClaim(tx, facts, row.holds(takenOf(done)), at);
}

async function refuseStep(_tx: Tx, { actor, facts, why }: Refused<CaseKind>): Promise<never> {
  if (actor.role === 'Operator') throw new DecisionProblem(townProblem(facts));
  if (!facts) return refuse('notFound');
  const failure = why.why === 'need' ? failureOfNeed(why.need) : undefined;
  if (failure === 'caseIsOpen') return refuseBesideOpen();
  if (failure && failure !== 'wrongStatus') return refuse(failure);
  return refuse('wrongStatus', { message: STATUS_TEXTS[facts.status] });
}

function townProblem(facts: CaseRecord | undefined): string {
  if (!facts) return 'there is no such case';
  const { status, decision } = facts;
  return decision?.ok === false ? decision.why : `it is ${status}: the town decides only what is with-town`;
}

const STATUS_TEXTS: Readonly<Record<CaseRow['status'], string>> = {
  'with-scrub': 'It waits for the answer of the Scrub',
  'with-duber': 'It waits for the answer of the Duber',
  'with-bud': 'It waits for the answer of the Bud',
  'with-town': 'The town decides it',
  decided: 'It is decided',
  closed: 'It is closed',
};

/** At most one open case of a kind about an order: violated when another one opens as a decided one is contested. */
const ONE_OPEN: readonly (string | undefined)[] = ['cases_one_by_a_person', 'cases_once_automatic'];

function refuseSecondOpen(error: unknown): void {
  if (ONE_OPEN.includes(violatedConstraint(error))) refuseBesideOpen();
}

function refuseBesideOpen(): never {
  const message = 'Another report about this order is still open. Contest this decision once that one has ended';
  refuse('caseIsOpen', { message });
}
