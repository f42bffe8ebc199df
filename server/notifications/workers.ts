import type { Context } from '../context.ts';
import { type StartWorker, startWorker } from '../jobs/worker.ts';
import { createMailCircuit, type MailCircuit, openMailer } from '../outgoing/mailer.ts';
import { OUTBOX_CHANNELS, type OutboxChannel } from './outbox.sql.ts';
import { openPushSender, type PushSender } from './push.ts';
import { createOutboxSender } from './send.ts';
import type { NotificationKeys } from './vapidKeys.ts';

const RUN_EVERY_MS = 2_000;

export type OutboxWorkers = {
  readonly mailCircuit: MailCircuit;
  wake(...channels: readonly OutboxChannel[]): void;
  stop(): Promise<void>;
};

type OutboxOptions = {
  /** While true, nothing is sent. */
  readonly isPaused?: () => boolean;
  readonly push?: PushSender;
  readonly start?: StartWorker;
};

/**
 * Starts one worker per channel of the outbox. Each has its own mailer: neither a slow push service nor a queue of
 * receipts delays a sign-up code. While the mail server does not answer, mails wait without using up their tries.
 */
export function startOutboxWorkers(
  context: Context,
  keys: NotificationKeys,
  { isPaused: isAllPaused = () => false, push: givenPush, start = startWorker }: OutboxOptions = {},
): OutboxWorkers {
  const { config, log } = context;
  const { supportEmail, pushStandIn: standIn } = config;
  const push = givenPush ?? openPushSender({ keys: keys.vapid, supportEmail, standIn });
  const mailCircuit = createMailCircuit(config);
  const started = OUTBOX_CHANNELS.map((channel) => {
    const mailer = openMailer(config, mailCircuit);
    // A message that is sent may free the share that another one waits for.
    const sender = createOutboxSender(context, channel, { mailer, push, keys, onSent: () => worker.wake() });
    const { startNext: runOnce, settle } = sender;
    const isPaused = () => isAllPaused() || (channel !== 'push' && mailCircuit.isOpen());
    const worker = start({ name: `outbox: ${channel}`, everyMs: RUN_EVERY_MS, runOnce, settle, isPaused, log });
    return { channel, mailer, worker };
  });
  return {
    mailCircuit,
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
