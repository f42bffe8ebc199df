import type { Order } from '../../contract/orders.ts';
import type { PublicConfig } from '../../contract/payments.ts';
import type { Role } from '../../domain/accounts.ts';
import type { OrderAction } from '../../domain/orders.ts';
import { isAtScrub } from '../../domain/process/holder.ts';
import { formatMoney } from '../ui/formatMoney.ts';
import { isSentBack, type weighingBlockOf } from '../weighing/useWeighing.ts';
import { describeWayToScrub, isBroughtByBud, type LaundryWay, situationThere } from './laundryWay.ts';
import { isGivenBack } from './orderChanges.ts';
import { endingText } from './refund.ts';

/** What each step does, shown above its button. */
const STEP_HINTS = {
  'cancel-order': (order) =>
    isGivenBack(order) ? `You can also cancel and ${endingText(order)}.` : 'You can cancel until your Scrub answers.',
  'accept-order': (order) => {
    const weighed = order.ceilingSize ? ' You weigh it before the card is charged.' : '';
    if (order.selfDelivery && weighed) return `The customer then brings you the laundry.${weighed}`;
    if (order.times && weighed) return `A Duber then brings you the laundry at the agreed time.${weighed}`;
    if (weighed) return `Accepting calls a Duber to bring you the laundry.${weighed}`;
    if (order.times && !order.selfDelivery)
      return 'Accepting charges the card. A Duber then brings you the laundry at the agreed time.';
    return order.selfDelivery
      ? 'Accepting charges the card. The customer then brings you the laundry.'
      : 'Accepting charges the card and calls a Duber to bring you the laundry.';
  },
  'reject-order': () => 'Rejecting releases the hold on the card.',
  'start-order': (order) => {
    if (isSentBack(order)) return 'Start and complete the job to send the laundry home. Please do not wash it.';
    // A Scrub whom the Bud brings the laundry starts when it is there.
    if (order.selfDelivery || isAtScrub(order)) return 'Lets the customer know you have started.';
    return 'You can start before the laundry is there.';
  },
  'complete-order': (order) => {
    const way = order.selfPickup
      ? 'tells the customer to pick up the laundry'
      : order.times
        ? 'lets a Duber take the laundry back at the agreed time'
        : 'calls a Duber to take the laundry back';
    // Laundry that is cleaned again is earned once.
    if (isSentBack(order) || order.isCleanedAgain) return `Ends the job and ${way}.`;
    return `Earns you ${formatMoney(order.scrubEarning)} and ${way}.`;
  },
} as const satisfies Record<OrderAction, (order: Order) => string>;

export const hintFor = (action: OrderAction, order: Order): string => STEP_HINTS[action](order);

/** Why an order that is weighed cannot go on yet. */
export const BLOCK_HINTS = {
  unknown: 'You can complete the job once its weight has loaded.',
  'weigh-first': 'Weigh the laundry before you complete the job.',
  asked: 'The laundry is heavier than agreed. The customer is asked what to do.',
} as const satisfies Record<NonNullable<ReturnType<typeof weighingBlockOf>>, string>;

/** What of a job says where its laundry is. */
export type WaitingJob = Omit<LaundryWay, 'deliveries'> & {
  readonly deliveries: readonly (LaundryWay['deliveries'][number] & Pick<Order['deliveries'][number], 'status'>)[];
};
type TownStart = Pick<PublicConfig, 'startsWithLaundry'>;

/** What the start of an order waits for, by whether the town starts only with laundry; undefined when it waits for nothing. */
export function startWaitsFor(order: WaitingJob, config: TownStart | undefined): string | undefined {
  if (order.status !== 'Accepted' || isAtScrub(order)) return undefined;
  // There is nothing to wash, even where the town lets a Scrub start before the laundry is there.
  if (situationThere(order) === 'lost' && !isBroughtByBud(order)) return waitingText(order);
  if (!config) return 'You can start once the rules of your town have loaded.';
  return config.startsWithLaundry ? waitingText(order) : undefined;
}

function waitingText(order: WaitingJob): string {
  // Nobody but the Scrub can say that laundry has arrived without a Duber.
  const confirm = isBroughtByBud(order) ? ' Once you have it, say so below “Laundry”.' : '';
  return `Waiting for the laundry. ${describeWayToScrub(order, 'Scrub')}${confirm}`;
}

/**
 * What the completion of an order waits for that began without its laundry, as one that is cleaned again does. Only a hint: until
 * it is known who has the laundry, the Scrub may have had it all the time.
 */
export function completionWaitsFor(
  order: Order,
  config: TownStart | undefined,
  holder: Role | undefined,
): string | undefined {
  const isHere = isAtScrub(order) || holder === 'Scrub';
  return order.status === 'In_Progress' && config?.startsWithLaundry && !isHere ? waitingText(order) : undefined;
}
