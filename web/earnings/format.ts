import type { EarningLine, Payout } from '../../contract/earnings.ts';
import { toCsvCell, toCsvFile } from '../../domain/csv.ts';
import { describeMovement } from '../../domain/movementTexts.ts';
import { formatDay } from '../ui/format.ts';

export const PAYOUT_STATUS_TEXTS: Record<Payout['status'], string> = {
  due: 'On its way',
  sent: 'Sent to your bank',
  returned: 'Sent back by your bank',
};

/** The reasons why money is not paid out yet. */
export const WAITING_TEXTS: Record<NonNullable<EarningLine['waitsFor']>, string> = {
  'claim-time': 'Waiting: the customer can still report a problem',
  ways: 'Waiting: it pays for the deliveries of laundry that you clean again',
  'laundry-not-seen': 'Waiting: nobody has seen the laundry yet',
  case: 'Waiting: a claim is open',
  lost: 'Waiting: the laundry is reported as lost, and the town looks into it',
  chargeback: 'Waiting: the card holder contests the payment at their bank',
  'same-people':
    'Waiting: you share a phone, a device or an account with somebody else on this order. The town is looking into it',
  'not-charged': 'Waiting: the card is charged once the laundry is weighed',
  'platform-pay': 'Waiting for at most 3 days, or until the town has looked at it: no order pays for this',
  trip: 'Waiting for at most 3 days, or until the town has looked at it: the laundry was not handed over',
  account: 'Waiting: your payouts are on hold. Our email to you says why',
};

type Described = Pick<EarningLine, 'kind' | 'reason' | 'amount' | 'isBorne' | 'waitsFor' | 'payableFrom'>;

export function describeLine(line: Described): string {
  const what = describeMovement({ ...line, isBorne: line.isBorne === true });
  if (line.payableFrom !== null) return `${what}. Payable from ${formatDay(line.payableFrom)}, when claims end`;
  return line.waitsFor === null ? what : `${what}. ${WAITING_TEXTS[line.waitsFor]}`;
}

/** The lines as CSV, times in UTC. */
export function toCsv(lines: readonly EarningLine[]): string {
  const rows = lines.map((line) => [
    ...[line.at, toCsvCell(describeLine(line)), line.orderNumber ?? '', line.orderId ?? '', line.deliveryId ?? ''],
    line.amount.toFixed(2),
  ]);
  return toCsvFile([['time', 'what', 'order number', 'order', 'delivery', 'amount in USD'], ...rows]);
}

/** Where no line waits for the next payout. */
export function nothingWaitingText(hasEarned: boolean, isOnItsWay: boolean): string {
  if (!hasEarned) return 'You haven’t earned anything yet.';
  return isOnItsWay
    ? 'Everything you earned is paid out, or on its way to you.'
    : 'Everything you earned has been paid out.';
}

/** When the first payout comes. Of what is `held`, not on the next Monday. */
export const noPayoutsText = (held: number): string =>
  held > 0
    ? 'No payouts yet. Your first one comes on the Monday after an earning stops waiting.'
    : 'No payouts yet. Your first one comes on the Monday after you earn.';
