import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { digest } from '../auth/secrets.ts';
import type { PushTarget } from './devices.sql.ts';
import { createGuardedLookup, type DnsLookup, mayBePublicHost } from './pushEndpoints.ts';
import type { NotificationKeys } from './vapidKeys.ts';

export type PushMessage = {
  readonly title: string;
  readonly body: string;
  /** Where a click leads, on our own origin. */
  readonly url: string;
  /** A second push of the same tag takes the place of the first on the screen. */
  readonly tag: string;
};

export type Urgency = 'low' | 'normal' | 'high';
export type PushOptions = { readonly ttlS: number; readonly urgency: Urgency };

/** What a push service made of a push. */
export type PushResponse = { readonly status: number; readonly retryAfterS: number | undefined; readonly text: string };

export type PushSender = {
  /** Throws when there was no whole answer. */
  send(target: PushTarget, push: PushMessage, how: PushOptions): Promise<PushResponse>;
  close(): void;
};

type PushSenderOptions = {
  readonly keys: NotificationKeys['vapid'];
  /** Who push services may write to when something is wrong with what we send. */
  readonly supportEmail: string;
  /** The address of the stand-in, the one place that may be on this machine. */
  readonly standIn?: string | undefined;
  readonly lookup?: DnsLookup;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_LENGTH = 4_096;
const MAX_RETRY_AFTER_S = 3_600;

/** Whether pushes may be sent to this address: https on the public internet, or below the stand-in's own address. */
export function mayPushTo(endpoint: string, standIn: string | undefined): boolean {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url) return false;
  if (url.username !== '' || url.password !== '') return false;
  return isStandIn(url, standIn) || (url.protocol === 'https:' && mayBePublicHost(url.hostname));
}

function isStandIn(url: URL, standIn: string | undefined): boolean {
  return standIn !== undefined && url.href.startsWith(`${standIn}/`);
}

/** The way out for pushes. */
export function openPushSender({
  keys,
  supportEmail,
  standIn,
  lookup,
  timeoutMs = TIMEOUT_MS,
}: PushSenderOptions): PushSender {
  const agent = new Agent({ keepAlive: true, maxSockets: 32, maxFreeSockets: 8, lookup: createGuardedLookup(lookup) });
  return {
    async send({ endpoint, p256dh, auth }, push, { ttlS, urgency }) {
      if (!mayPushTo(endpoint, standIn)) throw new Error('pushes may not be sent to its address');
      const { default: webPush } = await import('web-push');
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(push),
        {
          vapidDetails: { subject: `mailto:${supportEmail}`, ...keys },
          TTL: ttlS,
          urgency,
          // What waits at the push service under the same topic is replaced: a repeat shows once.
          topic: digest(push.tag).toString('base64url').slice(0, 32),
        },
      );
      const url = new URL(endpoint);
      const guard = isStandIn(url, standIn) ? undefined : agent;
      return sendPost(url, { headers: headers as Record<string, string>, body, agent: guard, timeoutMs });
    },
    close: () => agent.destroy(),
  };
}

type PostOptions = {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  readonly agent: Agent | undefined;
  readonly timeoutMs: number;
};

/** One POST, bounded in time and in how much of the answer is read. Nothing follows where it redirects to. */
function sendPost(url: URL, { headers, body, agent, timeoutMs }: PostOptions): Promise<PushResponse> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((done, fail) => {
    const asked = request(url, { method: 'POST', headers, ...(agent ? { agent } : {}) }, (answer) => {
      let words = '';
      const finish = () => {
        const { statusCode = 0, headers: said } = answer;
        done({ status: statusCode, retryAfterS: parseRetryAfter(said['retry-after']), text: words.slice(0, 200) });
      };
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        words += piece;
        // Whoever talks without an end has said its status all the same.
        if (words.length > MAX_RESPONSE_LENGTH) {
          finish();
          asked.destroy();
        }
      });
      answer.on('end', finish);
      answer.on('error', fail);
    });
    const timer = setTimeout(() => asked.destroy(new Error('the push service did not answer in time')), timeoutMs);
    asked.on('close', () => clearTimeout(timer));
    asked.on('error', fail);
    asked.end(body);
  });
}

function parseRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), MAX_RETRY_AFTER_S) : undefined;
}
