import { DELIVERY_EXCEPTION_ROWS, type DeliveryExceptionAction } from '../../domain/deliveries.ts';
import type { Context } from '../context.ts';
import { refuse } from '../http/refusals.ts';
import type { Handlers } from '../http/routes.ts';

type ExceptionCalls = Pick<Handlers, DeliveryExceptionAction>;

export function deliveryExceptionHandlers(_context: Context): ExceptionCalls {
  return Object.fromEntries(
    DELIVERY_EXCEPTION_ROWS.map(({ action }) => [action, () => refuse('wrongStatus')]),
  ) as unknown as ExceptionCalls;
}
