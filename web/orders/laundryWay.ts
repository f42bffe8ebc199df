import type { DeliveryType } from '../../domain/deliveries.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { type Delay, type DeliverySituation, deliveryOfWay } from '../../domain/process/situation.ts';
import { type OrderReader, WAY_TEXTS, type WaySituation } from '../../texts/orders.ts';
import { formatDateInText } from '../ui/format.ts';

/** What of an order says where its laundry is on its way. */
export type LaundryWay = {
  readonly status: OrderStatus;
  readonly selfDelivery: boolean;
  readonly selfPickup: boolean;
  readonly round: number;
  readonly isHandedOver: boolean;
  readonly isScrubAway?: boolean | undefined;
  readonly isCleanedAgain?: boolean | undefined;
  readonly delay?: Delay | null | undefined;
  readonly times?: object | undefined;
  readonly scrub: { readonly fullname: string };
  readonly bud?: { readonly fullname: string };
  readonly deliveries: readonly {
    readonly deliveryType: DeliveryType;
    readonly round: number;
    readonly situation?: DeliverySituation | undefined;
    readonly leftAtDoorAt?: string | null | undefined;
  }[];
};

/** Whether no Duber brings the laundry of the present round to the Scrub any more, so its Bud brings it. */
export const isBroughtByBud = (
  order: Pick<LaundryWay, 'selfDelivery' | 'round'> & {
    readonly deliveries: readonly {
      readonly deliveryType: DeliveryType;
      readonly round: number;
      readonly status: string;
    }[];
  },
): boolean => order.selfDelivery || deliveryOfWay(order, 'there')?.status === 'Called_Off';

/** How far the laundry has come on its way to the Scrub in the present round. */
export function situationThere(order: LaundryWay): WaySituation {
  const delivery = deliveryOfWay(order, 'there');
  if (order.isHandedOver || delivery?.situation === 'delivered') return 'delivered';
  return order.selfDelivery ? 'by-bud' : (delivery?.situation ?? 'waits-for-duber');
}

/** How far the laundry has come on its way home. A Duber may bring home what its Bud wanted to fetch, when the order was cancelled. */
export function situationBack(order: LaundryWay): WaySituation {
  const delivery = deliveryOfWay(order, 'back');
  return order.selfPickup && !delivery ? 'by-bud' : (delivery?.situation ?? 'waits-for-duber');
}

const namesOf = ({ bud, scrub, times }: LaundryWay) => ({
  ...{ bud: bud?.fullname ?? 'the customer', scrub: scrub.fullname, isTimed: times !== undefined },
});

/** Since when the laundry stands at the door of its Bud, who has not said yet that they have it. */
export const leftAtDoorAt = ({ deliveries }: Pick<LaundryWay, 'deliveries'>): string | undefined =>
  deliveries.find((delivery) => delivery.leftAtDoorAt)?.leftAtDoorAt ?? undefined;

/** Laundry at a door; undefined while none is. */
export function describeAtDoor(order: LaundryWay, reader: OrderReader): string | undefined {
  const since = leftAtDoorAt(order);
  if (since === undefined) return undefined;
  return `It stands at ${reader === 'Bud' ? 'your' : `${namesOf(order).bud}’s`} door since ${formatDateInText(since)}.`;
}

/** Where the laundry is on its way to the Scrub, in one sentence. */
export function describeWayToScrub(order: LaundryWay, reader: OrderReader): string {
  const situation = situationThere(order);
  const atDoor = situation === 'brought-back' ? describeAtDoor(order, reader) : undefined;
  if (atDoor) return reader === 'Bud' ? `Your laundry has not reached your Scrub. ${atDoor}` : atDoor;
  return WAY_TEXTS.there[reader][situation](namesOf(order));
}

/** Where the laundry is on its way home, in one sentence. */
export function describeWayToBud(order: LaundryWay, reader: OrderReader): string {
  const situation = situationBack(order);
  const atDoor = situation === 'delivered' ? describeAtDoor(order, reader) : undefined;
  return atDoor ?? WAY_TEXTS.back[reader][situation](namesOf(order));
}

/** For the Bud, while the Scrub cannot work: undefined when they can. Why is between them and the town. */
export function describeAwayScrub(order: LaundryWay): string | undefined {
  if (!order.isScrubAway || (order.status !== 'Accepted' && order.status !== 'In_Progress')) return undefined;
  const scrub = order.scrub.fullname;
  const situation = situationThere(order);
  if (situation === 'delivered') return `Your laundry is with ${scrub}. We do not know yet when it continues.`;
  const when = `We do not know yet when ${scrub} can take your laundry.`;
  if (situation === 'by-bud' || situation === 'called-off')
    return `${when} Please do not bring it before you hear from us.`;
  return `${when} ${describeWayToScrub(order, 'Bud')}`;
}

const AS_PLANNED: readonly WaySituation[] = [
  ...(['waits-for-duber', 'coming', 'at-pickup', 'carried', 'at-drop', 'delivered', 'by-bud'] as const),
];

/** Whether the laundry is on its way, or will be, as everybody expects. */
export const isAsPlanned = (situation: WaySituation): boolean => AS_PLANNED.includes(situation);
