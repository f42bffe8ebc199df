import type { Channel, NoticeKind } from '../../domain/notifications.ts';
import type { Deps } from '../context.ts';
import { transact } from '../db/database.ts';
import { nextTryAfter, type Post, whyNotSent } from '../mail/send.ts';
import { write } from '../mail/templates.ts';
import { type Due, type Outcome, type Person, readPerson, settle, takeDue } from './delivery.sql.ts';
import { readTarget, removeDevice, touchDevice } from './devices.sql.ts';
import { someWaitNearby, spreadNearby } from './outbox.sql.ts';
import type { PushAnswer, PushDoor, Urgency } from './push.ts';
import { PrivateNetwork } from './pushEndpoints.ts';
import { composeMessage, type Message } from './templates.ts';
import { unsubscribeLinks } from './unsubscribe.ts';
import type { Keys } from './vapidKeys.ts';

export type Ways = { readonly post: Post; readonly push: PushDoor; readonly keys: Keys };
type Few = Pick<Deps, 'db' | 'now' | 'log' | 'config'>;

/** Longer than any try takes, so that a message under way is nobody else's. */
const LEASE_S = 120;
const AT_ONCE: Record<Channel, number> = { mail: 2, push: 8 };

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** How long a push is worth showing, and whether it may wake a phone that saves its battery. */
const PUSHES: Record<NoticeKind, { readonly ttlS: number; readonly urgency: Urgency }> = {
  placed: { ttlS: DAY_S, urgency: 'high' },
  accepted: { ttlS: DAY_S, urgency: 'normal' },
  rejected: { ttlS: DAY_S, urgency: 'normal' },
  expired: { ttlS: DAY_S, urgency: 'normal' },
  delivered: { ttlS: DAY_S, urgency: 'high' },
  payout: { ttlS: 3 * DAY_S, urgency: 'low' },
  nearby: { ttlS: 10 * 60, urgency: 'high' },
};

/** Sends messages that are due by one way, a few at a time; false when there was none. */
export async function sendDueMessages(deps: Few, channel: Channel, ways: Ways): Promise<boolean> {
  const { db, now } = deps;
  if (channel === 'push' && (await someWaitNearby(db)) && (await transact(db, spreadNearby))) return true;
  const due = await takeDue(db, channel, { now: now(), leaseS: LEASE_S, limit: AT_ONCE[channel] });
  await Promise.all(due.map((one) => sendOne(deps, one, ways)));
  return due.length > 0;
}

async function sendOne({ db, now, log, config }: Few, due: Due, ways: Ways): Promise<void> {
  const outcome = await attempt({ db, now, log, config }, due, ways);
  const { kind, about, channel, tries } = due;
  const said = { kind, about, channel, tries, ...(outcome.state === 'sent' ? {} : { reason: outcome.why }) };
  if (outcome.state === 'due') log.warn(said, 'a message did not leave and will be tried again');
  if (outcome.state === 'given-up') log.error(said, 'a message was given up');
  await settle(db, due, outcome, now());
}

async function attempt(deps: Few, due: Due, ways: Ways): Promise<Outcome> {
  const person = await readPerson(deps.db, due);
  if (!person?.wanted) return { state: 'dropped', why: 'it is not wanted any more' };
  const message = await composeMessage(deps.db, due, person.role);
  if (typeof message === 'string') return { state: 'dropped', why: message };
  return due.channel === 'mail' ? mailIt(deps, due, { person, message }, ways) : pushIt(deps, due, message, ways.push);
}

/** The next try, or the end of it. */
function again({ now }: Few, due: Due, why: string, waitS = nextTryAfter(due.tries)): Outcome {
  if (waitS === undefined) return { state: 'given-up', why };
  return { state: 'due', why, dueAt: new Date(now().getTime() + waitS * 1000) };
}

type Said = { readonly person: Person; readonly message: Message };

async function mailIt(deps: Few, due: Due, { person, message }: Said, { post, keys }: Ways): Promise<Outcome> {
  const { publicUrl } = deps.config;
  const { title, lines, facts, hasSum, button, path } = message;
  const { page, headers } = unsubscribeLinks(publicUrl, keys.unsubscribe, due);
  const letter = write(
    {
      subject: title,
      greeting: `Hello ${person.fullname},`,
      lines,
      ...(facts ? { facts, hasSum: hasSum ?? false } : {}),
      button: { words: button, link: `${publicUrl}/#${path}` },
      stop: { words: 'Get no more mails of this kind', link: page },
    },
    deps.config,
  );
  try {
    await post.send({ id: nameOf(due), recipient: person.email, ...letter, headers });
    return { state: 'sent' };
  } catch (error) {
    const { why, isFinal } = whyNotSent(error);
    return isFinal ? { state: 'given-up', why } : again(deps, due, why);
  }
}

/** The same on every try, so that whoever gets it twice can tell. */
const nameOf = ({ kind, about, target }: Due) => `${kind}-${about}-${target}`;

async function pushIt(deps: Few, due: Due, message: Message, door: PushDoor): Promise<Outcome> {
  const { db, now } = deps;
  const target = await readTarget(db, due.userId, due.target);
  if (!target) return { state: 'dropped', why: 'the device is not subscribed any more' };
  const { ttlS, urgency } = PUSHES[due.kind];
  const leftS = Math.floor(ttlS - (now().getTime() - due.createdAt.getTime()) / 1000);
  if (leftS <= 0) return { state: 'given-up', why: 'it was not worth showing any more when it could have left' };
  const push = { title: message.title, body: message.lines[0], url: `/#${message.path}`, tag: tagOf(due) };
  try {
    const answer = await door.send(target, push, { ttlS: leftS, urgency });
    const outcome = outcomeOf(deps, due, answer);
    if (outcome.state === 'sent') await touchDevice(db, due.target, now());
    if (outcome.state === 'dropped') await removeDevice(db, due.userId, due.target);
    return outcome;
  } catch (error) {
    const { message: why } = error as Error;
    return error instanceof PrivateNetwork ? { state: 'given-up', why } : again(deps, due, why);
  }
}

const tagOf = ({ kind, about }: Due) => `${kind}-${about}`;

function outcomeOf(deps: Few, due: Due, { status, retryAfterS, words }: PushAnswer): Outcome {
  if (status >= 200 && status < 300) return { state: 'sent' };
  if (status === 404 || status === 410)
    return { state: 'dropped', why: `the push service has no such device (${status})` };
  const why = `the push service answered ${status}${words ? `: ${words.replaceAll(/\s+/g, ' ')}` : ''}`;
  // 429 and 5xx pass; every other answer would be the same again.
  if (status !== 429 && status < 500) return { state: 'given-up', why };
  const waitS = nextTryAfter(due.tries);
  return again(deps, due, why, waitS === undefined ? undefined : Math.max(waitS, retryAfterS ?? 0));
}
