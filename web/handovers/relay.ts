import type { Delivery, DeliveryDetails } from '../../contract/deliveries.ts';
import type { Custody } from '../../contract/handovers.ts';
import type { Role } from '../../domain/accounts.ts';
import { isBeforePickup, WITHOUT_NEXT_DUBER } from '../../domain/deliveries.ts';
import { UNDO_MS } from '../../domain/needs.ts';
import { isNotFound } from '../ui/errorMessage.ts';

/** How often a Duber who waits for the next one asks: events of that one's steps go only to the people of the delivery. */
export const RELAY_REFETCH_MS = 15_000;

type Dashboard = { readonly carriedDeliveries?: readonly unknown[] | undefined };
type DashboardQuery = { readonly state: { readonly data: Dashboard | undefined; readonly dataUpdatedAt: number } };

/** Whether the next Duber can still take "Collected" back: it was pressed after the last answer, and that of the undo comes later. */
const mayComeBack = (waitedAt: number) => Date.now() - waitedAt <= UNDO_MS + 2 * RELAY_REFETCH_MS;

type DeliveryQuery = { readonly state: { readonly error: unknown; readonly dataUpdatedAt: number } };

/** When a page asks for one delivery again, for a Duber who waits with its laundry. The last answer was one in which they waited. */
export function relayRefetchMs({ state: { error, dataUpdatedAt } }: DeliveryQuery, isWaiting: boolean) {
  return isWaiting && (!isNotFound(error) || mayComeBack(dataUpdatedAt)) ? RELAY_REFETCH_MS : false;
}

/**
 * When a dashboard asks again: while its Duber waits for the next one, and after that as long as the next one can take "Collected"
 * back.
 */
export function createRelayRefetch(): (query: DashboardQuery) => number | false {
  let waitedAt = Number.NEGATIVE_INFINITY;
  return ({ state: { data, dataUpdatedAt } }) => {
    if (data?.carriedDeliveries?.length) waitedAt = dataUpdatedAt;
    return mayComeBack(waitedAt) ? RELAY_REFETCH_MS : false;
  };
}

/** Whether a Duber collects the laundry from another one, who could not go on. Only Dubers are sent the place. */
export const isRelayedPickup = ({ status, pickup }: Pick<Delivery, 'status' | 'pickup'>): boolean =>
  pickup !== null && WITHOUT_NEXT_DUBER.includes(status);

/** Whether a Duber is the one who could not go on, and keeps the laundry until the next one collects it. */
export const isRelaySender = (
  { isCarrier: hasIt, duberId }: Pick<DeliveryDetails, 'isCarrier' | 'duberId'>,
  viewerId: string,
): boolean => hasIt === true && duberId !== viewerId;

/** Whether a viewer takes part in a delivery, so that they see its places as they are, and not rounded. */
export const isAgreed = (
  { duberId, isCarrier: hasIt }: Pick<DeliveryDetails, 'isCarrier' | 'duberId'>,
  role: Role,
): boolean => role !== 'Duber' || (duberId !== null && hasIt !== true);

/**
 * What a Duber is to relayed laundry: the `recipient`, who fetches it, the `sender`, who waits for the recipient, or the `holder`,
 * who accepted again what they could not go on with and has had the laundry all the time. Everybody else is a `recipient`, too.
 */
export type RelayRole = 'recipient' | 'sender' | 'holder';

type Relayed = Pick<DeliveryDetails, 'status' | 'pickup' | 'duberId' | 'isCarrier'> & {
  /** Dashboards leave it out. */
  readonly statusHistory?: Delivery['statusHistory'];
};

/** Whether a Duber goes on with a delivery whose laundry an earlier one may still have. */
export const goesOnWithRelayed = (
  delivery: Pick<Delivery, 'status' | 'pickup' | 'duberId'>,
  viewerId: string,
): boolean => isRelayedPickup(delivery) && delivery.duberId === viewerId && delivery.status !== 'Failed';

/** As long as it is not known who has the laundry, it is a Duber who has collected it before. */
export function relayRoleOf(
  delivery: Relayed,
  viewerId: string,
  custody: Pick<Custody, 'holder'> | undefined,
): RelayRole {
  if (isRelaySender(delivery, viewerId)) return 'sender';
  const hasCollected = delivery.statusHistory?.some(({ status }) => status === 'Collected') ?? false;
  const hasIt = custody ? custody.holder.id === viewerId : hasCollected;
  return hasIt && goesOnWithRelayed(delivery, viewerId) ? 'holder' : 'recipient';
}

type NextDuber = {
  readonly duber: { readonly fullname: string } | null;
  /** Whether they have said that they are there. */
  readonly isNextHere?: boolean | undefined;
};
type RelaySenderText = { readonly title: string; readonly text: string };

/** What the Duber reads who keeps the laundry for the next one. They see the short name of that one. */
export function relaySenderText({ status, duber, isNextHere }: Pick<Delivery, 'status'> & NextDuber): RelaySenderText {
  const name = duber?.fullname ?? 'The next Duber';
  const waiting = { title: `Wait here for ${duber?.fullname ?? 'the next Duber'}` };
  if (status === 'Accepted')
    return { ...waiting, text: `${name} has accepted, and will come to you. Keep the laundry until they collect it.` };
  if (isBeforePickup(status) && isNextHere)
    return { title: `Look for ${name}`, text: `${name} is here to collect the laundry. Give it to them.` };
  if (isBeforePickup(status))
    return { ...waiting, text: `${name} is on the way to you. Keep the laundry until they collect it.` };
  if (status === 'Failed')
    return {
      title: 'Keep the laundry with you',
      text: `${name} did not get it from you. The customer or the town decides what happens next.`,
    };
  return { ...waiting, text: 'We ask the Dubers nearby. Keep the laundry until one of them collects it.' };
}

/** Whom the next Duber looks for, and where. The holder is known by a short name. */
export const meetingText = (holder: string | undefined): string =>
  `${holder ?? 'Another Duber'} could not continue, and waits for you with the laundry at the pickup on the map.`;

/** What the Duber who waited reads once they may no longer read the delivery. They do not learn which of the two it is. */
export const NO_LONGER_HOLDER =
  'Another Duber has the laundry, or the town has called the delivery off. If you still have it, keep it and ask the town.';
