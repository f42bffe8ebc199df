import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { v4 as newKey } from 'uuid';
import type { Order } from '../../contract/orders.ts';
import type { OrderAction } from '../../domain/orders.ts';
import { api } from '../api/client.ts';
import { endGuess, showGuess } from '../api/guesses.ts';
import { orderQuery } from '../api/queries.ts';
import { refetchKinds } from '../api/queryClient.ts';
import { orderKey } from '../api/queryKeys.ts';
import { sendOnce } from '../payments/idempotencyKey.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';
import { appendStep, CONFIRM_TEXT, doneTextOf, STEP_TEXTS, statusAfter } from './steps.ts';

export const useOrder = (id: string) => useQuery(orderQuery(id));

/**
 * Takes the next step of an order. The screen shows it at once and reverts it when the server refuses,
 * with a toast that says why.
 */
export function useOrderStep(id: string) {
  const cache = useQueryClient();
  const key = orderKey(id);
  const step = useMutation({
    mutationFn: (action: OrderAction) =>
      sendOnce((idempotencyKey) => api[action]({ params: { id }, idempotencyKey }), newKey),
    onMutate: async (action) => {
      await cache.cancelQueries({ queryKey: key });
      const before = cache.getQueryData<Order>(key);
      const guess = { status: statusAfter(action), createdAt: new Date().toISOString(), orderId: id };
      if (before) showGuess(cache, key, appendStep(before, guess));
      return { before };
    },
    onError: (error, action, kept) => {
      endGuess(cache, key, kept?.before);
      toast.error(STEP_TEXTS[action].failed, { description: errorMessageOf(error, 'Something went wrong') });
    },
    onSuccess: (taken, action, { before }) => {
      endGuess(cache, key, before && appendStep(before, taken));
      const { title, description } = doneTextOf(action, before);
      toast.success(title, description === undefined ? {} : { description });
    },
    // Not awaited: the next step may be taken while the rest of the screen is still loading.
    onSettled: () => refetchKinds('orders', 'deliveries', 'dashboards'),
  });
  const take = (action: OrderAction) => {
    if (step.isPending) return;
    if (STEP_TEXTS[action].needsConfirmation && !window.confirm(CONFIRM_TEXT)) return;
    step.mutate(action);
  };
  return { take, isTaking: step.isPending };
}
