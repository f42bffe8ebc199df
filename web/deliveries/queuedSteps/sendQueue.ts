import { readSession, reloadUnless } from '../../accounts/session.ts';
import { api } from '../../api.ts';
import { queries } from '../../queries.ts';
import { formatDate } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import { STEP_TEXTS } from '../steps.ts';
import { sendInOrder } from './sendStep.ts';
import { dropStep, keepProblem, readWaiting } from './store.ts';

const LOCK = 'rubadub-steps';
const TRY_AGAIN_MS = 15_000;
const LOST_SHOWN_MS = 15_000;

/** Sends what a Duber's device kept, now and whenever there may be a network again; gives the way to stop. */
export function keepSending(userId: string): () => void {
  const send = () => void sendOnce(userId).catch(() => undefined);
  send();
  const timer = setInterval(send, TRY_AGAIN_MS);
  window.addEventListener('online', send);
  return () => {
    clearInterval(timer);
    window.removeEventListener('online', send);
  };
}

// One tab at a time: two would send everything twice.
async function sendOnce(userId: string): Promise<void> {
  if (!navigator.locks) return sendAll(userId);
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await sendAll(userId);
  });
}

async function sendAll(userId: string): Promise<void> {
  const steps = await readWaiting(userId);
  if (!navigator.onLine || steps.every(({ problem }) => problem !== undefined)) return;
  await sendInOrder(userId, steps, {
    who: async () => {
      const { user } = await api.session();
      reloadUnless(userId, user);
      return user.id;
    },
    take: async ({ action, deliveryId: id }, takenAt) => {
      if (readSession().user?.id !== userId) throw new Error('User not authenticated');
      await api[action]({ params: { id }, ...(takenAt === undefined ? {} : { takenAt }) });
    },
    read: (id) => api.readDelivery({ params: { id } }),
    onSent: async (step) => {
      await dropStep(step);
      toast.success(STEP_TEXTS[step.action].done.title, {
        description: `Sent now, taken at ${formatDate(step.takenAt)}.`,
      });
    },
    onLost: async (step, why) => {
      await keepProblem(step, why);
      toast.error(STEP_TEXTS[step.action].failed, { description: why, duration: LOST_SHOWN_MS });
    },
  });
  for (const name of ['deliveries', 'dashboards']) void queries.invalidateQueries({ queryKey: [name] });
}
