import type { Channel, NotificationKind } from '../../domain/notifications.ts';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { describeSendError, type Mailer, retryDelayS } from '../mail/send.ts';
import { renderMail } from '../mail/templates.ts';
import { deleteDevice, markDeviceUsed, readPushTarget } from './devices.sql.ts';
import { expandNearbyNotice, hasNearbyNotices } from './outbox.sql.ts';
import type { PushResponse, PushSender, Urgency } from './push.ts';
import { PrivateNetworkError } from './pushEndpoints.ts';
import {
  type DueNotification,
  type Recipient,
  readRecipient,
  recordOutcome,
  type SendOutcome,
  takeDueNotifications,
} from './send.sql.ts';
import { composeNotification, type NotificationContent } from './templates.ts';
import { createUnsubscribeLinks } from './unsubscribe.ts';
import type { NotificationKeys } from './vapidKeys.ts';

export type Senders = { readonly mailer: Mailer; readonly push: PushSender; readonly keys: NotificationKeys };
type SendContext = Pick<Context, 'db' | 'now' | 'log' | 'config'>;

/** Longer than any try takes, so that a message under way is nobody else's. */
const LEASE_S = 120;
const BATCH_SIZES: Record<Channel, number> = { mail: 2, push: 8 };

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** How long a push is worth showing, and whether it may wake a phone that saves its battery. */
const PUSH_OPTIONS: Record<NotificationKind, { readonly ttlS: number; readonly urgency: Urgency }> = {
  placed: { ttlS: DAY_S, urgency: 'high' },
  accepted: { ttlS: DAY_S, urgency: 'normal' },
  rejected: { ttlS: DAY_S, urgency: 'normal' },
  expired: { ttlS: DAY_S, urgency: 'normal' },
  delivered: { ttlS: DAY_S, urgency: 'high' },
  payout: { ttlS: 3 * DAY_S, urgency: 'low' },
  nearby: { ttlS: 10 * 60, urgency: 'high' },
};

/** Sends messages that are due by one way, a few at a time; false when there was none. */
export async function sendDueNotifications(deps: SendContext, channel: Channel, ways: Senders): Promise<boolean> {
  const { db, now } = deps;
  if (channel === 'push' && (await hasNearbyNotices(db)) && (await transact(db, expandNearbyNotice))) return true;
  const due = await takeDueNotifications(db, channel, { now: now(), leaseS: LEASE_S, limit: BATCH_SIZES[channel] });
  await Promise.all(due.map((one) => sendNotification(deps, one, ways)));
  return due.length > 0;
}

async function sendNotification(
  { db, now, log, config }: SendContext,
  due: DueNotification,
  ways: Senders,
): Promise<void> {
  const outcome = await attemptSend({ db, now, log, config }, due, ways);
  const { kind, about, channel, tries } = due;
  const said = { kind, about, channel, tries, ...(outcome.state === 'sent' ? {} : { reason: outcome.why }) };
  if (outcome.state === 'due') log.warn(said, 'a message did not leave and will be tried again');
  if (outcome.state === 'given-up') log.error(said, 'a message was given up');
  await recordOutcome(db, due, outcome, now());
}

async function attemptSend(deps: SendContext, due: DueNotification, ways: Senders): Promise<SendOutcome> {
  const person = await readRecipient(deps.db, due);
  if (!person?.wanted) return { state: 'dropped', why: 'it is not wanted any more' };
  const message = await composeNotification(deps.db, due, person.role);
  if (typeof message === 'string') return { state: 'dropped', why: message };
  return due.channel === 'mail'
    ? sendMail(deps, due, { recipient: person, content: message }, ways)
    : sendPush(deps, due, message, ways.push);
}

/** The next try, or the end of it. */
function retryLater(
  { now }: SendContext,
  due: DueNotification,
  why: string,
  waitS = retryDelayS(due.tries),
): SendOutcome {
  if (waitS === undefined) return { state: 'given-up', why };
  return { state: 'due', why, dueAt: new Date(now().getTime() + waitS * 1000) };
}

type MailInput = { readonly recipient: Recipient; readonly content: NotificationContent };

async function sendMail(
  deps: SendContext,
  due: DueNotification,
  { recipient: person, content: message }: MailInput,
  { mailer: post, keys }: Senders,
): Promise<SendOutcome> {
  const { publicUrl } = deps.config;
  const { title, lines, details: facts, hasTotal: hasSum, button, path } = message;
  const { page, headers } = createUnsubscribeLinks(publicUrl, keys.unsubscribeSecret, due);
  const letter = renderMail(
    {
      subject: title,
      greeting: `Hello ${person.fullname},`,
      lines,
      ...(facts ? { details: facts, hasTotal: hasSum ?? false } : {}),
      button: { label: button, link: `${publicUrl}/#${path}` },
      unsubscribe: { label: 'Get no more mails of this kind', link: page },
    },
    deps.config,
  );
  try {
    await post.send({ id: mailIdOf(due), recipient: person.email, ...letter, headers });
    return { state: 'sent' };
  } catch (error) {
    const { why, isFinal } = describeSendError(error);
    return isFinal ? { state: 'given-up', why } : retryLater(deps, due, why);
  }
}

/** The same on every try, so that whoever gets it twice can tell. */
const mailIdOf = ({ kind, about, target }: DueNotification) => `${kind}-${about}-${target}`;

async function sendPush(
  deps: SendContext,
  due: DueNotification,
  message: NotificationContent,
  door: PushSender,
): Promise<SendOutcome> {
  const { db, now } = deps;
  const target = await readPushTarget(db, due.userId, due.target);
  if (!target) return { state: 'dropped', why: 'the device is not subscribed any more' };
  const { ttlS, urgency } = PUSH_OPTIONS[due.kind];
  const leftS = Math.floor(ttlS - (now().getTime() - due.createdAt.getTime()) / 1000);
  if (leftS <= 0) return { state: 'given-up', why: 'it was not worth showing any more when it could have left' };
  const push = { title: message.title, body: message.lines[0], url: `/#${message.path}`, tag: pushTagOf(due) };
  try {
    const answer = await door.send(target, push, { ttlS: leftS, urgency });
    const outcome = outcomeOf(deps, due, answer);
    if (outcome.state === 'sent') await markDeviceUsed(db, due.target, now());
    if (outcome.state === 'dropped') await deleteDevice(db, due.userId, due.target);
    return outcome;
  } catch (error) {
    const { message: why } = error as Error;
    return error instanceof PrivateNetworkError ? { state: 'given-up', why } : retryLater(deps, due, why);
  }
}

const pushTagOf = ({ kind, about }: DueNotification) => `${kind}-${about}`;

function outcomeOf(
  deps: SendContext,
  due: DueNotification,
  { status, retryAfterS, text: words }: PushResponse,
): SendOutcome {
  if (status >= 200 && status < 300) return { state: 'sent' };
  if (status === 404 || status === 410)
    return { state: 'dropped', why: `the push service has no such device (${status})` };
  const why = `the push service answered ${status}${words ? `: ${words.replaceAll(/\s+/g, ' ')}` : ''}`;
  // 429 and 5xx pass; every other answer would be the same again.
  if (status !== 429 && status < 500) return { state: 'given-up', why };
  const waitS = retryDelayS(due.tries);
  return retryLater(deps, due, why, waitS === undefined ? undefined : Math.max(waitS, retryAfterS ?? 0));
}
