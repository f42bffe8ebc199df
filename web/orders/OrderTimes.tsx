import type { Order } from '../../contract/orders.ts';
import { useConfig } from '../api/config.ts';
import { currentTime } from '../clock.ts';
import { formatMoney } from '../ui/formatMoney.ts';
import { type Timed, timesWords } from './timesWords.ts';

/** When somebody comes for the laundry of an order and when it is back; undefined for as soon as possible. */
export function useTimesWords(order: Timed): string | undefined {
  const { timeZone = 'UTC' } = useConfig() ?? {};
  return timesWords(order, timeZone, currentTime());
}

/** The same as a line. */
export function OrderTimes({ order, className }: { order: Timed; className?: string | undefined }) {
  const words = useTimesWords(order);
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
