import { useEffect } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import { isOnTheWay } from '../../../domain/positions.ts';
import { useConsent } from './consent.ts';
import { finishPendingRemoval, startSharing } from './sharing.ts';

type ActiveDelivery = Pick<Delivery, 'id' | 'status'>;

/** Shares the phone's position during a delivery with consent, on every page; renders nothing. */
export function PositionSharing({ userId, active }: { userId: string; active: ActiveDelivery | null | undefined }) {
  useEffect(() => void finishPendingRemoval(userId), [userId]);
  const isAgreed = useConsent(userId);
  const deliveryId = active && isOnTheWay(active.status) ? active.id : undefined;
  useEffect(() => {
    if (isAgreed && deliveryId !== undefined) return startSharing(userId, deliveryId);
  }, [isAgreed, userId, deliveryId]);
  return null;
}
