import type { EarningLine, Payout } from '../../contract/earnings.ts';
import { toCsvCell, toCsvFile } from '../../domain/csv.ts';
import { formatDay } from '../ui/format.ts';

export const PAYOUT_STATUS_TEXTS: Record<Payout['status'], string> = {
  due: 'On its way',
  sent: 'Sent to your bank',
  returned: 'Sent back by your bank',
};

/** The reasons why money is not paid out yet. */
export const WAITING_TEXTS: Record<NonNullable<EarningLine['waitsFor']>, string> = {
  'claim-time': 'Waiting: the customer can still report a problem',
  ways: 'Waiting: it pays the deliveries of laundry that you clean again',
  'laundry-not-seen': 'Waiting: nobody has seen the laundry yet',
  case: 'Waiting: a claim is open',
  lost: 'Waiting: the laundry is lost',
  chargeback: 'Waiting: the card holder contests the payment at their bank',
  'same-people':
    'Waiting: you share a phone, a device or an account with somebody else of this order. The town looks at it',
  'not-charged': 'Waiting: the card is charged once the laundry is weighed',
  'platform-pay': 'Waiting for at most 3 days, or until the town has looked at it: no order pays for this',
  trip: 'Waiting for at most 3 days, or until the town has looked at it: the laundry was not handed over',
  account: 'Waiting: your payouts are on hold. Our email to you says why',
};

type Described = Pick<EarningLine, 'kind' | 'reason' | 'amount' | 'waitsFor' | 'payableFrom'>;

export function describeLine(line: Described): string {
  const what = describeKind(line);
  if (line.payableFrom !== null) return `${what}. Payable from ${formatDay(line.payableFrom)}, when claims end`;
  return line.waitsFor === null ? what : `${what}. ${WAITING_TEXTS[line.waitsFor]}`;
}

function describeKind({ kind, reason, amount }: Described): string {
  if (kind === 'adjusted') return 'Correction';
  if (kind === 'payout-returned') return 'A payout that your bank has sent back';
  if (kind === 'corrected') return 'Taken back: the step was corrected';
  if (kind === 'held') return amount < 0 ? 'Held back' : 'What was held back';
  if (kind === 'dispute-lost') return 'The card holder got the money back from their bank';
  // The Scrub pays a Duber for a delivery that the Bud has not paid.
  if (amount < 0 && (kind === 'trip' || kind === 'returned' || kind === 'relayed')) return 'Paid to a Duber';
  // A part of the order was refunded before it was earned.
  if (amount < 0) return reason ? `Refund: ${reason}` : 'Refund';
  if (kind === 'completed') return 'Job completed';
  if (kind === 'delivered') return 'Delivery made';
  if (kind === 'trip') return 'Trip without laundry';
  if (kind === 'returned') return 'Laundry brought back';
  if (kind === 'relayed') return 'Part of a delivery';
  return reason ? `Refund: ${reason}` : 'Refund';
}

/** The lines as CSV, times in UTC. */
export function toCsv(lines: readonly EarningLine[]): string {
  const rows = lines.map((line) => [
    ...[line.at, toCsvCell(describeLine(line)), line.orderId ?? '', line.deliveryId ?? '', line.amount.toFixed(2)],
  ]);
  return toCsvFile([['time', 'what', 'order', 'delivery', 'amount in USD'], ...rows]);
}
