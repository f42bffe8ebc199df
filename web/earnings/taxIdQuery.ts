import { api } from '../api/client.ts';

/** The tax number of the signed-in worker, by its end. It is not kept on the device. */
export const TAX_ID_QUERY = {
  queryKey: ['tax-id'],
  queryFn: () => api.readTaxId(),
};
