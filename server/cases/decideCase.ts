import { centsMovedBy, type ItemDecision } from '../../domain/decisions.ts';
import type { Context } from '../context.ts';
import { type Tx, transactStep } from '../db/database.ts';
import { checkStepIn, takeStepIn } from '../process/takeStep.ts';
import { DecisionProblem } from './decision.ts';
import type { CaseStepRequest } from './facts.ts';
import { CASES } from './steps.ts';

export type Decision = {
  readonly caseId: string;
  /** Items that are not listed get nothing. */
  readonly items: readonly ItemDecision[];
  readonly reason: string;
  /** Who decides. */
  readonly name: string;
};

export type DecisionResult =
  | { readonly ok: true; readonly cents: number }
  | { readonly ok: false; readonly why: string };

type TownContext = Pick<Context, 'db' | 'now'>;

const operator = (name: string) => ({ role: 'Operator', id: null, name }) as const;

/** Decides a case that is with the town. The refund is made at once, and the decision can be contested once. */
export const decideCase = (context: TownContext, { caseId: id, items, reason: words, name }: Decision) =>
  takeTownStep(context, name, { id, action: 'decide', items, words });

/** Closes a case that is with the town, without a decision. The Duber may not be paid for the trip that waits for it. */
export const closeCase = (
  context: TownContext,
  { caseId: id, reason: words, name, takesBackTrip }: Omit<Decision, 'items'> & { readonly takesBackTrip?: boolean },
) => takeTownStep(context, name, { id, action: 'close', words, takesBackTrips: takesBackTrip ?? false });

/**
 * Whether a decision is possible now, without taking it. `cents` is the additional refund to the card, because a contested case
 * is decided a second time.
 */
export const checkDecision = (
  { db, now }: TownContext,
  { caseId: id, items }: Pick<Decision, 'caseId' | 'items'>,
): Promise<DecisionResult> =>
  inTown(db, async (tx) => {
    const { facts } = await checkStepIn(tx, CASES, operator(''), { id, action: 'decide', items }, now);
    return facts.decision?.ok ? centsMovedBy(items, facts.decision, facts.givenCents) : 0;
  });

const takeTownStep = ({ db, now }: TownContext, name: string, request: CaseStepRequest): Promise<DecisionResult> =>
  inTown(db, async (tx) => (await takeStepIn(tx, CASES, operator(name), request, now)).cents);

async function inTown(db: Tx, work: (tx: Tx) => Promise<number>): Promise<DecisionResult> {
  try {
    return { ok: true, cents: await transactStep(db, work) };
  } catch (error) {
    if (error instanceof DecisionProblem) return { ok: false, why: error.message };
    throw error;
  }
}
