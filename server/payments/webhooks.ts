import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { validate } from 'uuid';
import type { Context } from '../context.ts';
import { transact } from '../db/database.ts';
import { refuse } from '../http/refusals.ts';
import { applyWebhookHint, recordWebhookEvent, type WebhookHint } from './reconciliation.sql.ts';

export const WEBHOOK_PATH = '/api/webhooks/square';

/** Square's signature: HMAC-SHA256 over the notification's address and its body as it came, in base64. */
export function signatureOf(key: string, address: string, body: Buffer): string {
  return createHmac('sha256', key).update(address).update(body).digest('base64');
}

function isSignatureValid(expected: string, given: unknown): boolean {
  const [right, candidate] = [Buffer.from(expected), Buffer.from(typeof given === 'string' ? given : '')];
  return right.length === candidate.length && timingSafeEqual(right, candidate);
}

/**
 * Takes Square's events, once a SQUARE_WEBHOOK_KEY is set. An event is only ever a hint that something may have
 * changed: the worker asks the card network itself, so a forged, old, repeated or lost one does no harm.
 */
export function serveWebhooks(app: FastifyInstance, deps: Context): void {
  const key = deps.config.square?.webhookKey;
  if (key === undefined) return;
  const address = `${deps.config.publicUrl}${WEBHOOK_PATH}`;
  app.register(async (scope) => {
    // The signature is over the bytes that came, so nothing may parse them first.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(WEBHOOK_PATH, async ({ headers, body, log }, reply) => {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      if (!isSignatureValid(signatureOf(key, address, bytes), headers['x-square-hmacsha256-signature'])) {
        log.warn({}, 'a webhook with a wrong signature');
        refuse('badSignature');
      }
      const hint = parseHint(bytes.toString('utf8'));
      if (hint) await handleHint(deps, hint);
      return reply.code(200).send({});
    });
  });
}

async function handleHint({ db, now, wake: nudge }: Context, hint: WebhookHint): Promise<void> {
  await transact(db, async (tx) => {
    if (await recordWebhookEvent(tx, hint, now())) await applyWebhookHint(tx, hint, now());
  });
  nudge('payments');
}

type SquareEvent = {
  event_id?: unknown;
  type?: unknown;
  data?: { object?: { payment?: { id?: unknown; reference_id?: unknown }; refund?: { payment_id?: unknown } } };
};

/** What an event is about, or undefined when it is not about a payment of ours. */
function parseHint(body: string): WebhookHint | undefined {
  let event: SquareEvent | null;
  try {
    event = JSON.parse(body) as SquareEvent | null;
  } catch {
    return undefined;
  }
  const { payment, refund } = event?.data?.object ?? {};
  const text = (value: unknown) => (typeof value === 'string' && value.length <= 300 ? value : null);
  const eventId = text(event?.event_id);
  const squareId = text(payment?.id ?? refund?.payment_id);
  const reference = text(payment?.reference_id);
  const orderId = reference !== null && validate(reference) ? reference : null;
  if (eventId === null || (squareId === null && orderId === null)) return undefined;
  return { eventId, type: text(event?.type) ?? '', squareId, orderId };
}
