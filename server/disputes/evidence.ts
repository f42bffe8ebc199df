import { cutEvidence } from '../../domain/disputes.ts';
import { formatOrderNumber } from '../../domain/orders.ts';
import { formatDollars } from '../../domain/payments.ts';
import type { Tx } from '../db/database.ts';
import { type EvidenceOrder, findEvidenceOrder, listEvidenceEvents } from './evidence.sql.ts';

/** What we send to the bank: the order and its receipt, then every step with who took it. Cut into pieces that Square takes. */
export async function renderEvidence(tx: Tx, orderId: string): Promise<string[]> {
  const order = await findEvidenceOrder(tx, orderId);
  if (!order) return [];
  const events = await listEvidenceEvents(tx, orderId);
  return cutEvidence([
    ...headOf(order),
    ...events.map(({ at, what }) => `${minuteOf(at)} ${what.replaceAll('_', ' ')}`),
  ]);
}

const minuteOf = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

function headOf({ number, size, placedAt, total, taxes, cardBrand, cardLast4, refunded }: EvidenceOrder): string[] {
  const card = cardLast4 === null ? '' : `, ${cardBrand ?? 'card'} ending in ${cardLast4}`;
  return [
    `Order ${formatOrderNumber(Number(number))}: laundry, size ${size}, placed ${minuteOf(placedAt)} UTC by the card holder.`,
    `Receipt: ${formatDollars(total)} with ${formatDollars(taxes)} taxes${card}.`,
    ...(refunded > 0 ? [`Given back so far: ${formatDollars(refunded)}.`] : []),
    'Bud is the card holder, Scrub washes, Duber drives.',
    'What happened (UTC):',
  ];
}
