import { useUser } from '../../session/session.ts';
import { KeptHeight } from '../../ui/KeptHeight.tsx';
import { LiveOrderCard } from './LiveOrderCard.tsx';
import type { LiveOrder } from './liveOrder.ts';

/** The place of the card of an order under way. */
export function LiveOrderSlot({ orders }: { orders: readonly LiveOrder[] | undefined }) {
  return (
    <KeptHeight heightKey={`rubadub-live-order-${useUser().id}`}>
      {orders && orders.length > 0 && <LiveOrderCard orders={orders} />}
    </KeptHeight>
  );
}
