import type { EarningLine, Payout } from '../../contract/earnings.ts';
import { toCsvCell } from '../../domain/csv.ts';

/** A Monday as a date in UTC, like the periods. */
export function formatDay(iso: string): string {
  return new Date(iso).toLocaleDateString('en-GB', {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

export const PAYOUT_STATUS_TEXTS: Record<Payout['status'], string> = { due: 'On its way', sent: 'Sent to your bank' };

export function describeLine({ kind, reason, amount }: Pick<EarningLine, 'kind' | 'reason' | 'amount'>): string {
  if (kind === 'adjusted') return 'Correction';
  // A part of the order was refunded before it was earned.
  if (amount < 0) return reason ? `Refund: ${reason}` : 'Refund';
  if (kind === 'completed') return 'Job completed';
  if (kind === 'delivered') return 'Delivery made';
  return reason ? `Refund: ${reason}` : 'Refund';
}

/** The lines as CSV, times in UTC. */
export function toCsv(lines: readonly EarningLine[]): string {
  const rows = lines.map((line) =>
    [line.at, toCsvCell(describeLine(line)), line.orderId ?? '', line.deliveryId ?? '', line.amount.toFixed(2)].join(
      ',',
    ),
  );
  return ['time,what,order,delivery,amount in USD', ...rows, ''].join('\r\n');
}
