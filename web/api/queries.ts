import { api } from './client.ts';
import { deliveryKey, orderKey } from './queryKeys.ts';

type Fetching = { readonly signal: AbortSignal };

/** The query of one order, for every page that shows something of it. */
export const orderQuery = (id: string) => ({
  queryKey: orderKey(id),
  queryFn: ({ signal }: Fetching) => api.readOrder({ params: { id } }, { signal }),
});

/** The query of one delivery, for every page that shows something of it. */
export const deliveryQuery = (id: string) => ({
  queryKey: deliveryKey(id),
  queryFn: ({ signal }: Fetching) => api.readDelivery({ params: { id } }, { signal }),
});
