import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { v4 as newKey } from 'uuid';
import { Unreachable } from '../../contract/callClient.ts';
import type { Delivery, DeliveryStep } from '../../contract/deliveries.ts';
import type { DeliveryAction } from '../../domain/deliveries.ts';
import { api } from '../api.ts';
import { refetchKinds } from '../queryClient.ts';
import { errorMessageOf } from '../ui/errorMessage.ts';
import { toast } from '../ui/toast.tsx';
import { showAsActive } from './dashboardQuery.ts';
import { type QueuedStep, queueStep, readQueuedSteps, type StepProof } from './queuedSteps/queuedStepStore.ts';
import { takeStep } from './queuedSteps/takeStep.ts';
import { appendStep, STEP_TEXTS, type StepText, statusAfter } from './steps.ts';

/** All delivery queries start with 'deliveries' in the cache, so that one call refreshes them all. */
export const deliveryKey = (id: string) => ['deliveries', 'one', id] as const;

export function useDelivery(id: string) {
  return useQuery({
    queryKey: deliveryKey(id),
    queryFn: ({ signal }) => api.readDelivery({ params: { id } }, { signal }),
  });
}

/** The mutation key of every step that is being sent. */
export const STEP_MUTATION = ['delivery-step'] as const;

type Taken = { readonly action: DeliveryAction; readonly proof: StepProof | undefined };
type NewStep = Omit<QueuedStep, 'key' | 'takenAt' | 'requestKey'>;

/** Takes a step, or queues it on this device when the server does not answer; then it returns undefined. */
async function sendOrQueue({ action, proof, ...whose }: NewStep): Promise<DeliveryStep | undefined> {
  const takenAt = new Date().toISOString();
  // A step whose answer was lost is queued with its key, so that it is not refused when it is sent again.
  const requestKey = newKey();
  const kept = proof ? { proof } : {};
  const before = await readQueuedSteps(whose.userId).catch(() => []);
  const mustWait = before.some(({ deliveryId, problem }) => deliveryId === whose.deliveryId && problem === undefined);
  // In order: a step must not overtake queued ones.
  if (!mustWait) {
    try {
      return await takeStep({ action, ...kept }, { params: { id: whose.deliveryId }, idempotencyKey: requestKey });
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  await queueStep({ ...whose, ...kept, action, takenAt, requestKey });
  return undefined;
}

/**
 * Takes the next step of a delivery for the Duber `duberId`. The screen shows it at once and reverts it when
 * the server refuses, with a toast that says why.
 */
export function useDeliveryStep(id: string, duberId: string) {
  const cache = useQueryClient();
  const key = deliveryKey(id);
  const step = useMutation({
    mutationKey: STEP_MUTATION,
    mutationFn: ({ action, proof }: Taken) =>
      sendOrQueue({ userId: duberId, deliveryId: id, action, ...(proof ? { proof } : {}) }),
    onMutate: async ({ action }) => {
      await cache.cancelQueries({ queryKey: key });
      const before = cache.getQueryData<Delivery>(key);
      const guess = { status: statusAfter(action), createdAt: new Date().toISOString(), takenAt: null, deliveryId: id };
      if (before) cache.setQueryData<Delivery>(key, appendStep(before, guess, duberId));
      return { before };
    },
    onError: (error, { action }, kept) => {
      cache.setQueryData(key, kept?.before);
      toast.error(STEP_TEXTS[action].failed, { description: errorMessageOf(error, 'Something went wrong') });
    },
    onSuccess: (taken, { action }, { before }) => {
      if (before) cache.setQueryData<Delivery>(key, taken ? appendStep(before, taken, duberId) : before);
      if (!taken)
        return void toast.info('Not sent yet', { description: 'We will send it as soon as you are back online.' });
      if (action === 'accept-delivery') showAsActive(cache, taken);
      const { title, description }: StepText['done'] = STEP_TEXTS[action].done;
      toast.success(title, description === undefined ? {} : { description });
    },
    // Not awaited: the next step may be taken while the rest of the screen is still loading. A Duber's dashboard contains
    // the pending deliveries nearby, which spec 4.2 refreshes after a delivery.
    onSettled: () => refetchKinds('deliveries', 'dashboards'),
  });
  const take = (action: DeliveryAction, proof?: StepProof) => {
    if (step.isPending) return;
    const { confirmation: asks }: StepText = STEP_TEXTS[action];
    // A Duber who gave a proof has thought about it.
    if (asks !== undefined && !proof && !window.confirm(asks)) return;
    step.mutate({ action, proof });
  };
  return { take, isTaking: step.isPending };
}
