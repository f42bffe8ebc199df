import type { Order } from '../../contract/orders.ts';
import { REASONS } from '../../domain/needs.ts';
import { REASON_TEXTS } from '../../texts/reasons.ts';
import { firstNameOf } from '../ui/format.ts';
import type { Reason } from '../ui/ReasonForm.tsx';

type Situated = Pick<Order, 'situation'>;

/** Whether an operator gave the order back for the Scrub, and it waits for another one. */
export const isGivenBackByTown = ({ situation }: Situated): boolean => situation === 'taken-back';

/** Whether the order waits for another Scrub, because its Scrub or an operator gave it back. */
export const isGivenBack = (order: Situated): boolean => order.situation === 'given-back' || isGivenBackByTown(order);

/** What has happened to an order that needs another Scrub: some are taken from a Scrub who could do them. */
export const givenBackTitle = (order: Situated & { readonly scrub: { readonly fullname: string } }): string =>
  isGivenBackByTown(order)
    ? 'Your order needs another Scrub'
    : `${firstNameOf(order.scrub.fullname)} can't do your laundry after all`;

/** Whether the viewer is the Scrub who gave it back. */
export const isGivenBackBy = (order: Situated, role: 'Bud' | 'Scrub'): boolean =>
  role === 'Scrub' && isGivenBack(order);

/** Until when an accepted order can be left, by who brings the laundry. */
export function leaveHint(role: 'Bud' | 'Scrub', isBroughtByBud: boolean): string {
  if (role === 'Bud')
    return `You can cancel until ${isBroughtByBud ? 'your Scrub has your laundry' : 'your laundry is collected'}.`;
  return `If you can't do this job, tell us before ${isBroughtByBud ? 'the customer brings the laundry' : 'the laundry is collected'}.`;
}

type OnTheWay = {
  readonly bud: { readonly fullname: string };
  readonly deliveries: readonly { readonly status: string }[];
};

/** What a Scrub reads before they give a job back: who is on the way to collect it is paid by them. */
export function giveBackText({ bud, deliveries }: OnTheWay): string {
  const text = `${bud.fullname} is notified now and can choose another Scrub. You earn nothing for this job.`;
  const isOnTheWay = deliveries.some(({ status }) => status === 'Way_To_Pick');
  return isOnTheWay ? `${text} A Duber is on the way already: you pay for their trip.` : text;
}

export const reasonsFor = (action: 'cancel-accepted' | 'give-back' | 'propose-window'): readonly Reason[] =>
  REASONS[action].map((value) => ({ value, label: REASON_TEXTS[value] }));

const EXCEPTION_TEXTS: Readonly<Record<string, string>> = {
  'cancel-accepted': 'Cancelled by the customer',
  'give-back': 'Given back by the Scrub',
  'choose-scrub': 'Another Scrub was asked',
  'move-window': 'Moved to another time by the customer',
  'propose-window': 'The Scrub proposed another time',
  'accept-window': 'The other time was accepted',
  'refuse-window': 'The other time was refused',
  'window-unanswered': 'Nobody answered about the other time',
  'promise-near': 'Due in an hour',
  'promise-missed': 'Not back by the promised time',
  'promise-overdue': 'Two hours late: the town looks into it',
  'promise-settled': 'The missed promise is settled',
  'expire-given-back': 'No other Scrub in time',
  'cancel-by-operator': 'Cancelled by the town',
  remind: 'The Scrub was reminded',
  'scrub-silent': 'The town was notified that the Scrub has not started',
  late: 'Takes longer than planned',
  reopen: 'Cleaned again',
  close: 'Closed',
};
export const describeChange = (
  { action, by }: Pick<Order['exceptions'][number], 'action' | 'by'>,
  reader: 'Bud' | 'Scrub',
): string => {
  if (action === 'cancel-accepted' && reader === 'Bud') return 'Cancelled by you';
  if (action === 'move-window' && reader === 'Bud') return 'Moved to another time by you';
  if (action === 'propose-window' && by === 'Operator') return 'The town proposed another time';
  if (action === 'give-back' && by === 'Operator') return 'Taken from the Scrub by the town';
  return EXCEPTION_TEXTS[action] ?? 'Changed by the town';
};
