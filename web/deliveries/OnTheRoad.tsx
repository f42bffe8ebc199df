import { useQuery } from '@tanstack/react-query';
import { askDashboard, DUBER_DASHBOARD } from './askDashboard.ts';
import { PositionSharing } from './position/PositionSharing.tsx';

/** What goes on for a Duber on whatever page they are; it shows nothing. */
export function OnTheRoad({ userId }: { userId: string }) {
  const { data } = useQuery({ queryKey: DUBER_DASHBOARD, queryFn: ({ signal }) => askDashboard(signal) });
  return <PositionSharing userId={userId} active={data?.activeDelivery} />;
}
