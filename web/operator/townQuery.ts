import { useQuery } from '@tanstack/react-query';
import { operatorApi } from './operatorApi.ts';

/** Whether the town is open, and its limits. */
export const useTown = () => useQuery({ queryKey: ['town'], queryFn: () => operatorApi.readTown() });
