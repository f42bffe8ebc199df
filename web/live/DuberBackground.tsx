import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { DUBER_DASHBOARD_KEY, fetchDashboard } from '../deliveries/dashboardQuery.ts';
import { PositionSharing } from '../deliveries/position/PositionSharing.tsx';
import { startSendQueue } from '../deliveries/queuedSteps/sendQueue.ts';

/** Background work for a Duber on every page; renders nothing. */
export function DuberBackground({ userId }: { userId: string }) {
  const { data } = useQuery({ queryKey: DUBER_DASHBOARD_KEY, queryFn: ({ signal }) => fetchDashboard(signal) });
  useEffect(() => startSendQueue(userId), [userId]);
  return <PositionSharing userId={userId} active={data?.activeDelivery} />;
}
