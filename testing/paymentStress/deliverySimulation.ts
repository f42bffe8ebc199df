import { v7 as newId } from 'uuid';
import type { DeliveryAction, DeliveryExceptionAction, DeliveryStatus } from '../../domain/deliveries.ts';
import { deliveryHandlers } from '../../server/deliveries/deliveries.ts';
import { type Simulation, tryAgain } from './simulation.ts';
import type { Users } from './users.ts';

export type Duber = Users['dubers'][number];

export const TO_PICKUP = ['accept-delivery', 'way-to-pickup'] as const;
export const TO_DROP = [...TO_PICKUP, 'collected', 'way-to-drop'] as const;
export const TO_THE_END = [...TO_DROP, 'delivered'] as const;

type Delivery = { readonly id: string; readonly status: DeliveryStatus };

/** The deliveries of an order, the latest last. */
export async function listDeliveries(simulation: Simulation, orderId: string): Promise<readonly Delivery[]> {
  const deliveries = await tryAgain(() =>
    simulation
      .context()
      .db.selectFrom('deliveries')
      .select(['id', 'status'])
      .where('order_id', '=', orderId)
      .orderBy('created_at')
      .execute(),
  );
  return deliveries ?? [];
}

/** A Duber takes these steps. Those that do not fit are refused. */
export async function carry(
  simulation: Simulation,
  id: string,
  duber: Duber,
  steps: readonly DeliveryAction[],
): Promise<void> {
  for (const step of steps) {
    const input = { caller: duber, params: { id }, idempotencyKey: newId() };
    await tryAgain(() => deliveryHandlers(simulation.context())[step](input as never));
  }
}

const STEPS_FROM: Partial<Record<DeliveryStatus, readonly DeliveryAction[]>> = {
  Pending: TO_THE_END,
  Accepted: TO_THE_END.slice(1),
  Way_To_Pick: TO_THE_END.slice(2),
  Collected: TO_THE_END.slice(3),
  Way_To_Drop: TO_THE_END.slice(4),
};

/** Brings the laundry of an order to where it should go. */
export async function carryAll(simulation: Simulation, orderId: string, duber: Duber): Promise<void> {
  for (const { id, status } of await listDeliveries(simulation, orderId))
    await carry(simulation, id, duber, STEPS_FROM[status] ?? []);
}

/** A call that was not planned. True when it was taken. */
export async function report(
  simulation: Simulation,
  caller: { readonly role: 'Bud' | 'Duber'; readonly id: string },
  action: DeliveryExceptionAction,
  { id, ...body }: { readonly id: string } & Record<string, unknown>,
): Promise<boolean> {
  const input = { caller, params: { id }, body, idempotencyKey: newId() };
  const answer = await tryAgain(() => deliveryHandlers(simulation.context())[action](input as never));
  return answer !== undefined;
}
