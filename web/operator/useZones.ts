import { useQuery } from '@tanstack/react-query';
import { operatorApi } from './operatorApi.ts';

/** The zones that hold now or later. */
export const useZones = () => useQuery({ queryKey: ['zones'], queryFn: () => operatorApi.listZones() });
