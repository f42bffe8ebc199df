import type { Delivery } from '../../../contract/deliveries.ts';
import { isLost } from '../../handovers/situation.ts';
import { formatMoney } from '../../ui/formatMoney.ts';

type StoppedDelivery = Pick<Delivery, 'status' | 'situation'> & {
  readonly statusHistory: readonly Pick<Delivery['statusHistory'][number], 'status'>[];
};

/** What a delivery that has stopped has earned its Duber, in dollars, and why it was nothing. */
export function earningsNote(paid: number, delivery: StoppedDelivery): string {
  if (paid > 0) return `Paid for the trip: ${formatMoney(paid)}`;
  if (delivery.situation === 'lost')
    return 'It is not paid, because the laundry is lost. If you were robbed, or see it differently, write to us: the address is under FAQ.';
  const hasSetOut = delivery.statusHistory.some(({ status }) => status === 'Way_To_Pick');
  if (delivery.status === 'Called_Off' && !hasSetOut) return 'It was called off before you set out, so it is not paid.';
  return 'It is not paid. If that is not right, write to us: the address is under FAQ.';
}

/** What laundry that is lost means for the pay of its Duber, while nothing is decided. */
export const waitingNote = (delivery: Pick<Delivery, 'status' | 'situation'>): string | undefined =>
  isLost(delivery) ? 'This waits until we know what happened to the laundry.' : undefined;
