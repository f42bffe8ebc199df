import { type ReactNode, useEffect, useRef } from 'react';
import { useUser } from '../../session/session.ts';
import { readStored, writeStored } from '../../storage/stores.ts';
import styles from './LiveOrderCard.module.css';
import { LiveOrderCard } from './LiveOrderCard.tsx';
import type { LiveOrder } from './liveOrder.ts';

// Per user, because others may sign in on this device.
const heightKeyOf = (userId: string) => `rubadub-live-order-${userId}`;

/** Reserves the space of the card. Before the orders are known it is as high as on the last visit, so that nothing moves. */
export function LiveOrderSlot({ orders }: { orders: readonly LiveOrder[] | undefined }) {
  const key = heightKeyOf(useUser().id);
  if (orders) return <Measured heightKey={key}>{orders.length > 0 && <LiveOrderCard orders={orders} />}</Measured>;
  const height = Number(readStored(key));
  return height > 0 && <div className={styles.awaited} style={{ height }} aria-hidden="true" />;
}

function Measured({ heightKey, children }: { heightKey: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize;
      writeStored(heightKey, height ? String(height) : null);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [heightKey]);
  return <div ref={place}>{children}</div>;
}
