import { useQuery } from '@tanstack/react-query';
import { operatorApi } from './operatorApi.ts';

/** The passkeys of the operator, and where they work. */
export const usePasskeys = () => useQuery({ queryKey: ['passkeys'], queryFn: () => operatorApi.listPasskeys() });
