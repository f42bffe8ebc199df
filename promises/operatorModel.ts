// What operators do with orders and deliveries, written by hand: importing the product's tables would copy their mistakes.

import { type AnyDeliveryStep, isOfferedNoMore, type Verdict } from './exceptionModel.ts';
import type { Delivery, Life } from './orderLife.ts';
import { hasMoved, isOnBoard, mayReopen, type TownOrderStep } from './orderModel.ts';

const isBeforePickup = ({ status }: Delivery) => status === 'Accepted' || status === 'Way_To_Pick';

const DELIVERY_STEPS = {
  'take-off': isBeforePickup,
  'bring-back': ({ status, hasLaundry }) => status === 'Failed' && hasLaundry,
  'brought-back': ({ status }) => status === 'Way_Back',
  'mark-delivered': ({ status }) => status === 'Collected' || status === 'Way_To_Drop',
  're-offer': isOfferedNoMore,
  relay: ({ status }) => status === 'Collected' || status === 'Way_To_Drop',
  'call-off': (delivery) =>
    delivery.status === 'Pending' || isBeforePickup(delivery) || isOfferedNoMore(delivery) || delivery.isLost,
  correct: (delivery, isBusy) =>
    !isBusy && ['Collected', 'Delivered', 'Failed'].includes(delivery.status) && !delivery.isLost,
  'report-lost': ({ status, hasLaundry, isLost }) =>
    ['Collected', 'Way_To_Drop', 'Way_Back'].includes(status) || (status === 'Failed' && hasLaundry && !isLost),
} as const satisfies Partial<Record<AnyDeliveryStep, (delivery: Delivery, isBusy: boolean) => boolean>>;

export type TownDeliveryAct = keyof typeof DELIVERY_STEPS;
export const TOWN_DELIVERY_ACTS = Object.keys(DELIVERY_STEPS) as TownDeliveryAct[];

/** Whether an operator can take a step of a delivery. `isBusy` is whether its Duber has another one. */
export const predictTownDeliveryStep = (delivery: Delivery, step: TownDeliveryAct, isBusy: boolean): Verdict =>
  DELIVERY_STEPS[step](delivery, isBusy);

const ORDER_STEPS = {
  'cancel-by-operator': (life) =>
    ['Requested', 'Accepted', 'In_Progress'].includes(life.status) &&
    !life.deliveries.some((delivery) => isOnBoard(delivery) && !delivery.isLost),
  'give-back': (life) => ['Requested', 'Accepted'].includes(life.status) && !life.isGivenBack && !hasMoved(life),
  reopen: mayReopen,
} as const satisfies Record<TownOrderStep, (life: Life) => boolean>;

export const TOWN_ORDER_ACTS = Object.keys(ORDER_STEPS) as TownOrderStep[];
export const predictTownOrderStep = (life: Life, step: TownOrderStep): Verdict => ORDER_STEPS[step](life);

/** The reasons that operators give. */
export const TOWN_REASONS: Readonly<Record<TownDeliveryAct | TownOrderStep, string>> = {
  'take-off': 'silent',
  'bring-back': 'asked',
  'brought-back': 'no-phone',
  'mark-delivered': 'no-phone',
  're-offer': 'asked',
  relay: 'breakdown',
  'call-off': 'asked',
  correct: 'mistake',
  'report-lost': 'silent',
  'cancel-by-operator': 'asked',
  'give-back': 'ill',
  reopen: 'not-clean',
};
