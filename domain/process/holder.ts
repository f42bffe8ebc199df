import { type DeliveryStatus, LAUNDRY_STATUSES } from '../deliveries.ts';

// Who has the laundry of an order: its holder, the taker of the last hand-over. Which of two loads a Duber has is written at its delivery.

/** The statuses at which an earlier Duber, who could not go on, may still have the laundry. */
export const WITHOUT_NEXT_DUBER = ['Pending', 'Accepted', 'Way_To_Pick', 'Failed'] as const satisfies DeliveryStatus[];

type OnBoard = { readonly status: DeliveryStatus; readonly hasLaundry: boolean };
type Relayed = OnBoard & {
  /** The Duber who could not go on. */
  readonly carrierId: string | null;
};

/** Whether the Duber of a delivery has its laundry. Only at Failed the status does not tell. */
export const isOnBoard = ({ status, hasLaundry }: OnBoard): boolean =>
  LAUNDRY_STATUSES.includes(status) || (status === 'Failed' && hasLaundry);

/** Whether the laundry waits with an earlier Duber, who could not go on, until the next one collects it. */
export const isRelayed = (delivery: Relayed): boolean =>
  delivery.carrierId !== null &&
  !isOnBoard(delivery) &&
  (WITHOUT_NEXT_DUBER as readonly DeliveryStatus[]).includes(delivery.status);
