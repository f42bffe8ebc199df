import { CHANNELS } from '../../domain/notifications.ts';
import type { Deps } from '../context.ts';
import { startWorker, type Worker } from '../jobs/worker.ts';
import { openPost } from '../mail/send.ts';
import { openPushDoor } from './push.ts';
import { sendDueMessages } from './send.ts';
import type { Keys } from './vapidKeys.ts';

const ROUND_MS = 2_000;

/**
 * Starts to send messages. Each way has a worker of its own, and mails a way out of their own: neither a push service
 * that hangs nor many receipts keep a sign-up code waiting.
 */
export function startMessages(deps: Deps, keys: Keys): Worker {
  const { config, log } = deps;
  const post = openPost(config);
  const push = openPushDoor({ keys: keys.vapid, supportEmail: config.supportEmail, standIn: config.pushStandIn });
  const workers = CHANNELS.map((channel) =>
    startWorker({
      name: `messages by ${channel}`,
      everyMs: ROUND_MS,
      doOne: () => sendDueMessages(deps, channel, { post, push, keys }),
      log,
    }),
  );
  return {
    nudge: () => {
      for (const worker of workers) worker.nudge();
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      post.close();
      push.close();
    },
  };
}
