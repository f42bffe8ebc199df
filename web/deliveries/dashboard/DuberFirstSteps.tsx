import { useQueryClient } from '@tanstack/react-query';
import { useLocationAnswer } from '../../firstSteps/deviceAnswers.ts';
import { FirstSteps } from '../../firstSteps/FirstSteps.tsx';
import type { DuberDashboardData } from '../dashboardQuery.ts';
import { searchAroundPhone } from './AroundMe.tsx';

/** A new Duber's first steps; the location is allowed right here. */
export function DuberFirstSteps({ stats }: Pick<DuberDashboardData, 'stats'>) {
  const cache = useQueryClient();
  const location = useLocationAnswer();
  if (!location) return null;
  return (
    <FirstSteps
      facts={{ role: 'Duber', location, deliveries: stats.totalDeliveries, delivered: stats.totalDelivered }}
      actions={{ location: () => void searchAroundPhone(cache) }}
    />
  );
}
