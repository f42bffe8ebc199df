import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { digest } from '../auth/secrets.ts';
import type { PushTarget } from './devices.sql.ts';
import { createGuardedLookup, type DnsLookup, mayBePublicHost } from './pushEndpoints.ts';
import type { NotificationKeys } from './vapidKeys.ts';

export type PushMessage = {
  readonly title: string;
  readonly body: string;
  /** What a click opens, on the origin of the app. */
  readonly url: string;
  /** On the screen, a push replaces an earlier one with the same tag. */
  readonly tag: string;
};

export type Urgency = 'low' | 'normal' | 'high';
export type PushOptions = { readonly ttlS: number; readonly urgency: Urgency };

/** The response of a push service. */
export type PushResponse = { readonly status: number; readonly retryAfterS: number | undefined; readonly text: string };

export type PushSender = {
  /** Throws when there was no complete response. */
  send(target: PushTarget, push: PushMessage, options: PushOptions): Promise<PushResponse>;
  close(): void;
};

type PushSenderOptions = {
  readonly keys: NotificationKeys['vapid'];
  /** Push services write to this address about problems with our pushes. */
  readonly supportEmail: string;
  /** The URL of the sandbox's push service: the only private address that pushes may go to. */
  readonly standIn?: string | undefined;
  readonly lookup?: DnsLookup;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_LENGTH = 4_096;
const MAX_RETRY_AFTER_S = 3_600;

/** Whether pushes may be sent to this URL: https on the public internet, or below the sandbox's URL. */
export function mayPushTo(endpoint: string, standIn: string | undefined): boolean {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url) return false;
  if (url.username !== '' || url.password !== '') return false;
  return isStandIn(url, standIn) || (url.protocol === 'https:' && mayBePublicHost(url.hostname));
}

function isStandIn(url: URL, standIn: string | undefined): boolean {
  return standIn !== undefined && url.href.startsWith(`${standIn}/`);
}

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
      if (!mayPushTo(endpoint, standIn)) throw new Error('the endpoint is not an https address on the public internet');
      const { default: webPush } = await import('web-push');
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(push),
        {
          vapidDetails: { subject: `mailto:${supportEmail}`, ...keys },
          TTL: ttlS,
          urgency,
          // At the push service, a push replaces a waiting one with the same topic: a repeat is shown once.
          topic: digest(push.tag).toString('base64url').slice(0, 32),
        },
      );
      const url = new URL(endpoint);
      const guardedAgent = isStandIn(url, standIn) ? undefined : agent;
      return sendPost(url, { headers: headers as Record<string, string>, body, agent: guardedAgent, timeoutMs });
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

/** Sends one POST. Limits its time and the size of the response, and does not follow redirects. */
function sendPost(url: URL, { headers, body, agent, timeoutMs }: PostOptions): Promise<PushResponse> {
  const startRequest = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = startRequest(url, { method: 'POST', headers, ...(agent ? { agent } : {}) }, (response) => {
      let received = '';
      const finish = () => {
        const { statusCode: status = 0, headers: responseHeaders } = response;
        const retryAfterS = parseRetryAfter(responseHeaders['retry-after']);
        resolve({ status, retryAfterS, text: received.slice(0, 200) });
      };
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        received += chunk;
        // The status is enough: the rest of a long response is not read.
        if (received.length > MAX_RESPONSE_LENGTH) {
          finish();
          request.destroy();
        }
      });
      response.on('end', finish);
      response.on('error', reject);
    });
    const timer = setTimeout(() => request.destroy(new Error('the push service did not answer in time')), timeoutMs);
    request.on('close', () => clearTimeout(timer));
    request.on('error', reject);
    request.end(body);
  });
}

function parseRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), MAX_RETRY_AFTER_S) : undefined;
}
