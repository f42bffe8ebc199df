import { createHmac, randomUUID } from 'node:crypto';
import type { Change } from './store.ts';

type Subscription = { readonly url: string; readonly key: string };

export type Webhooks = {
  // False when the request is not a subscription. There is one subscription at a time.
  subscribe(body: unknown): boolean;
  // Notifies the subscriber of a change as Square does: soon, signed, and again without an answer.
  notify(change: Change): void;
  // Sends the last events again, newest first: a subscriber must handle duplicates and any order.
  resend(): Promise<void>;
  close(): Promise<void>;
};

const MAX_ATTEMPTS = 3;
const MAX_STORED_EVENTS = 50;

export function openWebhooks(): Webhooks {
  let subscription: Subscription | undefined;
  const sent: string[] = [];
  const under = new Set<Promise<unknown>>();
  const over = new AbortController();

  async function send(body: string): Promise<void> {
    if (!subscription) return;
    const { url, key } = subscription;
    const signature = createHmac('sha256', key).update(url).update(body).digest('base64');
    const headers = { 'content-type': 'application/json', 'x-square-hmacsha256-signature': signature };
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !over.signal.aborted; attempt += 1) {
      const answer = await fetch(url, { method: 'POST', headers, body, signal: over.signal }).catch(() => undefined);
      if (answer?.ok) return;
    }
  }
  const start = (body: string) => {
    const sending = send(body);
    under.add(sending);
    void sending.finally(() => under.delete(sending));
  };

  return {
    subscribe(body) {
      const { url, key } = (body ?? {}) as Partial<Subscription>;
      if (typeof url !== 'string' || !URL.canParse(url) || typeof key !== 'string' || key === '') return false;
      subscription = { url, key };
      return true;
    },
    notify(change) {
      if (!subscription) return;
      for (const event of eventsOf(change)) {
        const body = JSON.stringify(event);
        sent.unshift(body);
        sent.length = Math.min(sent.length, MAX_STORED_EVENTS);
        start(body);
      }
    },
    async resend() {
      for (const body of [...sent]) await send(body);
    },
    async close() {
      over.abort();
      await Promise.all(under);
    },
  };
}

function eventsOf({ at, payment, refund, dispute, isNewDispute }: Change) {
  const event = (type: string, id: string, object: object) => ({
    merchant_id: 'SANDBOX',
    type,
    event_id: randomUUID(),
    created_at: at,
    data: { type: type.split('.')[0], id, object },
  });
  return [
    ...(payment && !refund ? [event('payment.updated', payment.id, { payment })] : []),
    ...(refund ? [event('refund.updated', refund.id, { refund })] : []),
    ...(dispute ? [event(isNewDispute ? 'dispute.created' : 'dispute.state.updated', dispute.id, { dispute })] : []),
  ];
}
