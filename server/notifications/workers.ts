import { CHANNELS } from '../../domain/notifications.ts';
import type { Context } from '../context.ts';
import { startWorker, type Worker } from '../jobs/worker.ts';
import { openMailer } from '../mail/send.ts';
import { openPushSender } from './push.ts';
import { sendDueNotifications } from './send.ts';
import type { NotificationKeys } from './vapidKeys.ts';

const RUN_EVERY_MS = 2_000;

/**
 * Starts to send messages. Each way has a worker of its own, and mails a way out of their own: neither a push service
 * that hangs nor many receipts keep a sign-up code waiting.
 */
export function startNotificationWorkers(deps: Context, keys: NotificationKeys): Worker {
  const { config, log } = deps;
  const post = openMailer(config);
  const push = openPushSender({ keys: keys.vapid, supportEmail: config.supportEmail, standIn: config.pushStandIn });
  const workers = CHANNELS.map((channel) =>
    startWorker({
      name: `messages by ${channel}`,
      everyMs: RUN_EVERY_MS,
      runOnce: () => sendDueNotifications(deps, channel, { mailer: post, push, keys }),
      log,
    }),
  );
  return {
    wake: () => {
      for (const worker of workers) worker.wake();
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      post.close();
      push.close();
    },
  };
}
