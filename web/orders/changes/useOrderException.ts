import { useMutation } from '@tanstack/react-query';
import { v4 as newKey } from 'uuid';
import type { OrderExceptionAction } from '../../../domain/orders.ts';
import { api } from '../../api/client.ts';
import { refetchKinds } from '../../api/queryClient.ts';
import { sendOnce } from '../../payments/idempotencyKey.ts';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { toast } from '../../ui/toast.tsx';

const TEXTS = {
  'cancel-accepted': { done: 'Order Cancelled', failed: 'Order Not Cancelled' },
  'give-back': { done: 'The customer chooses another Scrub', failed: 'The job is still yours' },
  'choose-scrub': { done: 'We have asked them', failed: 'Not asked' },
  'move-window': { done: 'The time is moved', failed: 'The time stays as it was' },
  'propose-window': { done: 'We have asked the customer', failed: 'Not asked' },
  'accept-window': { done: 'The new time is agreed', failed: 'The time stays as it was' },
  'refuse-window': { done: 'The agreed time stays', failed: 'Not sent' },
} as const satisfies Record<OrderExceptionAction, { done: string; failed: string }>;

const NOT_AT_TOWNS_TIME = 'We get in touch about another time';

type Change = {
  readonly action: OrderExceptionAction;
  readonly reason?: string;
  readonly words?: string;
  readonly scrubId?: string;
  /** The starts of the new windows. */
  readonly pickupFrom?: string;
  readonly returnFrom?: string;
  /** The proposal that is answered. */
  readonly proposalId?: string;
  /** Whether the town asked, because nobody comes at the agreed time. */
  readonly toTown?: boolean;
  /** The fee that the Bud was shown. */
  readonly fee?: number;
};

/** Takes a step of an order that changes what was agreed, and says what came of it. */
export function useOrderException(id: string) {
  return useMutation({
    mutationFn: ({ action, toTown: _toTown, ...body }: Change) =>
      sendOnce((idempotencyKey) => api[action]({ params: { id }, body, idempotencyKey }), newKey),
    onSuccess: (_taken, { action, toTown }) =>
      toast.success(action === 'refuse-window' && toTown ? NOT_AT_TOWNS_TIME : TEXTS[action].done),
    onError: (error, { action }) =>
      toast.error(TEXTS[action].failed, { description: errorMessageOf(error, 'Something went wrong') }),
    onSettled: () => refetchKinds('orders', 'deliveries', 'dashboards'),
  });
}
