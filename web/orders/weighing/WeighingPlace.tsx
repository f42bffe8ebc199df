import { lazy, Suspense } from 'react';
import type { Order } from '../../../contract/orders.ts';
import { isWeighed } from './useWeighing.ts';

const WeighingCard = lazy(async () => ({ default: (await import('./WeighingCard.tsx')).WeighingCard }));

/** The weight of an order that is weighed. Only those load what it needs. */
export function WeighingPlace({ order, role }: { order: Order; role: 'Bud' | 'Scrub' }) {
  if (!isWeighed(order)) return null;
  return (
    <Suspense>
      <WeighingCard order={order} role={role} />
    </Suspense>
  );
}
