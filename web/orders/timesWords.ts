import type { Order } from '../../contract/orders.ts';
import { formatTimeSoon, formatWindowSoon, insideSentence, toWindow, windowNames } from '../../texts/windows.ts';

export type Timed = Pick<Order, 'status' | 'times' | 'situation' | 'selfDelivery' | 'selfPickup'>;

/** Whether the laundry is still to be fetched or brought. */
const isOpen = ({ status, situation }: Timed) =>
  status === 'Requested' ||
  status === 'Accepted' ||
  status === 'In_Progress' ||
  (status === 'Completed' && situation !== 'home');

/** What the people of an order have agreed on: both windows until the pickup, and then when it is back. Undefined for as soon as possible. */
export function timesWords(order: Timed, timeZone: string, now: Date): string | undefined {
  const { status, times } = order;
  if (!times || !isOpen(order)) return undefined;
  const promisedAt = new Date(times.promisedAt);
  if (promisedAt < now) return `Late: promised by ${insideSentence(formatTimeSoon(promisedAt, timeZone, now))}`;
  const [pickup, back] = [times.pickup, times.return].map((span) =>
    insideSentence(formatWindowSoon(toWindow(span), timeZone, now)),
  );
  const isAhead = status === 'Requested' || (status === 'Accepted' && Date.parse(times.pickup.until) > now.getTime());
  const names = windowNames(order);
  const returned = `${names.return} ${back}`;
  return isAhead ? `${names.pickup} ${pickup}. ${returned}` : returned;
}
