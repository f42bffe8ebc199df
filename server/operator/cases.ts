import { CASES_PAGE } from '../../contract/operator/cases.ts';
import { formatDollars, toCents, toDollars } from '../../domain/payments.ts';
import { checkDecision, closeCase, type DecisionResult, decideCase } from '../cases/decideCase.ts';
import { findTownCase, listTownCases, readTownCase, sumGivenByTown } from '../cases/townCases.ts';
import { readPage } from '../db/pages.ts';
import { readPhotoOfTown } from '../files/files.ts';
import { orNotFound, refuse } from '../http/refusals.ts';
import type { ActInput, Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { readSettings } from '../town/settings.sql.ts';
import { findPlacesShownUntil } from './shownPlaces.ts';

type CaseCalls = Pick<OperatorHandlers, 'listTownCases' | 'readTownCase' | 'readTownFile'>;

export const caseHandlers = (context: ConsoleContext): CaseCalls => ({
  listTownCases: ({ query: { state = 'open', page } }) =>
    readPage(
      page,
      CASES_PAGE,
      (bounds) => listTownCases(context.db, state, bounds),
      (found) => found,
    ),
  readTownCase: async ({ operator, params }) => {
    const { db, now } = context;
    const { refundLimitOrder } = await readSettings(db, now());
    const { id } = params;
    const { orderId } = orNotFound(await findTownCase(db, id));
    const asks = orderId === null ? undefined : { orderId, operatorId: operator.id };
    const isShown = asks !== undefined && (await findPlacesShownUntil(db, asks, now())) !== undefined;
    return { ...orNotFound(await readTownCase(db, { id, isShown }, now())), limit: toDollars(refundLimitOrder) };
  },
  readTownFile: ({ params }) => readPhotoOfTown(context, context.files, params.id),
});

type CaseAct = 'decideCase' | 'closeCase';

export const CASE_ACTS: Pick<Acts, CaseAct> = {
  decideCase: {
    cents: async (input) => {
      orNotFound(await findTownCase(input.context.db, input.params.id));
      return centsOf(await checkDecision(input.context, decisionOf(input)));
    },
    // A case is given no more alone than an order, whoever has approved a part of it.
    needsApproval: async ({ context: { db, now }, params }, cents) => {
      if (cents === null) return false;
      const { refundLimitOrder } = await readSettings(db, now());
      return cents + (await sumGivenByTown(db, params.id)) > refundLimitOrder;
    },
    run: async (input) => {
      const { words: reason } = input.body;
      const cents = centsOf(
        await decideCase(input.context, { ...decisionOf(input), reason, name: input.operator.fullname }),
      );
      return finish(input, { given: formatDollars(cents ?? 0) });
    },
  },
  closeCase: {
    run: async (input) => {
      const { params, operator, body } = input;
      orNotFound(await findTownCase(input.context.db, params.id));
      const { words: reason, takesBackTrip = false } = body;
      orRefuse(await closeCase(input.context, { caseId: params.id, reason, name: operator.fullname, takesBackTrip }));
      return finish(input, takesBackTrip ? { takesBackTrip } : {});
    },
  },
};

const decisionOf = ({ params, body }: ActInput<'decideCase'>) => ({
  caseId: params.id,
  items: body.items.map(({ amount, ...item }) => ({ ...item, cents: toCents(amount) })),
});

/** No money moves when nothing more is refunded. */
const centsOf = (result: DecisionResult) => orRefuse(result) || null;

function orRefuse(result: DecisionResult): number {
  if (result.ok) return result.cents;
  return refuse('wrongStatus', { message: `${result.why.slice(0, 1).toUpperCase()}${result.why.slice(1)}` });
}

/** Wakes the workers of the notices and of the refund. */
function finish({ context }: Pick<ActInput<CaseAct>, 'context'>, details: object) {
  context.wake('events', 'payments');
  return { details };
}
