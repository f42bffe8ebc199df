import type { OrderTownAction } from '../domain/orders.ts';
import type { Point } from '../domain/places.ts';
import type { Tx } from '../server/db/database.ts';
import type { DeliveryStepRequest } from '../server/deliveries/facts.ts';
import { takeDeliveryStep } from '../server/deliveries/steps.ts';
import type { OrderStepRequest } from '../server/orders/facts.ts';
import { takeOrderStep } from '../server/orders/steps.ts';

export type OperatorStep = {
  readonly id: string;
  readonly action: string;
  readonly reason?: string;
  readonly words?: string;
  readonly place?: Point | undefined;
} & Pick<OrderStepRequest, 'wayHome' | 'waysPaidBy'>;

const OPERATOR = { role: 'Operator', id: null } as const;

/** Takes a step of an order or a delivery as an operator, without the console. Returns its status, and its round or attempt. */
export async function takeOperatorStep(
  context: { readonly db: Tx; readonly now: () => Date },
  { action, wayHome, waysPaidBy, ...step }: OperatorStep,
): Promise<readonly [status: string, count: number]> {
  const all = { ...context, wake: () => {} };
  const delivery = await context.db.selectFrom('deliveries').select('id').where('id', '=', step.id).executeTakeFirst();
  if (delivery) {
    const request = { ...step, action: action as DeliveryStepRequest['action'] };
    const { status, attempt } = await takeDeliveryStep(all, OPERATOR, request);
    return [status, attempt];
  }
  const request = { ...step, wayHome, waysPaidBy, action: action as OrderTownAction };
  const { status, round } = await takeOrderStep(all, OPERATOR, request);
  return [status, round];
}
