import { api } from '../api/client.ts';

/** Where the payouts of the signed-in worker go. */
export const PAYOUT_ACCOUNT_QUERY = {
  queryKey: ['payout-account'],
  queryFn: () => api.readPayoutAccount(),
};
