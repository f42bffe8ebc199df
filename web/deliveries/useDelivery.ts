import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Delivery } from '../../contract/deliveries.ts';
import type { DeliveryAction } from '../../domain/deliveries.ts';
import { api } from '../api.ts';
import { messageOf } from '../parts/message.ts';
import { toast } from '../parts/toast.tsx';
import { resultOf, STEP_TEXTS, type StepText, withStep } from './steps.ts';

/** Everything about deliveries lies under 'deliveries' in the cache, so that one call refreshes it all. */
export const deliveryKey = (id: string) => ['deliveries', 'one', id] as const;

export function useDelivery(id: string) {
  return useQuery({
    queryKey: deliveryKey(id),
    queryFn: ({ signal }) => api.readDelivery({ params: { id } }, { signal }),
  });
}

// A Duber's dashboard holds the pending deliveries nearby, which spec 4.2 refreshes after a delivery.
const TOUCHED = ['deliveries', 'dashboards'] as const;

/**
 * Takes a delivery a step further for the Duber `duberId`. The screen shows the step at once and takes it back when
 * the server refuses, with a toast that says why.
 */
export function useDeliveryStep(id: string, duberId: string) {
  const cache = useQueryClient();
  const key = deliveryKey(id);
  const step = useMutation({
    mutationFn: (action: DeliveryAction) => api[action]({ params: { id } }),
    onMutate: async (action) => {
      await cache.cancelQueries({ queryKey: key });
      const before = cache.getQueryData<Delivery>(key);
      const guess = { status: resultOf(action), createdAt: new Date().toISOString(), takenAt: null, deliveryId: id };
      if (before) cache.setQueryData<Delivery>(key, withStep(before, guess, duberId));
      return { before };
    },
    onError: (error, action, kept) => {
      cache.setQueryData(key, kept?.before);
      toast.error(STEP_TEXTS[action].failed, { description: messageOf(error, 'Something went wrong') });
    },
    onSuccess: (taken, action, { before }) => {
      if (before) cache.setQueryData<Delivery>(key, withStep(before, taken, duberId));
      const { title, description }: StepText['done'] = STEP_TEXTS[action].done;
      toast.success(title, description === undefined ? {} : { description });
    },
    // Not waited for: the next step may be taken while the rest of the screen is still being asked for.
    onSettled: () => {
      for (const name of TOUCHED) void cache.invalidateQueries({ queryKey: [name] });
    },
  });
  const take = (action: DeliveryAction) => {
    if (step.isPending) return;
    const { asks }: StepText = STEP_TEXTS[action];
    if (asks !== undefined && !window.confirm(asks)) return;
    step.mutate(action);
  };
  return { take, isTaking: step.isPending };
}
