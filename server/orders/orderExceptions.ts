import type { OrderExceptionAnswer } from '../../contract/exceptions.ts';
import { ORDER_NEEDS, type OrderFacts } from '../../domain/needs.ts';
import {
  ORDER_EXCEPTION_ROWS,
  ORDER_EXCEPTIONS,
  type OrderExceptionAction,
  type OrderStatus,
  waysHomeFor,
} from '../../domain/orders.ts';
import { type Actor, chooseRow, type Transition } from '../../domain/workflow.ts';
import { refuseHeldWork } from '../auth/holds.sql.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import type { OrderRow } from '../db/columns.sql.ts';
import { transactStep } from '../db/database.ts';
import { orNotFound, refuseProperty } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { checkReason } from '../process/checkReason.ts';
import { findAnswer, keepAnswer } from '../process/requests.ts';
import { readCancellation } from './cancellation.ts';
import { EXCEPTION_EFFECTS, type OrderExceptionRequest, type OrderExceptionStep } from './exceptionEffects.ts';
import { factsOf, type Leg, lockLegs, readHolder, whereMoved } from './orderFacts.sql.ts';
import { moveOrder } from './orderSteps.sql.ts';
import { lockOrder, type OrderActor, type OrderParty } from './orders.sql.ts';
import { endTimers } from './orderTimers.sql.ts';
import { refuseChoice } from './refuseChoice.ts';

type ExceptionCalls = Pick<Handlers, OrderExceptionAction | 'readCancellation'>;

type ExceptionRow = Transition<string, OrderStatus, Actor>;

type CallInput = {
  caller: OrderParty;
  params: { id: string };
  body: Pick<OrderExceptionRequest, 'reason' | 'words' | 'scrubId' | 'fee'>;
  idempotencyKey: string | undefined;
};

export function orderExceptionHandlers(context: Context): ExceptionCalls {
  const calls = Object.fromEntries(
    ORDER_EXCEPTION_ROWS.map(({ action }) => [
      action,
      ({ caller, params, body, idempotencyKey }: CallInput) => {
        const requestKey = requestKeyOf(caller.id, idempotencyKey);
        return takeOrderException(context, caller, { ...body, id: params.id, action, requestKey });
      },
    ]),
  ) as unknown as Pick<Handlers, OrderExceptionAction>;
  return { ...calls, readCancellation: ({ caller, params }) => readCancellation(context.db, caller, params.id) };
}

/**
 * Takes a row of ORDER_EXCEPTIONS: locks the order and its deliveries, finds the row whose needs are met, and writes the step
 * and all that it causes in one transaction. A repeated request with the same key gets the first answer again.
 */
export async function takeOrderException(
  context: Pick<Context, 'db' | 'now' | 'newId' | 'wake'>,
  actor: OrderActor,
  request: OrderExceptionRequest,
): Promise<OrderExceptionAnswer> {
  checkReason(request.action, request);
  const answer = await transactStep(context.db, (tx) =>
    takeOrderExceptionInTx({ ...context, db: tx }, actor, request),
  ).catch((error: unknown) => refuseHeldWork(error, 'Bud'));
  context.wake('payments', 'events');
  return answer;
}

/** The same within a transaction of the caller. */
export async function takeOrderExceptionInTx(
  context: Pick<Context, 'db' | 'now' | 'newId'>,
  actor: OrderActor,
  request: OrderExceptionRequest,
): Promise<OrderExceptionAnswer> {
  const { db: tx, now } = context;
  const { id, action, requestKey } = request;
  const order = orNotFound(await lockOrder(tx, actor, id));
  const keyed = { actorId: actor.id, requestKey, call: action, subjectId: id };
  const repeated = await findAnswer<OrderExceptionAnswer>(tx, keyed);
  if (repeated) return repeated;
  const legs = await lockLegs(tx, id);
  const holder = actor.role === 'Operator' ? await readHolder(tx, id) : undefined;
  const facts = factsOf(order, legs, request, holder);
  const row = chooseRowOrRefuse(order, { facts, legs }, actor, request);
  const { to, startsOver } = row;
  // Each of these rows ends the order's timers; some start others.
  await endTimers(tx, id);
  const { reason, words } = request;
  const move = { id, action, from: order.status, to, reason, words, ...(startsOver ? { startsOver } : {}) };
  const step = orNotFound(await moveOrder(tx, actor, move, now()));
  const round = order.round + (startsOver ? 1 : 0);
  const wayHome = facts.isLaundryAway ? request.wayHome : undefined;
  const taken: OrderExceptionStep = { order, legs, step, round, request, by: actor.role, wayHome };
  await EXCEPTION_EFFECTS[action](context, tx, taken);
  const answer = { ...step, round };
  await keepAnswer(tx, keyed, answer, now());
  return answer;
}

function chooseRowOrRefuse(
  { status }: OrderRow,
  { facts, legs }: { readonly facts: OrderFacts; readonly legs: readonly Leg[] },
  actor: OrderActor,
  request: OrderExceptionRequest,
) {
  const choice = chooseRow<ExceptionRow, OrderFacts>(
    ORDER_EXCEPTIONS,
    { action: request.action, status, by: actor.role },
    ORDER_NEEDS,
    facts,
  );
  if (!choice.ok) return refuseChoice(choice, status, whereMoved(facts, legs, actor.role));
  if (choice.row.needs?.includes('way-home')) checkWayHome(facts, request);
  return choice.row;
}

/** No order ends while somebody else than its Bud has the laundry, without a way home. */
function checkWayHome(facts: OrderFacts, { wayHome, waysPaidBy }: OrderExceptionRequest): void {
  const possible = waysHomeFor(facts);
  if (possible.length === 0) return;
  const choices = possible.join(', ');
  if (wayHome === undefined)
    refuseProperty('wayHome', 'isRequired', `Say how the laundry gets home: wayHome must be one of ${choices}`);
  if (!possible.includes(wayHome))
    refuseProperty('wayHome', 'isPossible', `The Scrub does not have the laundry: wayHome must be one of ${choices}`);
  if (wayHome === 'bring' && waysPaidBy === undefined)
    refuseProperty('waysPaidBy', 'isRequired', 'Say who pays the Duber who brings the laundry home');
}
