import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { v4 as newKey } from 'uuid';
import { CallFailed } from '../../contract/callClient.ts';
import type { Order } from '../../contract/orders.ts';
import type { Weighing } from '../../contract/weighing.ts';
import { ORDER_GROUPS, type OrderAction } from '../../domain/orders.ts';
import { api } from '../api/client.ts';
import { refetchKinds } from '../api/queryClient.ts';
import { orderKey } from '../api/queryKeys.ts';
import { continueAttempt, isFinalFailure, parseAttempt, sendOnce } from '../payments/idempotencyKey.ts';
import { tabStore } from '../storage/stores.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';

const weighingKey = (orderId: string) => [...orderKey(orderId), 'weighing'] as const;

/** Whether the laundry of an order is weighed before its card is charged, and the order was not called off. */
export const isWeighed = ({ ceilingSize, status }: Pick<Order, 'ceilingSize' | 'status'>): boolean =>
  ceilingSize !== undefined && ORDER_GROUPS[status] !== 'cancelled';

/** Whether the laundry goes back unwashed: nothing is paid for washing it. */
export const isSentBack = ({ ceilingSize, price }: WashedOrder): boolean =>
  ceilingSize !== undefined && price.loadPrice === 0;
type WashedOrder = Pick<Order, 'ceilingSize'> & { readonly price: Pick<Order['price'], 'loadPrice'> };

/** What the laundry of an order weighs; nothing is asked for an order that is not weighed. */
export function useWeighing(order: Pick<Order, 'id' | 'ceilingSize' | 'status'>) {
  return useQuery({
    queryKey: weighingKey(order.id),
    queryFn: ({ signal }) => api.readWeighing({ params: { id: order.id } }, { signal }),
    enabled: isWeighed(order),
  });
}

/** Whether it is the reader's turn: the Scrub weighs, or the Bud is asked. */
export function useIsWeighingDue(order: Pick<Order, 'id' | 'ceilingSize' | 'status'>, role: 'Bud' | 'Scrub'): boolean {
  const { data } = useWeighing(order);
  return role === 'Bud' ? data?.correction?.state === 'asked' : data?.canWeigh === true;
}

/** The id of the element with the card, so that the button of the next step leads there. */
export const WEIGHING_ID = 'weighing';

/** What keeps the Scrub from a step of an order that is weighed; undefined when nothing does. */
export function weighingBlockOf(
  step: OrderAction,
  weighing: Pick<Weighing, 'weighings' | 'correction'> | undefined,
): 'unknown' | 'weigh-first' | 'asked' | undefined {
  if ((step === 'start-order' || step === 'complete-order') && weighing?.correction?.state === 'asked') return 'asked';
  if (step !== 'complete-order') return undefined;
  if (!weighing) return 'unknown';
  return weighing.weighings.some(({ scale }) => scale === 'scrub') ? undefined : 'weigh-first';
}

/**
 * Sends a weight, or an answer to one, and shows what it led to. The idempotency key stays in the tab until the server has
 * decided, so that no retry can charge a card twice.
 */
export function useWeighingChange<Body extends object>(
  orderId: string,
  send: (body: Body, idempotencyKey: string) => Promise<Weighing>,
  texts: { readonly done: string; readonly failed: string },
) {
  const cache = useQueryClient();
  const kept = `rubadub-weighing-${orderId}`;
  return useMutation({
    mutationFn: (body: Body) => {
      const attempt = continueAttempt(parseAttempt(tabStore.read(kept)), body, newKey);
      tabStore.write(kept, JSON.stringify(attempt));
      return sendOnce(
        (idempotencyKey) => send(body, idempotencyKey),
        () => attempt.key,
      );
    },
    onSuccess: (weighing) => {
      tabStore.write(kept, null);
      cache.setQueryData(weighingKey(orderId), weighing);
      toast.success(texts.done);
    },
    onError: (error) => {
      if (error instanceof CallFailed && isFinalFailure(error.statusCode)) tabStore.write(kept, null);
      toast.error(texts.failed, { description: errorMessageOf(error, 'Please try again.') });
    },
    onSettled: () => refetchKinds('orders', 'dashboards', 'saved-cards'),
  });
}
