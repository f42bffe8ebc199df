import {
  type QueryClient,
  type UseMutationOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Delivery, DeliveryStep } from '../../../contract/deliveries.ts';
import type { DeliveryAction } from '../../../domain/deliveries.ts';
import { readSession } from '../../api/currentSession.ts';
import { endGuess, showGuess } from '../../api/guesses.ts';
import { deliveryQuery } from '../../api/queries.ts';
import { refetchKinds } from '../../api/queryClient.ts';
import { deliveryKey, STEP_MUTATION } from '../../api/queryKeys.ts';
import type { StepEnds, StepProof } from '../../handovers/proof.ts';
import { isRelaySender, relayRefetchMs } from '../../handovers/relay.ts';
import { errorMessageOf } from '../../ui/errorMessage.ts';
import { toast } from '../../ui/toast.tsx';
import { showAsAccepted } from '../dashboardQuery.ts';
import { appendStep, STEP_TEXTS, type StepText, statusAfter } from '../steps.ts';
import { takeOrQueue } from './takeOrQueue.ts';
import { takeStep } from './takeStep.ts';

/** Asks again and again for a Duber who waits for the next one. */
export function useDelivery(id: string) {
  return useQuery({
    ...deliveryQuery(id),
    refetchInterval: (query) => {
      const { data } = query.state;
      return relayRefetchMs(query, data !== undefined && isRelaySender(data, readSession().user?.id ?? ''));
    },
  });
}

/** Tells a Duber that a step waits on the device. */
export const notifyQueued = (): void =>
  void toast.info('Not sent yet', { description: 'We will send it as soon as possible.' });

export const notifyRefused = (title: string, error: unknown): void =>
  void toast.error(title, { description: errorMessageOf(error, 'Something went wrong') });

type Taken = { readonly action: DeliveryAction; readonly proof: StepProof | undefined };
type Kept = { readonly before: Delivery | undefined };

/** How a step of a delivery is sent, and what the screen of the Duber `duberId` shows of it. */
export function createStepMutation(
  cache: QueryClient,
  id: string,
  duberId: string,
): UseMutationOptions<DeliveryStep | undefined, Error, Taken, Kept> {
  const key = deliveryKey(id);
  return {
    mutationKey: STEP_MUTATION,
    mutationFn: ({ action, proof }) =>
      takeOrQueue({ userId: duberId, deliveryId: id, action, ...(proof ? { proof } : {}) }, takeStep),
    onMutate: async ({ action, proof }) => {
      await cache.cancelQueries({ queryKey: key });
      const before = cache.getQueryData<Delivery>(key);
      const guess = { status: statusAfter(action), createdAt: new Date().toISOString(), takenAt: null, deliveryId: id };
      // Under the sheet for a proof the delivery stays as it is: the sheet keeps what was typed until the step is taken.
      if (before && !proof) showGuess(cache, key, appendStep(before, guess, duberId));
      return { before };
    },
    onError: (error, { action }, kept) => {
      endGuess(cache, key, kept?.before);
      notifyRefused(STEP_TEXTS[action].failed, error);
    },
    onSuccess: (taken, { action }, { before }) => {
      endGuess(cache, key, before && taken ? appendStep(before, taken, duberId) : before);
      if (!taken) return notifyQueued();
      if (action === 'accept-delivery') showAsAccepted(cache, taken);
      const { title, description }: StepText['done'] = STEP_TEXTS[action].done;
      toast.success(title, description === undefined ? {} : { description });
    },
    // Not awaited: the next step may be taken while the rest of the screen is still loading. A Duber's dashboard contains
    // the pending deliveries nearby, which spec 4.2 refreshes after a delivery.
    onSettled: () => refetchKinds('deliveries', 'dashboards'),
  };
}

/**
 * Takes the next step of a delivery for the Duber `duberId`. The screen shows it at once, unless it has a proof, and reverts it
 * when the server refuses, with a toast that says why.
 */
export function useDeliveryStep(id: string, duberId: string) {
  const step = useMutation(createStepMutation(useQueryClient(), id, duberId));
  const take = (action: DeliveryAction, proof?: StepProof, ends?: StepEnds) => {
    if (step.isPending) return;
    const { confirmation: asks }: StepText = STEP_TEXTS[action];
    // A Duber who gave a proof has thought about it.
    if (asks !== undefined && !proof && !window.confirm(asks)) return;
    step.mutate({ action, proof }, ends);
  };
  return { take, isTaking: step.isPending };
}
