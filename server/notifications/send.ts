import type { NotificationKind } from '../../domain/notifications.ts';
import { toSafeLine } from '../../domain/texts.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { describeSendError, type Mailer, type OutgoingMail } from '../outgoing/mailer.ts';
import { readPublicTown } from '../town/identity.sql.ts';
import { composeNotification } from './composeNotification.ts';
import { countUnanswered, deleteDevice, markDeviceAnswered, readPushTarget, readRecipient } from './devices.sql.ts';
import {
  type DueMessage,
  type DueNotification,
  LEASE_S,
  type OutboxChannel,
  recordOutcome,
  type SendOutcome,
  takeDueMessage,
  takeDuePush,
} from './outbox.sql.ts';
import { pathOfProposal } from './proposalLinks.ts';
import type { PushResponse, PushSender, Urgency } from './push.ts';
import { PrivateNetworkError } from './pushEndpoints.ts';
import { createPushSlots, isBrowserService, PUSH_SLOTS, type PushAnswer } from './pushSlots.ts';
import { expandNearbyNotice, hasNearbyNotices } from './queueNotifications.sql.ts';
import { type NotificationContent, notificationMail } from './templates.ts';
import { createUnsubscribeLinks } from './unsubscribe.ts';
import type { NotificationKeys } from './vapidKeys.ts';

export type Senders = { readonly mailer: Mailer; readonly push: PushSender; readonly keys: NotificationKeys };
type SendContext = Pick<Context, 'db' | 'now' | 'log' | 'config'>;

/** How many messages are sent at the same time. */
const SLOTS: Record<OutboxChannel, number> = { 'account-mail': 2, mail: 2, push: PUSH_SLOTS };
const QUICK_ANSWER_MS = 2_000;
/** A device is dropped after so many pushes in a row without an answer, over at least this time: an outage of ours is shorter. */
const MAX_UNANSWERED = 5;
const MIN_SILENCE_MS = 10 * 60_000;
/** Mails are tried for three days: what is wrong at a mail server is often found after a weekend. Pushes end with their TTL. */
const MAX_TRIES: Record<OutboxChannel, number> = { 'account-mail': 160, mail: 160, push: 20 };
const MAX_RETRY_DELAY_S = 1800;

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** How long a push is worth showing, and whether it may wake a phone that saves battery. */
const PUSH_OPTIONS: Record<NotificationKind, { readonly ttlS: number; readonly urgency: Urgency }> = {
  placed: { ttlS: DAY_S, urgency: 'high' },
  accepted: { ttlS: DAY_S, urgency: 'normal' },
  rejected: { ttlS: DAY_S, urgency: 'normal' },
  expired: { ttlS: DAY_S, urgency: 'normal' },
  cancelled: { ttlS: DAY_S, urgency: 'high' },
  'given-back': { ttlS: 4 * HOUR_S, urgency: 'high' },
  reminder: { ttlS: DAY_S, urgency: 'normal' },
  late: { ttlS: DAY_S, urgency: 'normal' },
  reopened: { ttlS: DAY_S, urgency: 'normal' },
  proposed: { ttlS: DAY_S, urgency: 'high' },
  'promise-near': { ttlS: 3_600, urgency: 'high' },
  'promise-missed': { ttlS: 86_400, urgency: 'high' },
  moved: { ttlS: DAY_S, urgency: 'normal' },
  delivered: { ttlS: DAY_S, urgency: 'high' },
  arrived: { ttlS: 10 * 60, urgency: 'high' },
  'failed-pickup': { ttlS: DAY_S, urgency: 'high' },
  'failed-drop': { ttlS: DAY_S, urgency: 'high' },
  dropped: { ttlS: DAY_S, urgency: 'high' },
  'called-off': { ttlS: DAY_S, urgency: 'high' },
  payout: { ttlS: 3 * DAY_S, urgency: 'low' },
  money: { ttlS: 3 * DAY_S, urgency: 'normal' },
  nearby: { ttlS: 10 * 60, urgency: 'high' },
  case: { ttlS: DAY_S, urgency: 'normal' },
  weighed: { ttlS: DAY_S, urgency: 'high' },
  'weigh-answered': { ttlS: DAY_S, urgency: 'high' },
  town: { ttlS: DAY_S, urgency: 'normal' },
};

/** Why a request is not told to its Scrub yet. */
export const WAITS_FOR_MORE = 'it waits for more requests of the same Bud';

export type OutboxSender = {
  /** Starts to send one due message, and waits for a free slot first. False when none is due that may be sent now. */
  startNext(): Promise<boolean>;
  /** Waits until nothing is being sent. */
  settle(): Promise<void>;
};

type Sending = { readonly message: DueMessage; readonly free: (answer: PushAnswer | undefined) => void };

/** Sends the messages of one channel, several at a time: a slow one keeps its own slot only. `onSent` follows each one. */
export function createOutboxSender(
  context: SendContext,
  channel: OutboxChannel,
  { onSent = () => {}, ...senders }: Senders & { readonly onSent?: () => void },
): OutboxSender {
  const { db, now, log } = context;
  const inFlight = new Set<Promise<void>>();
  const shares = createPushSlots();

  async function takeNext(): Promise<Sending | undefined> {
    const lease = { now: now(), leaseS: LEASE_S };
    if (channel !== 'push') {
      const message = await takeDueMessage(db, channel, lease);
      return message && { message, free: () => {} };
    }
    const message = await takeDuePush(db, shares.busy(), lease);
    return message && { message, free: shares.take(message) };
  }

  async function send({ message, free }: Sending): Promise<void> {
    let answer: PushAnswer | undefined;
    try {
      await sendMessage(context, message, { ...senders, onAnswer: (how) => (answer = how) });
    } catch (error) {
      // Its lease ends, and then it is tried again.
      log.warn({ err: error, channel }, 'a message was not recorded as sent');
    } finally {
      free(answer);
    }
  }

  return {
    async startNext() {
      if (inFlight.size >= SLOTS[channel]) await Promise.race(inFlight);
      if (channel === 'push' && (await hasNearbyNotices(db)) && (await transact(db, expandNearbyNotice))) return true;
      const next = await takeNext();
      if (!next) return false;
      const sending = send(next).then(() => {
        inFlight.delete(sending);
        onSent();
      });
      inFlight.add(sending);
      return true;
    },
    async settle() {
      await Promise.all(inFlight);
    },
  };
}

type AnsweringSenders = Senders & { readonly onAnswer: (answer: PushAnswer) => void };

async function sendMessage(context: SendContext, message: DueMessage, senders: AnsweringSenders): Promise<void> {
  const { db, now, log } = context;
  const outcome = await attemptSend(context, message, senders);
  const { kind, about, channel, tries } = message;
  const details = { kind, about, channel, tries, ...(outcome.state === 'sent' ? {} : { reason: outcome.why }) };
  if (outcome.state === 'due' && !outcome.isPlanned) log.warn(details, 'a message was not sent and will be retried');
  if (outcome.state === 'given-up') log.error(details, 'a message was not sent and will not be retried');
  await recordOutcome(db, message, outcome, now());
}

async function attemptSend(context: SendContext, message: DueMessage, senders: AnsweringSenders): Promise<SendOutcome> {
  const { db, now } = context;
  if (message.channel === 'account-mail') {
    const { about: id, recipient, renderedMail } = message;
    if (renderedMail.expiresAt !== undefined && Date.parse(renderedMail.expiresAt) <= now().getTime())
      return { state: 'dropped', why: 'the code or the link in it has expired' };
    const { sender: from } = await readPublicTown(context);
    return sendMail(context, message, { from, id, recipient, ...renderedMail }, senders.mailer);
  }
  const recipient = await readRecipient(db, message);
  if (!recipient?.isWanted) return { state: 'dropped', why: 'the recipient has turned this off' };
  const content = await composeNotification(db, message, recipient.role, now());
  if ('dropped' in content) return { state: 'dropped', why: content.dropped };
  if ('postponedUntil' in content) {
    return {
      state: 'due',
      why: WAITS_FOR_MORE,
      dueAt: content.postponedUntil,
      isPlanned: true,
    };
  }
  if (message.channel === 'push') return sendPush(context, message, content, senders);
  const town = await readPublicTown(context);
  const { page: unsubscribeUrl, headers } = createUnsubscribeLinks(town.publicUrl, senders.keys.linkSecret, message);
  const path = content.asks === undefined ? content.path : pathOfProposal(senders.keys.linkSecret, content.asks);
  const mail = notificationMail({ ...content, path }, { fullname: recipient.fullname, unsubscribeUrl }, town);
  // The same for every try. A later notice of the kind, about an order that was given back or done again, is another mail.
  const id = `${message.kind}-${message.about}-${message.target}-${message.createdAt.getTime()}`;
  return sendMail(
    context,
    message,
    { from: town.sender, id, recipient: recipient.email, ...mail, headers },
    senders.mailer,
  );
}

/** The wait doubles each time. */
function retryLater({ now }: SendContext, { tries, channel }: DueMessage, why: string, minDelayS = 0): SendOutcome {
  if (tries >= MAX_TRIES[channel]) return { state: 'given-up', why };
  const delayS = Math.min(MAX_RETRY_DELAY_S, 2 ** tries);
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
  { title, lines, path, tag }: NotificationContent & { readonly tag?: string },
  { push: sender, onAnswer }: AnsweringSenders,
): Promise<SendOutcome> {
  const { db, now } = context;
  const { kind, about, userId, target: deviceId, createdAt } = message;
  const target = await readPushTarget(db, userId, deviceId);
  if (!target) return { state: 'dropped', why: 'the device is not subscribed any more' };
  const { ttlS, urgency } = PUSH_OPTIONS[kind];
  const remainingS = Math.floor(ttlS - (now().getTime() - createdAt.getTime()) / 1000);
  if (remainingS <= 0) return { state: 'dropped', why: 'the push expired before it could be sent' };
  const push = { title, body: toSafeLine(lines[0]), url: `/#${path}`, tag: tag ?? `${kind}-${about}` };
  const startedAt = now().getTime();
  const response = await sender.send(target, push, { ttlS: remainingS, urgency }).catch((error: Error) => error);
  if (response instanceof Error) {
    onAnswer('none');
    return outcomeWithoutAnswer(context, message, { endpoint: target.endpoint, error: response });
  }
  onAnswer(now().getTime() - startedAt <= QUICK_ANSWER_MS ? 'quick' : 'slow');
  const outcome = outcomeOf(context, message, response);
  if (outcome.state === 'dropped') await deleteDevice(db, userId, deviceId);
  else await markDeviceAnswered(db, deviceId, { usedAt: outcome.state === 'sent' ? now() : undefined });
  return outcome;
}

/** A device whose push service keeps silent is deleted. A browser's own service is only away for a while. */
async function outcomeWithoutAnswer(
  context: SendContext,
  message: DueNotification,
  { endpoint, error }: { endpoint: string; error: Error },
): Promise<SendOutcome> {
  const { db, now } = context;
  const { userId, target: deviceId } = message;
  if (error instanceof PrivateNetworkError) return { state: 'given-up', why: error.message };
  const unanswered = await countUnanswered(db, deviceId, now());
  const isSilent =
    unanswered !== undefined &&
    unanswered.count >= MAX_UNANSWERED &&
    now().getTime() - unanswered.since.getTime() >= MIN_SILENCE_MS;
  if (!isSilent || isBrowserService(new URL(endpoint).host)) return retryLater(context, message, error.message);
  await deleteDevice(db, userId, deviceId);
  return { state: 'dropped', why: `the push service did not answer ${unanswered.count} times in a row` };
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
  // 401 is about our keys or clock. A retry of another response below 500 would fail in the same way.
  if (status !== 401 && status !== 429 && status < 500) return { state: 'given-up', why };
  return retryLater(context, message, why, retryAfterS);
}
