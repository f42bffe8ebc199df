import { type RawBuilder, sql } from 'kysely';
import type { CaseAction, CaseFacts, CaseStatus } from '../../domain/cases.ts';
import { checkCaseStep, isOpenCase, SAID_BY_DUBER } from '../../domain/cases.ts';
import type { Tx } from '../db/database.ts';
import { keepPaysOfCase } from '../payments/earnings/pays.ts';
import { recordCaseEvent, type StepContext } from './caseEvents.ts';
import { carryOutOffer, findCover, isCovered } from './caseMoney.ts';
import { moveCase, type StepBy, type StepDetails } from './caseSteps.sql.ts';
import type { CaseRow } from './cases.sql.ts';
import { listLiable, listOtherReports, wasDenied } from './cases.sql.ts';
import { holdClaim, releaseHolds } from './claimHolds.ts';

export type CaseStep = {
  /** The locked case, as read under the lock. */
  readonly row: CaseRow;
  readonly action: CaseAction;
  readonly by: StepBy;
  readonly report?: StepDetails;
  /** More columns to set. */
  readonly changes?: RawBuilder<unknown>;
};

export type StepResult =
  | { readonly ok: true; readonly status: CaseStatus }
  | Exclude<ReturnType<typeof checkCaseStep>, { ok: true }>;

/** The steps that carry out the last offer. */
const HAPPENS: readonly CaseAction[] = ['accept-offer', 'silent-bud'];

/** Takes one row of CASE_FLOW with everything that it causes. The case is locked, so that two steps follow one another. */
export async function takeCaseStep(tx: Tx, context: StepContext, step: CaseStep): Promise<StepResult> {
  const { row, action, by, report = {} } = step;
  const query = { action, status: row.status, by: by.role };
  const facts = await readFacts(tx, row, by, context.at);
  const asked = checkCaseStep(query, facts);
  if (!asked.ok) return asked;
  const happened = HAPPENS.includes(action) ? await carryOutOffer(tx, context, row) : undefined;
  const isOfferPossible = happened?.ok ?? (action !== 'answer' || (await isOfferCovered(tx, row, report)));
  const verdict = checkCaseStep(query, { ...facts, isOfferPossible });
  if (!verdict.ok) return verdict;
  const { to } = verdict;
  const moved = await moveCase(tx, { ...row, from: row.status, to, changes: changesOf(step, to, context.at) });
  // Its effects must be undone when the step fails.
  if (!moved) throw new Error(`case ${row.id} was moved while it was locked`);
  const event = happened?.ok ? { ...report, offer: row.offer, cents: happened.cents } : report;
  await recordCaseEvent(tx, context, { row, action, status: to, by, report: event });
  // The refund takes money from them now, so their earnings must become payable too.
  if (!isOpenCase(to)) await releaseHolds(tx, row, context.at);
  if (action === 'deny') await keepPaysOfCase(tx, row.id, context.at);
  if (action === 'contest') await holdClaim(tx, { ...row, askedCents: row.askedCents - row.givenCents }, context.at);
  return { ok: true, status: to };
}

/** Whether the one who answers has earned what they offer. Nothing is locked, because it is asked again when the offer happens. */
async function isOfferCovered(tx: Tx, row: CaseRow, { offer = null, cents = null }: StepDetails): Promise<boolean> {
  if (offer === 'was-before') return true;
  const cover = await findCover(tx, row);
  return cover !== undefined && isCovered({ offer, offerCents: cents }, cover);
}

function changesOf({ action, by, changes }: CaseStep, to: CaseStatus, at: Date): RawBuilder<unknown> {
  const parts = changes ? [sql`, ${changes}`] : [];
  if (to === 'decided') {
    const decidedBy = by.role === 'Bud' || by.role === 'Operator' ? by.role : 'System';
    parts.push(sql`, decided_at = ${at}, decided_by = ${decidedBy}`);
  }
  if (action === 'contest') parts.push(sql`, contested_at = ${at}`);
  // Urgent cases are also mailed to the owner of the town.
  if (action === 'stale') parts.push(sql`, priority = 'high'`);
  return sql.join(parts, sql``);
}

/** The facts for the needs of a step. */
export async function readFacts(tx: Tx, row: CaseRow, by: StepBy, now: Date): Promise<CaseFacts> {
  return {
    isOfferPossible: true,
    isBorneByCaller: await isBorneBy(tx, row, by),
    isSaidByDuber: SAID_BY_DUBER.includes(row.kind),
    wasDenied: SAID_BY_DUBER.includes(row.kind) && (await wasDenied(tx, row.id)),
    wasContested: row.contestedAt !== null,
    decidedAt: row.decidedAt ?? undefined,
    otherReports: row.status === 'decided' ? await listOtherReports(tx, row) : [],
    now,
  };
}

/** Whether the town decided, and the person pays for it or got less than they asked for. */
async function isBorneBy(tx: Tx, row: CaseRow, by: StepBy): Promise<boolean> {
  if (row.decidedBy !== 'Operator' || !('id' in by)) return false;
  if (by.id === row.openedBy) return row.kind === 'claim' && row.decidedCents < row.askedCents;
  return (await listLiable(tx, row.id)).some(({ userId }) => userId === by.id);
}
