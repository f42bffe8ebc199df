// What operators do with orders and deliveries, written by hand: importing the product's tables would copy their mistakes.

import { type AnyLegStep, isOfferedNoMore, type Verdict } from './exceptionModel.ts';
import type { Leg, Life } from './orderLife.ts';
import { hasMoved, isOnBoard, mayReopen, type TownOrderStep } from './orderModel.ts';

const isBeforePickup = ({ status }: Leg) => status === 'Accepted' || status === 'Way_To_Pick';

const LEG_STEPS = {
  'take-off': isBeforePickup,
  'bring-back': ({ status, hasLaundry }) => status === 'Failed' && hasLaundry,
  'brought-back': ({ status }) => status === 'Way_Back',
  'mark-delivered': ({ status }) => status === 'Collected' || status === 'Way_To_Drop',
  're-offer': isOfferedNoMore,
  relay: ({ status }) => status === 'Collected' || status === 'Way_To_Drop',
  'call-off': (leg) => leg.status === 'Pending' || isBeforePickup(leg) || isOfferedNoMore(leg) || leg.isLost,
  correct: (leg, isBusy) => !isBusy && ['Collected', 'Delivered', 'Failed'].includes(leg.status) && !leg.isLost,
  'report-lost': ({ status, hasLaundry, isLost }) =>
    ['Collected', 'Way_To_Drop', 'Way_Back'].includes(status) || (status === 'Failed' && hasLaundry && !isLost),
} as const satisfies Partial<Record<AnyLegStep, (leg: Leg, isBusy: boolean) => boolean>>;

export type TownLegAct = keyof typeof LEG_STEPS;
export const TOWN_LEG_ACTS = Object.keys(LEG_STEPS) as TownLegAct[];

/** Whether an operator can take a step of a delivery. `isBusy` is whether its Duber has another one. */
export const predictTownLegStep = (leg: Leg, step: TownLegAct, isBusy: boolean): Verdict =>
  LEG_STEPS[step](leg, isBusy);

const ORDER_STEPS = {
  'cancel-by-operator': (life) =>
    ['Requested', 'Accepted', 'In_Progress'].includes(life.status) &&
    !life.legs.some((leg) => isOnBoard(leg) && !leg.isLost),
  'give-back': (life) => ['Requested', 'Accepted'].includes(life.status) && !life.isGivenBack && !hasMoved(life),
  reopen: mayReopen,
} as const satisfies Record<TownOrderStep, (life: Life) => boolean>;

export const TOWN_ORDER_ACTS = Object.keys(ORDER_STEPS) as TownOrderStep[];
export const predictTownOrderStep = (life: Life, step: TownOrderStep): Verdict => ORDER_STEPS[step](life);

/** The reasons that operators give. */
export const TOWN_REASONS: Readonly<Record<TownLegAct | TownOrderStep, string>> = {
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
