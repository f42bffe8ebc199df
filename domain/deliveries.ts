import type { OrderStatus, StatusGroup } from './orders.ts';
import { type Actor, rowsOfPeople, type Transition } from './workflow.ts';

export const DELIVERY_STATUSES = [
  'Pending',
  'Accepted',
  'Way_To_Pick',
  'Collected',
  'Way_To_Drop',
  'Delivered',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DELIVERY_TYPES = ['Bud_To_Scrub', 'Scrub_To_Bud'] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

export type DeliveryAction = 'accept-delivery' | 'way-to-pickup' | 'collected' | 'way-to-drop' | 'delivered';
/** What a step in the history of a delivery records. */
export type DeliveryStepAction = 'open-delivery' | DeliveryAction;

// spec 4.2
export const DELIVERY_FLOW = [
  { action: 'accept-delivery', from: 'Pending', to: 'Accepted', by: 'Duber' },
  { action: 'way-to-pickup', from: 'Accepted', to: 'Way_To_Pick', by: 'Duber' },
  { action: 'collected', from: 'Way_To_Pick', to: 'Collected', by: 'Duber' },
  { action: 'way-to-drop', from: 'Collected', to: 'Way_To_Drop', by: 'Duber' },
  { action: 'delivered', from: 'Way_To_Drop', to: 'Delivered', by: 'Duber' },
] as const satisfies readonly Transition<DeliveryAction, DeliveryStatus, Actor>[];

export const DELIVERY_CALL_ROWS = rowsOfPeople(DELIVERY_FLOW);

// spec 4.2
export const DELIVERY_GROUPS: Record<DeliveryStatus, StatusGroup> = {
  Pending: 'pending',
  Accepted: 'progress',
  Way_To_Pick: 'progress',
  Collected: 'progress',
  Way_To_Drop: 'progress',
  Delivered: 'completed',
};

/** Whether a Duber has accepted the delivery and not delivered it yet. A Duber has one active delivery at most. */
export function isActiveStatus(status: DeliveryStatus): boolean {
  return status !== 'Pending' && status !== 'Delivered';
}

/** The delivery that an order needs at a new status, if any: to the Scrub when accepted, back to the Bud when completed. */
export function legFor(
  status: OrderStatus,
  order: { readonly selfDelivery: boolean; readonly selfPickup: boolean },
): DeliveryType | undefined {
  if (status === 'Accepted' && !order.selfDelivery) return 'Bud_To_Scrub';
  if (status === 'Completed' && !order.selfPickup) return 'Scrub_To_Bud';
  return undefined;
}

/** How long after the delivery a Duber sees the e-mail and phone of its Bud and Scrub. server/visibility.sql.ts applies it. */
export const CONTACTS_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
