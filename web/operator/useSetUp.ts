import { useQuery } from '@tanstack/react-query';
import { operatorApi } from './operatorApi.ts';

/** How far the set-up of the town is. Only for operators with the right Admin. */
export const useSetUp = () => useQuery({ queryKey: ['set-up'], queryFn: () => operatorApi.readSetUp() });
