import type { OrderExceptionAnswer } from '../../contract/exceptions.ts';
import type { OrderExceptionAction, OrderTownAction } from '../../domain/orders.ts';
import { ORDER_EXCEPTION_ROWS } from '../../domain/process/order.ts';
import { refuseHeldWork } from '../auth/holds.sql.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import { transactStep } from '../db/database.ts';
import { orNotFound } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';
import { checkReason } from '../process/checkReason.ts';
import { findAnswer, keepAnswer } from '../process/requests.ts';
import { readCancellation } from './cancellation.ts';
import { lockOrder, type OrderActor, type OrderParty } from './orders.sql.ts';
import { type OrderRequest, takeOrderStep } from './takeOrderStep.ts';

/** An exception that people or operators ask for. */
export type OrderExceptionRequest = OrderRequest & { readonly action: OrderExceptionAction | OrderTownAction };

type ExceptionCalls = Pick<Handlers, OrderExceptionAction | 'readCancellation'>;

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

/** Takes a row of ORDER_EXCEPTIONS in one transaction. A repeated request with the same key gets the first answer again. */
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
  const taken = await takeOrderStep(context, tx, { by: actor, order, request });
  if (!taken.ok) return taken.refuse();
  const answer = { ...taken.step, round: taken.round };
  await keepAnswer(tx, keyed, answer, now());
  return answer;
}
