import { api } from '../api.ts';
import { deliveryKey } from './deliveryKey.ts';

/** The query of one delivery, for every page that shows something of it. */
export const deliveryQuery = (id: string) => ({
  queryKey: deliveryKey(id),
  queryFn: ({ signal }: { signal: AbortSignal }) => api.readDelivery({ params: { id } }, { signal }),
});
