import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { askDashboard, DUBER_DASHBOARD } from './dashboardQuery.ts';
import { PositionSharing } from './position/PositionSharing.tsx';
import { keepSending } from './queuedSteps/sendQueue.ts';

/** What goes on for a Duber on whatever page they are; it shows nothing. */
export function OnTheRoad({ userId }: { userId: string }) {
  const { data } = useQuery({ queryKey: DUBER_DASHBOARD, queryFn: ({ signal }) => askDashboard(signal) });
  useEffect(() => keepSending(userId), [userId]);
  return <PositionSharing userId={userId} active={data?.activeDelivery} />;
}
