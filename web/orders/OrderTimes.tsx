import type { Order } from '../../contract/orders.ts';
import type { OrderTimes as Times } from '../../contract/windows.ts';
import type { OrderStatus } from '../../domain/orders.ts';
import { formatTimeSoon, formatWindowSoon } from '../../texts/windows.ts';
import { useConfig } from '../api/config.ts';
import { currentTime } from '../clock.ts';
import { formatMoney } from '../ui/formatMoney.ts';

type Timed = {
  readonly status: OrderStatus;
  readonly times?: Times | undefined;
  readonly situation?: Order['situation'];
};

/** Whether the laundry is still to be fetched or brought. */
const isOpen = ({ status, situation }: Timed) =>
  status === 'Requested' ||
  status === 'Accepted' ||
  status === 'In_Progress' ||
  (status === 'Completed' && situation !== 'home');

/** What the people of an order have agreed on: both windows until the pickup, and then when it is back. */
function wordsOf({ status, times }: Timed, timeZone: string): string | undefined {
  if (!times) return undefined;
  const now = currentTime();
  const span = ({ from, until }: Times['pickup']) => ({ from: new Date(from), until: new Date(until) });
  const isAhead = status === 'Requested' || (status === 'Accepted' && Date.parse(times.pickup.until) > now.getTime());
  const isLate = Date.parse(times.promisedAt) < now.getTime();
  if (isLate) return `Late: promised by ${lower(formatTimeSoon(new Date(times.promisedAt), timeZone, now))}`;
  const back = lower(formatWindowSoon(span(times.return), timeZone, now));
  return isAhead
    ? `Pickup ${lower(formatWindowSoon(span(times.pickup), timeZone, now))}. Back ${back}`
    : `Back ${back}`;
}

const lower = (text: string) => text.replace(/^(Today|Tomorrow)/, (day) => day.toLowerCase());

/** When somebody comes for the laundry of an order and when it is back, in one line; nothing for as soon as possible. */
export function OrderTimes({ order, className }: { order: Timed; className?: string | undefined }) {
  const { timeZone = 'UTC' } = useConfig() ?? {};
  const words = isOpen(order) ? wordsOf(order, timeZone) : undefined;
  return words ? <p className={className}>{words}</p> : null;
}

/** What a missed promise pays by itself; nothing where none was missed, or the town does not pay for that. */
export function MissedPromise({ order, role }: { order: Order; role: 'Bud' | 'Scrub' }) {
  const { missedPromise: missed } = order;
  if (!missed || missed.state === 'unpaid') return null;
  const amount = formatMoney(missed.amount);
  const card = role === 'Bud' ? 'your card' : 'the card of the customer';
  const words = {
    owed: `The promised time was missed: ${amount} goes back to ${card} within a day or so, without a claim.`,
    paid: `The promised time was missed: ${amount} went back to ${card}.`,
    kept: 'The promised time was kept after all: a phone without a network said so later.',
  }[missed.state];
  return <p role="status">{words}</p>;
}
