import type { Order } from '../../contract/orders.ts';
import { lazyPart } from '../ui/lazyPart.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { isWeighed, WEIGHING_ID } from './useWeighing.ts';

const WeighingCard = lazyPart('The weight', async () => (await import('./WeighingCard.tsx')).WeighingCard, {
  fallback: <Skeleton height={160} />,
});

/** The weight of an order that is weighed. Only those load what it needs. */
export function LazyWeighingCard({ order, role }: { order: Order; role: 'Bud' | 'Scrub' }) {
  if (!isWeighed(order)) return null;
  return (
    // Always there, so that the button of the next step leads to it before the card has loaded.
    <div id={WEIGHING_ID} tabIndex={-1}>
      <WeighingCard order={order} role={role} />
    </div>
  );
}
