import type { Custody, Handover } from '../../contract/handovers.ts';
import type { Order } from '../../contract/orders.ts';
import type { Role } from '../../domain/accounts.ts';
import { isLost } from '../../domain/laundry.ts';
import { formatDate } from '../ui/format.ts';

/** Whether its Bud can say that a Duber may leave the laundry at the door: not while it is lost. */
export const canLeaveAtDoor = ({ selfPickup, deliveries }: Pick<Order, 'selfPickup' | 'deliveries'>): boolean =>
  !selfPickup && !deliveries.some(isLost);

/** When to say the PIN. For a Scrub it is the laundry of somebody else. */
export const pinHint = (role: 'Bud' | 'Scrub'): string =>
  `Tell it to the Duber when you get ${role === 'Bud' ? 'your' : 'the'} laundry, not before.`;

/** "With Alan Duber since 10:42, 2 bags." */
export function custodyText({ holder, since, bags }: Pick<Custody, 'holder' | 'since' | 'bags'>, viewer: Role): string {
  const who = holder.role === viewer ? 'you' : holder.fullname;
  const when = since === null ? '' : ` since ${formatDate(since)}`;
  const count = bags === null ? '' : `, ${bags} ${bags === 1 ? 'bag' : 'bags'}`;
  return `With ${who}${when}${count}.`;
}

/** "Alan Duber to you, Nov 24, 10:42", under the photos of a hand-over. */
export function handoverText(
  { giver, taker, proof, takenAt, at }: Pick<Handover, 'giver' | 'taker' | 'proof' | 'takenAt' | 'at'>,
  viewer: Role,
): string {
  const when = formatDate(takenAt ?? at);
  if (proof === 'door') return `Left at ${taker.role === viewer ? 'your' : 'the'} door, ${when}`;
  const nameOf = (holder: Handover['giver'], you: string) => (holder.role === viewer ? you : holder.fullname);
  return `${nameOf(giver, 'You')} to ${nameOf(taker, 'you')}, ${when}`;
}
