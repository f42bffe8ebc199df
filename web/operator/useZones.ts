import { useQuery } from '@tanstack/react-query';
import { operatorApi } from './operatorApi.ts';

/** The zones that hold now or later. */
export const useZones = () => useQuery({ queryKey: ['zones'], queryFn: () => operatorApi.listZones() });

/** The zones as the options of a field `zone`, which is asked for only in a town that has some. */
export function useZoneOptions() {
  const items = useZones().data?.items ?? [];
  const options = () => ({ '': 'In the whole town', ...Object.fromEntries(items.map(({ id, name }) => [id, name])) });
  return { isAsked: items.length > 0, textsOf: (field: string) => (field === 'zone' ? { options } : undefined) };
}
