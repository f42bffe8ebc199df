import { type QueryClient, type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { v4 as newKey } from 'uuid';
import { Unreachable } from '../../../contract/callClient.ts';
import type { Delivery } from '../../../contract/deliveries.ts';
import type { DeliveryExceptionAction } from '../../../domain/deliveries.ts';
import type { Point } from '../../../domain/places.ts';
import { api } from '../../api/client.ts';
import { refetchKinds } from '../../api/queryClient.ts';
import { deliveryKey } from '../../api/queryKeys.ts';
import { currentTime } from '../../clock.ts';
import type { StepEnds } from '../../handovers/proof.ts';
import { sendOnce } from '../../payments/idempotencyKey.ts';
import { useUser } from '../../session/session.ts';
import { RefusedHere } from '../../ui/errorMessage.ts';
import { toast } from '../../ui/toast.tsx';
import { forgetDropped, rememberDropped } from '../ownDelivery.ts';
import { PROBLEM_TEXTS } from '../problemSteps.ts';
import { checkNeeds, planDelivery } from '../queuedSteps/planDelivery.ts';
import { readStepsBefore, takeOrQueue } from '../queuedSteps/takeOrQueue.ts';
import { takeProblem } from '../queuedSteps/takeStep.ts';
import { notifyQueued, notifyRefused } from '../queuedSteps/useDelivery.ts';
import { NEEDS_EARLIER_STEPS, NEEDS_NETWORK } from '../queuedSteps/usePlannedDelivery.ts';
import { isWaitingProblem, type WaitingProblem } from '../queuedSteps/waitingSteps.ts';

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

type Body = Omit<Report, 'action' | 'fileIds'> & { fileIds?: string[] };
type Whose = { readonly userId: string; readonly deliveryId: string };

/** Takes a problem step, or queues it without a network, unless it is already known that it is too early. */
function takeOrQueueProblem(whose: Whose, served: Delivery | undefined, action: WaitingProblem, report: Body) {
  return takeOrQueue({ ...whose, action, report }, takeProblem, (before) => {
    if (!served) return {};
    const planned = planDelivery(served, before);
    checkNeeds(planned, { action, report }, currentTime());
    return { attempt: planned.attempt };
  });
}

/** Sends a step that cannot wait on the device. */
async function takeNow(
  { userId, deliveryId }: Whose,
  action: Exclude<DeliveryExceptionAction, WaitingProblem>,
  body: Body,
): Promise<unknown> {
  if ((await readStepsBefore(userId, deliveryId)).length > 0) throw new RefusedHere(NEEDS_EARLIER_STEPS);
  try {
    return await sendOnce(
      (idempotencyKey) => api[action]({ params: { id: deliveryId }, body, idempotencyKey }),
      newKey,
    );
  } catch (error) {
    throw error instanceof Unreachable ? new RefusedHere(NEEDS_NETWORK) : error;
  }
}

/** How a step of a delivery that does not go as planned is sent, and what the screen of the one who takes it says. */
export function createExceptionMutation(
  cache: QueryClient,
  whose: Whose,
): UseMutationOptions<unknown, Error, Report, void> {
  const id = whose.deliveryId;
  return {
    mutationFn: ({ action, fileIds, ...report }) => {
      const body = { ...report, ...(fileIds === undefined ? {} : { fileIds: [...fileIds] }) };
      const served = cache.getQueryData<Delivery>(deliveryKey(id));
      return isWaitingProblem(action) ? takeOrQueueProblem(whose, served, action, body) : takeNow(whose, action, body);
    },
    onMutate: ({ action }) => {
      if (action === 'drop-delivery') rememberDropped(id);
    },
    onSuccess: (taken, { action }) => {
      if (taken === undefined) notifyQueued();
      else toast.success(PROBLEM_TEXTS[action].done);
    },
    onError: (error, { action }) => {
      forgetDropped(id);
      notifyRefused(PROBLEM_TEXTS[action].failed, error);
    },
    onSettled: () => refetchKinds('deliveries', 'orders', 'dashboards'),
  };
}

/** Takes a step of a delivery that does not go as planned, and says what came of it. */
export function useDeliveryException(id: string) {
  const whose = { userId: useUser().id, deliveryId: id };
  return useMutation(createExceptionMutation(useQueryClient(), whose));
}

/** The same for several buttons of which one is pressed: while its step is being sent, the others do nothing. */
export function useProblemStep(id: string) {
  const step = useDeliveryException(id);
  const take = (report: Report, ends?: StepEnds) => {
    if (!step.isPending) step.mutate(report, ends);
  };
  return { take, isTaking: step.isPending };
}
