import Fastify from 'fastify';
import { sql } from 'kysely';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createAcceptingCards, openPaymentHarness, type PaymentHarness } from '../../../testing/paymentHarness.ts';
import { createPayment, startSquareSandbox } from '../../../testing/squareSandbox.ts';
import { DATABASE_KINDS } from '../../../testing/testServer.ts';
import { readConfig } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { readSpending } from '../../dashboards/tallies.sql.ts';
import { queryRow } from '../../db/database.ts';
import { createHttpServer } from '../../http/httpServer.ts';
import { createRateLimits } from '../../http/rateLimits.ts';
import { CardNetworkUnavailableError, type Cards } from '../card/cards.ts';
import { serveWebhooks, signatureOf, WEBHOOK_PATH } from './webhooks.ts';

const KEY = 'a signature key';
const PUBLIC_URL = 'https://rubadub.test';

function createWebhookServer(harness: PaymentHarness, publicUrl: string) {
  const limits = createRateLimits(harness.context.db, 1000);
  const app = createHttpServer({ logger: pino({ level: 'silent' }), trustProxy: false, limits, hosts: readConfig({}) });
  const config = { publicUrl, square: { webhookKey: KEY } } as unknown as Context['config'];
  serveWebhooks(app, { ...harness.context, config });
  return app;
}

const sign = (body: string) => signatureOf(KEY, `${PUBLIC_URL}${WEBHOOK_PATH}`, Buffer.from(body));

test.each(DATABASE_KINDS)(
  'signed events in any order and number only make the server ask the card network, on %s',
  async (kind) => {
    let isUnavailable = true;
    const capture: Cards['capture'] = async ({ amount }) => {
      if (isUnavailable) throw new CardNetworkUnavailableError(new Error('unavailable'));
      return { kind: 'captured', amount };
    };
    const harness = await openPaymentHarness(kind, { ...createAcceptingCards(), capture });
    const app = createWebhookServer(harness, PUBLIC_URL);
    const post = async (body: string, signature: string) => {
      const headers = { 'content-type': 'application/json', 'x-square-hmacsha256-signature': signature };
      return (await app.inject({ method: 'POST', url: WEBHOOK_PATH, headers, payload: body })).statusCode;
    };
    try {
      const orderId = await harness.createOrder();
      const event = (id: string) => {
        const payment = { id: `sq-${orderId}`, reference_id: orderId, status: 'COMPLETED' };
        return JSON.stringify({ event_id: id, type: 'payment.updated', data: { object: { payment } } });
      };
      const state = () =>
        queryRow(
          harness.context.db,
          sql`select state, due_at > ${harness.context.now()} as later from payments where order_id = ${orderId}`,
        );
      expect(await state()).toEqual({ state: 'capturing', later: true });

      for (const signature of ['', 'x', sign(`${event('e1')} `), sign(event('e1')).toLowerCase()]) {
        expect(await post(event('e1'), signature)).toBe(403);
      }
      expect(await state()).toEqual({ state: 'capturing', later: true });
      for (const body of ['no JSON', '{}', 'null', '[]', '{"event_id":7,"data":{"object":{"payment":null}}}']) {
        expect(await post(body, sign(body))).toBe(200);
      }
      // The event claims a capture; it only makes the payment due.
      expect(await post(event('e2'), sign(event('e2')))).toBe(200);
      expect(await state()).toEqual({ state: 'capturing', later: false });
      await harness.runPaymentJobs();
      expect(await state()).toEqual({ state: 'capturing', later: true });
      // A duplicate changes nothing.
      expect(await post(event('e2'), sign(event('e2')))).toBe(200);
      expect(await state()).toEqual({ state: 'capturing', later: true });

      isUnavailable = false;
      for (const id of ['e3', 'e1', 'e3']) expect(await post(event(id), sign(event(id)))).toBe(200);
      await harness.runPaymentJobs();
      expect(await state()).toMatchObject({ state: 'captured' });
      expect(await readSpending(harness.context.db, harness.users.buds[0]?.id as never)).toBe(2683);
    } finally {
      await app.close();
      await harness.close();
    }
  },
);

test('the stand-in signs its events as Square does and repeats them on request', async () => {
  const sandbox = await startSquareSandbox();
  const receiver = Fastify();
  receiver.removeAllContentTypeParsers();
  receiver.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  const received: { body: Buffer; signature: unknown }[] = [];
  const first = Promise.withResolvers<void>();
  receiver.post(WEBHOOK_PATH, async ({ body, headers }) => {
    received.push({ body: body as Buffer, signature: headers['x-square-hmacsha256-signature'] });
    first.resolve();
    return {};
  });
  try {
    const url = `${await receiver.listen({ host: '127.0.0.1', port: 0 })}${WEBHOOK_PATH}`;
    const send = (path: string, payload?: object) =>
      sandbox.app().inject({ method: 'POST', url: `/sandbox/square/webhooks${path}`, ...(payload ? { payload } : {}) });
    expect((await send('', { url: 'nowhere', key: KEY })).statusCode).toBe(400);
    expect((await send('', { url, key: KEY })).statusCode).toBe(204);
    const { id } = await createPayment(sandbox, { referenceId: 'order-7' });
    await first.promise;
    expect((await send('/repeat')).statusCode).toBe(204);
    expect(received.length).toBe(2);
    for (const { body, signature } of received) expect(signature).toBe(signatureOf(KEY, url, body));
    const [event, again] = received.map(({ body }) => JSON.parse(body.toString()));
    expect(event).toMatchObject({
      type: 'payment.updated',
      data: { object: { payment: { id, reference_id: 'order-7' } } },
    });
    expect(again.event_id).toBe(event.event_id);
  } finally {
    await receiver.close();
    await sandbox.stop();
  }
});
