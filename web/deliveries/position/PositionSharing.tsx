import { useEffect } from 'react';
import type { Delivery } from '../../../contract/deliveries.ts';
import { isOnTheWay } from '../../../domain/positions.ts';
import { useAgreed } from './consent.ts';
import { finishTakingBack, shareFor } from './sharing.ts';

/** Shares the phone's position while its Duber is on the way and agrees, on whatever page they are; shows nothing. */
export function PositionSharing({ userId, active }: { userId: string; active: Delivery | null | undefined }) {
  useEffect(() => void finishTakingBack(userId), [userId]);
  const isAgreed = useAgreed(userId);
  const deliveryId = active && isOnTheWay(active.status) ? active.id : undefined;
  useEffect(() => {
    if (isAgreed && deliveryId !== undefined) return shareFor(deliveryId);
  }, [isAgreed, deliveryId]);
  return null;
}
