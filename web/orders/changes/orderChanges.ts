import type { Order } from '../../../contract/orders.ts';
import { REASONS } from '../../../domain/needs.ts';
import { GIVEN_BACK_LIFETIME_MS } from '../../../domain/orders.ts';
import { firstNameOf } from '../../ui/format.ts';
import type { Reason } from '../../ui/ReasonForm.tsx';

type Change = Pick<Order['exceptions'][number], 'action' | 'round' | 'by' | 'createdAt'>;
type Rounds = Pick<Order, 'status' | 'round'> & { readonly exceptions: readonly Change[] };

/** When the Scrub gave the order back, if it waits for another one: nobody was chosen in this round. */
export function givenBackAt({ status, round, exceptions }: Rounds): Date | undefined {
  const isChosen = exceptions.some((step) => step.action === 'choose-scrub' && step.round === round);
  if (status !== 'Requested' || round === 1 || isChosen) return undefined;
  const last = exceptions.findLast(({ action }) => action === 'give-back');
  return last && new Date(last.createdAt);
}

/** Whether an operator gave it back for the Scrub. */
export const isGivenBackByTown = ({ exceptions }: Pick<Rounds, 'exceptions'>): boolean =>
  exceptions.findLast(({ action }) => action === 'give-back')?.by === 'Operator';

/** What has happened to an order that needs another Scrub: some are taken from a Scrub who could do them. */
export const givenBackTitle = (
  order: Pick<Rounds, 'exceptions'> & { readonly scrub: { readonly fullname: string } },
): string =>
  isGivenBackByTown(order)
    ? 'Your order needs another Scrub'
    : `${firstNameOf(order.scrub.fullname)} can't do your laundry after all`;

/** Whether the viewer is the Scrub who gave it back. */
export const isGivenBackBy = (order: Rounds, role: 'Bud' | 'Scrub'): boolean =>
  role === 'Scrub' && givenBackAt(order) !== undefined;

/** When an order that was given back is cancelled without another Scrub. */
export const givenBackUntil = (at: Date): Date => new Date(at.getTime() + GIVEN_BACK_LIFETIME_MS);

/** Until when an accepted order can be left, by who brings the laundry. */
export function leaveHint(role: 'Bud' | 'Scrub', isBroughtByBud: boolean): string {
  if (role === 'Bud')
    return `You can cancel until ${isBroughtByBud ? 'your Scrub has your laundry' : 'your laundry is collected'}.`;
  return `Can't do it after all? Say so before ${isBroughtByBud ? 'the customer brings the laundry' : 'the laundry is collected'}.`;
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

const REASON_LABELS: Readonly<Record<string, string>> = {
  'changed-mind': 'I changed my mind',
  'wrong-address': 'The address is wrong',
  'too-slow': 'It takes too long',
  ill: 'I am not well',
  'too-busy': 'I have too much to do',
  'machine-broken': 'My machine is broken',
  other: 'Something else',
};

export const reasonsFor = (action: 'cancel-accepted' | 'give-back'): readonly Reason[] =>
  REASONS[action].map((value) => ({ value, label: REASON_LABELS[value] ?? value }));

const EXCEPTION_TEXTS: Readonly<Record<string, string>> = {
  'cancel-accepted': 'Cancelled by the customer',
  'give-back': 'Given back by the Scrub',
  'choose-scrub': 'Another Scrub was asked',
  'expire-given-back': 'No other Scrub in time',
  'cancel-by-operator': 'Cancelled by the town',
  remind: 'The Scrub was reminded',
  'scrub-silent': 'The town was notified that the Scrub has not started',
  late: 'Takes longer than planned',
  reopen: 'Is cleaned again',
  close: 'Closed',
};
export const describeChange = (
  { action, by }: Pick<Order['exceptions'][number], 'action' | 'by'>,
  reader: 'Bud' | 'Scrub',
): string => {
  if (action === 'cancel-accepted' && reader === 'Bud') return 'Cancelled by you';
  if (action === 'give-back' && by === 'Operator') return 'Taken from the Scrub by the town';
  return EXCEPTION_TEXTS[action] ?? 'Changed by the town';
};
