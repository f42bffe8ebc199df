import type { Context } from '../context.ts';
import { startWorker } from '../jobs/worker.ts';
import { openMailer } from '../mail/mailer.ts';
import { OUTBOX_CHANNELS, type OutboxChannel } from './outbox.sql.ts';
import { openPushSender } from './push.ts';
import { sendDueMessages } from './send.ts';
import type { NotificationKeys } from './vapidKeys.ts';

const RUN_EVERY_MS = 2_000;

export type OutboxWorkers = {
  wake(...channels: readonly OutboxChannel[]): void;
  stop(): Promise<void>;
};

/**
 * Starts one worker per channel of the outbox. Each has its own mailer: neither a slow push service nor a queue of
 * receipts delays a sign-up code.
 */
export function startOutboxWorkers(context: Context, keys: NotificationKeys): OutboxWorkers {
  const { config, log } = context;
  const push = openPushSender({ keys: keys.vapid, supportEmail: config.supportEmail, standIn: config.pushStandIn });
  const started = OUTBOX_CHANNELS.map((channel) => {
    const mailer = openMailer(config);
    const runOnce = () => sendDueMessages(context, channel, { mailer, push, keys });
    const worker = startWorker({ name: `outbox: ${channel}`, everyMs: RUN_EVERY_MS, runOnce, log });
    return { channel, mailer, worker };
  });
  return {
    wake(...channels) {
      for (const { channel, worker } of started) if (channels.includes(channel)) worker.wake();
    },
    async stop() {
      await Promise.all(started.map(({ worker }) => worker.stop()));
      for (const { mailer } of started) mailer.close();
      push.close();
    },
  };
}
