import type { CallOptions } from '../../../contract/callClient.ts';
import { api } from '../../api/client.ts';
import { readSession } from '../../api/currentSession.ts';
import { limitTime } from '../../api/limitTime.ts';
import { queryClient, refetchKinds } from '../../api/queryClient.ts';
import { deliveryKey } from '../../api/queryKeys.ts';
import { sendUnlessPaused } from '../../api/retryAfter.ts';
import { sendPhoto } from '../../files/waitingPhoto.ts';
import { reloadIfUserChanged } from '../../session/session.ts';
import { withTabLock } from '../../storage/tabs.ts';
import { formatDate } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import { endAwaitedStep, findTakeOf } from './awaitedSteps.ts';
import { markStepFailed, readQueuedSteps, readStoredStep, removeStep, saveSentPhoto } from './queuedStepStore.ts';
import { sendQueuedSteps } from './sendStep.ts';
import { takeQueued } from './takeStep.ts';
import { waitingTextsOf } from './waitingSteps.ts';

const LOCK = 'rubadub-steps';
const RETRY_INTERVAL_MS = 15_000;
const LOST_TOAST_MS = 15_000;
const REFETCH_LIMIT_MS = 5_000;
/** A request that hangs must not keep the steps of other deliveries waiting, nor arrive after the next one with its key. */
const REQUEST_LIMIT_MS = 30_000;

/** Sends the queued steps now and whenever the network may be back; returns a function that stops it. */
export function startSendQueue(userId: string): () => void {
  const send = () => void flushWithLock(userId).catch(() => undefined);
  send();
  const timer = setInterval(send, RETRY_INTERVAL_MS);
  window.addEventListener('online', send);
  return () => {
    clearInterval(timer);
    window.removeEventListener('online', send);
  };
}

/** Sends the queued steps now; when they are being sent, again after that. */
export const sendQueueNow = (userId: string): Promise<void> => withTabLock(LOCK, {}, () => flushQueue(userId));

// One tab at a time: two tabs would send everything twice.
const flushWithLock = (userId: string): Promise<void> =>
  withTabLock(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await flushQueue(userId);
  });

const isSignedIn = (userId: string) => readSession().user?.id === userId;

function requireSessionOf(userId: string): void {
  if (!isSignedIn(userId)) throw new Error('User not authenticated');
}

/** Fetches a delivery whose step was sent: a page that shows it must not show the status before that step again. */
async function refetchDelivery(id: string): Promise<void> {
  const refetch = queryClient.invalidateQueries({ queryKey: deliveryKey(id) });
  // The step is sent: one that could not be read again must not stay.
  await Promise.race([refetch.catch(() => undefined), delay(REFETCH_LIMIT_MS)]);
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function flushQueue(userId: string): Promise<void> {
  const steps = await readQueuedSteps(userId);
  if (!navigator.onLine || steps.every(({ problem }) => problem !== undefined)) return;
  await sendQueuedSteps(userId, steps, {
    readUserId: async () => {
      const { user } = await sendUnlessPaused('session', () =>
        limitTime(REQUEST_LIMIT_MS, (options) => api.session(undefined, options)),
      );
      reloadIfUserChanged(userId, user);
      return user.id;
    },
    readStep: readStoredStep,
    sendPhoto: (key, photo) => {
      requireSessionOf(userId);
      return sendPhoto(key, photo);
    },
    savePhoto: saveSentPhoto,
    send: async (step, takenAt) => {
      const { deliveryId: id, requestKey: idempotencyKey } = step;
      requireSessionOf(userId);
      const input = { params: { id }, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
      const takeAtOnce = findTakeOf(step);
      const send = (options: CallOptions) =>
        takeAtOnce
          ? takeAtOnce(step, input, options)
          : takeQueued(step, { ...input, ...(takenAt && { takenAt }) }, options);
      await sendUnlessPaused(`step ${idempotencyKey ?? step.key}`, () => limitTime(REQUEST_LIMIT_MS, send));
    },
    readDelivery: async (id) => {
      requireSessionOf(userId);
      return limitTime(REQUEST_LIMIT_MS, (options) => api.readDelivery({ params: { id } }, options));
    },
    onSent: async (step) => {
      if (await endAwaitedStep(step, { kind: 'sent' })) return;
      if (isSignedIn(userId)) await refetchDelivery(step.deliveryId);
      await removeStep(step);
      // Not for somebody who has signed in since.
      if (!isSignedIn(userId)) return;
      toast.success(waitingTextsOf(step.action).done, {
        description: `Sent now, done at ${formatDate(step.takenAt)}.`,
      });
    },
    onLost: async (step, why) => {
      if (await endAwaitedStep(step, { kind: 'lost', why })) return;
      await markStepFailed(step, why);
      if (!isSignedIn(userId)) return;
      toast.error(waitingTextsOf(step.action).failed, { description: why, duration: LOST_TOAST_MS });
    },
  });
  refetchKinds('deliveries', 'dashboards');
}
