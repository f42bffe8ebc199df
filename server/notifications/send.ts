import type { NotificationKind } from '../../domain/notifications.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { describeSendError, type Mailer, type OutgoingMail } from '../mail/mailer.ts';
import { composeNotification } from './composeNotification.ts';
import { deleteDevice, markDeviceUsed, readPushTarget, readRecipient } from './devices.sql.ts';
import {
  type DueMessage,
  type DueNotification,
  moveOldMails,
  type OutboxChannel,
  recordOutcome,
  type SendOutcome,
  takeDueMessages,
} from './outbox.sql.ts';
import type { PushResponse, PushSender, Urgency } from './push.ts';
import { PrivateNetworkError } from './pushEndpoints.ts';
import { expandNearbyNotice, hasNearbyNotices } from './queueNotifications.sql.ts';
import { type NotificationContent, notificationMail } from './templates.ts';
import { createUnsubscribeLinks } from './unsubscribe.ts';
import type { NotificationKeys } from './vapidKeys.ts';

export type Senders = { readonly mailer: Mailer; readonly push: PushSender; readonly keys: NotificationKeys };
type SendContext = Pick<Context, 'db' | 'now' | 'log' | 'config'>;

/** Longer than any try takes, so that no other worker sends the same message. */
const LEASE_S = 120;
const BATCH_SIZES: Record<OutboxChannel, number> = { 'account-mail': 2, mail: 2, push: 8 };
const MAX_TRIES = 20;
const MAX_RETRY_DELAY_S = 1800;

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** How long a push is worth showing, and whether it may wake a phone that saves battery. */
const PUSH_OPTIONS: Record<NotificationKind, { readonly ttlS: number; readonly urgency: Urgency }> = {
  placed: { ttlS: DAY_S, urgency: 'high' },
  accepted: { ttlS: DAY_S, urgency: 'normal' },
  rejected: { ttlS: DAY_S, urgency: 'normal' },
  expired: { ttlS: DAY_S, urgency: 'normal' },
  delivered: { ttlS: DAY_S, urgency: 'high' },
  payout: { ttlS: 3 * DAY_S, urgency: 'low' },
  nearby: { ttlS: 10 * 60, urgency: 'high' },
};

/** Sends a few due messages of one channel. False when there was none. */
export async function sendDueMessages(context: SendContext, channel: OutboxChannel, senders: Senders) {
  const { db, now } = context;
  if (channel === 'account-mail') await moveOldMails(db, now());
  if (channel === 'push' && (await hasNearbyNotices(db)) && (await transact(db, expandNearbyNotice))) return true;
  const due = await takeDueMessages(db, channel, { now: now(), leaseS: LEASE_S, limit: BATCH_SIZES[channel] });
  await Promise.all(due.map((message) => sendMessage(context, message, senders)));
  return due.length > 0;
}

async function sendMessage(context: SendContext, message: DueMessage, senders: Senders): Promise<void> {
  const { db, now, log } = context;
  const outcome = await attemptSend(context, message, senders);
  const { kind, about, channel, tries } = message;
  const details = { kind, about, channel, tries, ...(outcome.state === 'sent' ? {} : { reason: outcome.why }) };
  if (outcome.state === 'due') log.warn(details, 'a message was not sent and will be retried');
  if (outcome.state === 'given-up') log.error(details, 'a message was not sent and will not be retried');
  await recordOutcome(db, message, outcome, now());
}

async function attemptSend(context: SendContext, message: DueMessage, senders: Senders): Promise<SendOutcome> {
  const { db, config } = context;
  if (message.channel === 'account-mail') {
    const { about: id, recipient, renderedMail } = message;
    return sendMail(context, message, { id, recipient, ...renderedMail }, senders.mailer);
  }
  const recipient = await readRecipient(db, message);
  if (!recipient?.isWanted) return { state: 'dropped', why: 'the recipient has turned this off' };
  const content = await composeNotification(db, message, recipient.role);
  if ('dropped' in content) return { state: 'dropped', why: content.dropped };
  if (message.channel === 'push') return sendPush(context, message, content, senders.push);
  const { page: unsubscribeUrl, headers } = createUnsubscribeLinks(
    config.publicUrl,
    senders.keys.unsubscribeSecret,
    message,
  );
  const mail = notificationMail(content, { fullname: recipient.fullname, unsubscribeUrl }, config);
  const id = `${message.kind}-${message.about}-${message.target}`;
  return sendMail(context, message, { id, recipient: recipient.email, ...mail, headers }, senders.mailer);
}

/** Seconds until the next try after `tries` failed ones. It doubles each time. Undefined when there is no next try. */
function retryDelayS(tries: number): number | undefined {
  return tries >= MAX_TRIES ? undefined : Math.min(MAX_RETRY_DELAY_S, 2 ** tries);
}

function retryLater({ now }: SendContext, { tries }: DueMessage, why: string, minDelayS = 0): SendOutcome {
  const delayS = retryDelayS(tries);
  if (delayS === undefined) return { state: 'given-up', why };
  return { state: 'due', why, dueAt: new Date(now().getTime() + Math.max(delayS, minDelayS) * 1000) };
}

async function sendMail(
  context: SendContext,
  message: DueMessage,
  mail: OutgoingMail,
  mailer: Mailer,
): Promise<SendOutcome> {
  try {
    await mailer.send(mail);
    return { state: 'sent' };
  } catch (error) {
    const { why, isFinal } = describeSendError(error);
    return isFinal ? { state: 'given-up', why } : retryLater(context, message, why);
  }
}

async function sendPush(
  context: SendContext,
  message: DueNotification,
  { title, lines, path }: NotificationContent,
  sender: PushSender,
): Promise<SendOutcome> {
  const { db, now } = context;
  const { kind, about, userId, target: deviceId, createdAt } = message;
  const target = await readPushTarget(db, userId, deviceId);
  if (!target) return { state: 'dropped', why: 'the device is not subscribed any more' };
  const { ttlS, urgency } = PUSH_OPTIONS[kind];
  const remainingS = Math.floor(ttlS - (now().getTime() - createdAt.getTime()) / 1000);
  if (remainingS <= 0) return { state: 'given-up', why: 'the push expired before it could be sent' };
  const push = { title, body: lines[0], url: `/#${path}`, tag: `${kind}-${about}` };
  try {
    const response = await sender.send(target, push, { ttlS: remainingS, urgency });
    const outcome = outcomeOf(context, message, response);
    if (outcome.state === 'sent') await markDeviceUsed(db, deviceId, now());
    if (outcome.state === 'dropped') await deleteDevice(db, userId, deviceId);
    return outcome;
  } catch (error) {
    const { message: why } = error as Error;
    return error instanceof PrivateNetworkError ? { state: 'given-up', why } : retryLater(context, message, why);
  }
}

function outcomeOf(
  context: SendContext,
  message: DueNotification,
  { status, retryAfterS, text }: PushResponse,
): SendOutcome {
  if (status >= 200 && status < 300) return { state: 'sent' };
  if (status === 404 || status === 410) {
    return { state: 'dropped', why: `the push service does not know this device (${status})` };
  }
  const why = `the push service answered ${status}${text ? `: ${text.replaceAll(/\s+/g, ' ')}` : ''}`;
  // Only 429 and 5xx are temporary: a retry of any other response would fail in the same way.
  if (status !== 429 && status < 500) return { state: 'given-up', why };
  return retryLater(context, message, why, retryAfterS);
}
