import { useMutation } from '@tanstack/react-query';
import { v4 as newKey } from 'uuid';
import type { DeliveryExceptionAction } from '../../../domain/deliveries.ts';
import type { Point } from '../../../domain/places.ts';
import { api } from '../../api.ts';
import { forgetDropped, rememberDropped } from '../../live/ownDelivery.ts';
import { sendOnce } from '../../payments/idempotencyKey.ts';
import { refetchKinds } from '../../queryClient.ts';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { toast } from '../../ui/toast.tsx';
import { PROBLEM_TEXTS } from './problemSteps.ts';

export type Report = {
  readonly action: DeliveryExceptionAction;
  readonly reason?: string;
  readonly words?: string;
  readonly fileIds?: readonly string[] | undefined;
  readonly place?: Point | undefined;
  /** The PIN and the bags, for laundry that is brought back: it is a hand-over like the others. */
  readonly pin?: string | undefined;
  readonly bags?: number | undefined;
};

/** Takes a step of a delivery that does not go as planned, and says what came of it. */
export function useDeliveryException(id: string) {
  return useMutation({
    mutationFn: ({ action, fileIds, ...report }: Report) =>
      sendOnce(
        (idempotencyKey) =>
          api[action]({
            params: { id },
            body: { ...report, ...(fileIds === undefined ? {} : { fileIds: [...fileIds] }) },
            idempotencyKey,
          }),
        newKey,
      ),
    onMutate: ({ action }) => {
      if (action === 'drop-delivery') rememberDropped(id);
    },
    onSuccess: (_taken, { action }) => toast.success(PROBLEM_TEXTS[action].done),
    onError: (error, { action }) => {
      forgetDropped(id);
      toast.error(PROBLEM_TEXTS[action].failed, { description: errorMessageOf(error, 'Something went wrong') });
    },
    onSettled: () => refetchKinds('deliveries', 'orders', 'dashboards'),
  });
}
