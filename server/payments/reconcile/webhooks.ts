import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { validate } from 'uuid';
import type { Context } from '../../context.ts';
import { transact } from '../../db/database.ts';
import { refuse } from '../../http/refusals.ts';
import { applyWebhookHint, recordWebhookEvent, type WebhookHint } from './webhooks.sql.ts';

export const WEBHOOK_PATH = '/api/webhooks/square';

/** Square's signature: the base64 HMAC-SHA256 of the webhook's URL and its raw body. */
export function signatureOf(key: string, url: string, body: Buffer): string {
  return createHmac('sha256', key).update(url).update(body).digest('base64');
}

function isSignatureValid(expected: string, header: unknown): boolean {
  const [valid, received] = [Buffer.from(expected), Buffer.from(typeof header === 'string' ? header : '')];
  return valid.length === received.length && timingSafeEqual(valid, received);
}

/**
 * Receives Square's webhooks if SQUARE_WEBHOOK_KEY is set. An event is only a hint that something may have changed: the
 * worker then asks the card network, so a forged, old, duplicate or lost event does no harm.
 */
export function serveWebhooks(app: FastifyInstance, context: Context): void {
  const key = context.config.square?.webhookKey;
  if (key === undefined) return;
  const url = `${context.config.publicUrl}${WEBHOOK_PATH}`;
  app.register(async (scope) => {
    // The signature covers the raw bytes, so nothing may parse them first.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(WEBHOOK_PATH, async ({ headers, body, log }, reply) => {
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      if (!isSignatureValid(signatureOf(key, url, bytes), headers['x-square-hmacsha256-signature'])) {
        log.warn({}, 'a webhook has an invalid signature');
        refuse('badSignature');
      }
      const hint = parseHint(bytes.toString('utf8'));
      if (hint) await handleHint(context, hint);
      return reply.code(200).send({});
    });
  });
}

async function handleHint({ db, now, wake }: Context, hint: WebhookHint): Promise<void> {
  await transact(db, async (tx) => {
    if (await recordWebhookEvent(tx, hint, now())) await applyWebhookHint(tx, hint, now());
  });
  wake('payments');
}

type SquareEvent = {
  event_id?: unknown;
  type?: unknown;
  data?: {
    object?: {
      payment?: { id?: unknown; reference_id?: unknown };
      refund?: { payment_id?: unknown };
      dispute?: { state?: unknown };
    };
  };
};

/** What an event is about, or undefined when it names no payment and no chargeback. */
function parseHint(body: string): WebhookHint | undefined {
  let event: SquareEvent | null;
  try {
    event = JSON.parse(body) as SquareEvent | null;
  } catch {
    return undefined;
  }
  const { payment, refund, dispute } = event?.data?.object ?? {};
  const text = (value: unknown) => (typeof value === 'string' && value.length <= 300 ? value : null);
  const eventId = text(event?.event_id);
  const squareId = text(payment?.id ?? refund?.payment_id);
  const reference = text(payment?.reference_id);
  const orderId = reference !== null && validate(reference) ? reference : null;
  const isDispute = dispute !== undefined && dispute !== null;
  if (eventId === null || (squareId === null && orderId === null && !isDispute)) return undefined;
  return { eventId, type: text(event?.type) ?? '', squareId, orderId, isDispute };
}
