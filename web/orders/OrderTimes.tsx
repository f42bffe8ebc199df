import type { Order } from '../../contract/orders.ts';
import { missedPromiseText } from '../../texts/promises.ts';
import { formatTimeSoon, insideSentence } from '../../texts/windows.ts';
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

type MissedProps = { readonly order: Order; readonly role: 'Bud' | 'Scrub'; readonly className?: string | undefined };

/** Why a missed promise pays something or not, with its times; nothing where none was missed, or the town does not pay for that. */
export function MissedPromise({ order, role, className = '' }: MissedProps) {
  const { timeZone = 'UTC' } = useConfig() ?? {};
  const { missedPromise: missed } = order;
  if (!missed) return null;
  const words = (time: string) => insideSentence(formatTimeSoon(new Date(time), timeZone, currentTime()));
  const told = {
    ...missed,
    amount: formatMoney(missed.amount),
    promisedAt: words(missed.promisedAt),
    backAt: missed.backAt === undefined ? undefined : words(missed.backAt),
  };
  return (
    <p role="status" className={`quiet ${className}`}>
      {missedPromiseText(role, told)}
    </p>
  );
}
