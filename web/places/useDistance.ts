import { useConfig } from '../api/config.ts';
import { formatKm, formatRoughKm } from '../ui/format.ts';

/** How a distance to people is written whose place the viewer may see only roughly, because the work is not agreed. */
export function useDistance(isAgreed = false): (meters: number) => string {
  const isRounded = useConfig()?.roundsPlaces === true && !isAgreed;
  return isRounded ? formatRoughKm : formatKm;
}
