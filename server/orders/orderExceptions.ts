import { ORDER_EXCEPTION_ROWS, type OrderExceptionAction } from '../../domain/orders.ts';
import type { Context } from '../context.ts';
import { refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';

type ExceptionCalls = Pick<Handlers, OrderExceptionAction>;

export function orderExceptionHandlers(_context: Context): ExceptionCalls {
  return Object.fromEntries(
    ORDER_EXCEPTION_ROWS.map(({ action }) => [action, () => refuse('wrongStatus')]),
  ) as unknown as ExceptionCalls;
}
