import type { OrderExceptionAction } from '../../domain/orders.ts';
import { ORDER_EXCEPTION_ROWS } from '../../domain/process/order.ts';
import { requestKeyOf } from '../auth/secrets.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/routes.ts';
import { readCancellation } from './cancellation.ts';
import type { OrderStepRequest } from './facts.ts';
import type { OrderParty } from './orders.sql.ts';
import { takeOrderStep } from './steps.ts';

type ExceptionCalls = Pick<Handlers, OrderExceptionAction | 'readCancellation'>;

type CallInput = {
  caller: OrderParty;
  params: { id: string };
  body: Pick<OrderStepRequest, 'reason' | 'words' | 'scrubId' | 'fee' | 'pickupFrom' | 'returnFrom' | 'proposalId'>;
  idempotencyKey: string | undefined;
};

export function orderExceptionHandlers(context: Context): ExceptionCalls {
  const calls = Object.fromEntries(
    ORDER_EXCEPTION_ROWS.map(({ action }) => [
      action,
      ({ caller, params, body, idempotencyKey }: CallInput) => {
        const requestKey = requestKeyOf(caller.id, idempotencyKey);
        return takeOrderStep(context, caller, { ...body, id: params.id, action, requestKey });
      },
    ]),
  ) as unknown as Pick<Handlers, OrderExceptionAction>;
  return { ...calls, readCancellation: ({ caller, params }) => readCancellation(context.db, caller, params.id) };
}
