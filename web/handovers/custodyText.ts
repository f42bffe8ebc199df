import type { Custody, Handover } from '../../contract/handovers.ts';
import type { Order } from '../../contract/orders.ts';
import type { Role } from '../../domain/accounts.ts';
import { type DeliveryStatus, GOING_TO_DROP } from '../../domain/deliveries.ts';
import { isOnTheWayTo } from '../../domain/process/delivery.ts';
import { formatDate } from '../ui/format.ts';
import { isLost } from './situation.ts';

/** Whether its Bud can say that a Duber may leave the laundry at the door: not while it is lost. */
export const canLeaveAtDoor = ({ selfPickup, deliveries }: Pick<Order, 'selfPickup' | 'deliveries'>): boolean =>
  !selfPickup && !deliveries.some(isLost);

const SET_OUT: readonly DeliveryStatus[] = ['Way_To_Pick', 'Collected', 'Way_To_Drop', 'Failed'];

type Trip = Pick<Order['deliveries'][number], 'deliveryType' | 'status'>;

/** Whether the next hand-over is to the Bud, or the delivery to them is at one of these statuses. */
const comesToBud = (delivery: Trip, statuses: readonly DeliveryStatus[]) =>
  isOnTheWayTo('Bud', delivery) || (delivery.deliveryType === 'Scrub_To_Bud' && statuses.includes(delivery.status));

/** Whether a Duber has set out to bring the laundry back to its Bud, who needs a PIN only then. */
export const isBudsPinDue = ({ deliveries }: Pick<Order, 'deliveries'>): boolean =>
  deliveries.some((delivery) => comesToBud(delivery, SET_OUT));

/**
 * Whether the laundry moves on only when its Bud says that they have it: no Duber will say it. The order may be one step older than
 * what is known of who has the laundry.
 */
export function mustBudPress(
  { deliveries }: { readonly deliveries: readonly Trip[] },
  custody: Pick<Custody, 'canConfirm' | 'isPinBlocked' | 'holder'> & Parameters<typeof isAtDoor>[0],
): boolean {
  if (!custody.canConfirm) return false;
  if (custody.isPinBlocked || isAtDoor(custody)) return true;
  return custody.holder.role !== 'Bud' && !deliveries.some((delivery) => comesToBud(delivery, GOING_TO_DROP));
}

/** Whether somebody has said that they have the laundry, and its Duber has not said yet that they brought it. */
export const waitsForDubersStep = (
  { deliveries }: Pick<Order, 'deliveries'>,
  { holder }: Pick<Custody, 'holder'>,
  role: 'Bud' | 'Scrub',
): boolean => holder.role === role && deliveries.some((delivery) => isOnTheWayTo(role, delivery));

/** When to say the PIN. For a Scrub it is the laundry of somebody else. */
export const pinHint = (role: 'Bud' | 'Scrub'): string =>
  `Tell it to the Duber when you get ${role === 'Bud' ? 'your' : 'the'} laundry, not before.`;

/** What to do instead once the PIN was wrong too often. */
export const PIN_BLOCKED =
  'The PIN was wrong five times and no longer works. Press “I have … bags” once you have the laundry.';

/** Whether the laundry stands at the door of its Bud, who has not said yet that they have it. */
export function isAtDoor({
  handovers,
}: {
  readonly handovers: readonly Pick<Handover, 'proof' | 'confirmed' | 'takesBack'>[];
}) {
  const last = handovers.at(-1);
  return last?.proof === 'door' && last.confirmed === null && last.takesBack === null;
}

type ShownCustody = Pick<Custody, 'holder' | 'since' | 'bags'> & Parameters<typeof isAtDoor>[0];

/** "The laundry is with Alan Duber since 10:42, 2 bags." */
export function custodyText(custody: ShownCustody, viewer: Role): string {
  const { holder, since, bags } = custody;
  const who = holder.role === viewer ? 'you' : holder.fullname;
  const when = since === null ? '' : ` since ${formatDate(since)}`;
  const count = bags === null ? '' : `, ${bags} ${bags === 1 ? 'bag' : 'bags'}`;
  if (isAtDoor(custody)) return `At ${viewer === 'Bud' ? 'your' : `${who}’s`} door${when}${count}.`;
  return `The laundry is with ${who}${when}${count}.`;
}

type ShownHandover = Pick<Handover, 'position' | 'giver' | 'taker' | 'proof' | 'takenAt' | 'at'>;

/** "Alan Duber to you, Nov 24, 10:42", under the photos of a hand-over. One of the `handovers` may have taken it back. */
export function handoverText(
  { position, giver, taker, proof, takenAt, at }: ShownHandover,
  viewer: Role,
  handovers: readonly Pick<Handover, 'takesBack'>[],
): string {
  const isTakenBack = handovers.some(({ takesBack }) => takesBack === position);
  const when = `${formatDate(takenAt ?? at)}${isTakenBack ? ', taken back' : ''}`;
  if (proof === 'door') return `Left at ${taker.role === viewer ? 'your' : 'the'} door, ${when}`;
  const nameOf = (holder: Handover['giver'], you: string) => (holder.role === viewer ? you : holder.fullname);
  return `${nameOf(giver, 'You')} to ${nameOf(taker, 'you')}, ${when}`;
}
