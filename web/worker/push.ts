import { browserNameOf } from '../../domain/browserName.ts';

/** What the server is told about a subscription. `replaces` is the endpoint of the one that the browser has renewed with it. */
export type SubscriptionBody = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly agent: string;
  readonly replaces?: string;
};

export function toSubscriptionBody(subscription: PushSubscription, replaces?: string): SubscriptionBody {
  const { endpoint = '', keys = {} } = subscription.toJSON();
  const { p256dh = '', auth = '' } = keys;
  const agent = browserNameOf(navigator.userAgent);
  return { endpoint, keys: { p256dh, auth }, agent, ...(replaces === undefined ? {} : { replaces }) };
}

/** A push message, as the server sends it. */
export type PushMessage = { readonly title: string; readonly body: string; readonly url: string; readonly tag: string };

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The route in this app that a push message opens. Any other URL becomes the start page. */
export function toAppRoute(url: unknown, origin: string): string {
  try {
    const { origin: urlOrigin, pathname, hash } = new URL(toText(url), origin);
    if (urlOrigin === origin && pathname === '/' && hash.startsWith('#/')) return `/${hash}`;
  } catch {}
  return '/';
}

/** Parses a push message. Browsers require a notification for each, so an invalid message gets a generic text. */
export function parsePush(data: string | undefined, origin: string): PushMessage {
  let message: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(data ?? '');
    if (typeof parsed === 'object' && parsed !== null) message = parsed as Record<string, unknown>;
  } catch {}
  const title = toText(message.title) || 'Rubadub';
  const body = toText(message.body) || (toText(message.title) ? '' : 'You have a new update.');
  return { title, body, url: toAppRoute(message.url, origin), tag: toText(message.tag) };
}
