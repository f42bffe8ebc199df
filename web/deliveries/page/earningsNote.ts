import { formatMoney } from '../../ui/formatMoney.ts';

/** What a delivery that was called off has earned its Duber, in dollars. */
export const earningsNote = (paid: number): string =>
  paid > 0 ? `Paid for the trip: ${formatMoney(paid)}` : 'Nothing was earned.';
