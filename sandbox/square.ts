import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PageLink, sendPage } from './page.ts';
import { createCard, createCustomer, deleteCustomer, disableCard, getCard } from './square/cardsOnFile.ts';
import { createPayment, type SquareContext } from './square/createPayment.ts';
import {
  acceptDispute,
  contestPayment,
  createEvidenceText,
  decideDispute,
  disputeByAmount,
  getDispute,
  listDisputes,
  submitEvidence,
} from './square/disputes.ts';
import { listPayments, listRefunds } from './square/lists.ts';
import { getLocation } from './square/locations.ts';
import {
  cancelByKey,
  cancelPayment,
  completePayment,
  findPayment,
  getPayment,
  refreshPayment,
  updatePayment,
} from './square/payments.ts';
import { renderPaymentsPage } from './square/paymentsPage.ts';
import { createRefund, getRefund } from './square/refunds.ts';
import { type Call, createSimulatedFailures, type SimulatedFailures } from './square/simulatedFailures.ts';
import { openSquareStore, type SquareStore } from './square/store.ts';
import { readCard, tokenizeCard } from './square/tokenize.ts';
import { type ApiResponse, refuse, SquareRefusal } from './square/types.ts';
import { openWebhooks, type Webhooks } from './square/webhooks.ts';

export type SquareStandIn = {
  registerRoutes(app: FastifyInstance): Promise<void>;
  close(): Promise<void>;
};

type SquareOptions = { dataDir: string; publicUrl: () => string; nav: () => PageLink[]; now: () => Date };

export async function openSquareStandIn({ dataDir, publicUrl, nav, now }: SquareOptions): Promise<SquareStandIn> {
  const webhooks = openWebhooks();
  const store = await openSquareStore(dataDir, webhooks.notify);
  const place = { publicUrl, now };
  const failures = createSimulatedFailures();
  return {
    async registerRoutes(app) {
      await app.register(async (scope) => servePayments(scope, store, place, failures), {
        prefix: '/sandbox/square/v2',
      });
      serveSimulatedFailures(app, failures);
      serveCardholders(app, store, place);
      serveWebhooks(app, webhooks);
      serveWebSdk(app, store, now);
      app.get('/sandbox/square', async (_request, reply) => {
        const payments = [...store.payments.values()].map((payment) => refreshPayment(store, payment, place));
        await store.whenFlushed();
        return sendPage(reply, renderPaymentsPage(store, payments, nav()));
      });
    },
    async close() {
      await store.close();
      await webhooks.close();
    },
  };
}

type CallHandler = (
  request: FastifyRequest<{ Params: { id: string }; Querystring: Record<string, string> }>,
) => ApiResponse;

function servePayments(
  scope: FastifyInstance,
  store: SquareStore,
  place: SquareContext,
  failures: SimulatedFailures,
): void {
  scope.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => refuseRequest(error, reply));
  scope.setNotFoundHandler((_request, reply) =>
    refuseRequest(refuse('NOT_FOUND', 'Resource not found.', undefined, 404), reply),
  );

  const on = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, call: Call, act: CallHandler) => {
    scope.route<{ Params: { id: string }; Querystring: Record<string, string> }>({
      method,
      url: path,
      onRequest: async (request) => requireToken(request),
      handler: (request, reply) => handleCall(failures, call, store, request, reply, () => act(request)),
    });
  };
  on('POST', '/payments', 'create', ({ body }) => createPayment(store, body, place));
  on('GET', '/payments', 'list', ({ query }) => listPayments(store, query, place));
  on('POST', '/payments/cancel', 'cancel', ({ body }) => cancelByKey(store, body, place));
  on('GET', '/payments/:id', 'get', ({ params }) => getPayment(store, params.id, place));
  on('PUT', '/payments/:id', 'update', ({ params, body }) => updatePayment(store, params.id, body, place));
  on('POST', '/payments/:id/complete', 'complete', ({ params, body }) => {
    const answer = completePayment(store, params.id, body, place);
    disputeByAmount(store, findPayment(store, params.id, place), place);
    return answer;
  });
  on('POST', '/payments/:id/cancel', 'cancel', ({ params }) => cancelPayment(store, params.id, place));
  on('POST', '/refunds', 'refund', ({ body }) => createRefund(store, body, place));
  on('GET', '/refunds', 'list', ({ query }) => listRefunds(store, query, place));
  on('GET', '/disputes', 'dispute', ({ query }) => listDisputes(store, query));
  on('GET', '/disputes/:id', 'dispute', ({ params }) => getDispute(store, params.id));
  on('POST', '/disputes/:id/evidence-text', 'dispute', ({ params, body }) =>
    createEvidenceText(store, params.id, body, place),
  );
  on('POST', '/disputes/:id/submit-evidence', 'dispute', ({ params }) => submitEvidence(store, params.id, place));
  on('POST', '/disputes/:id/accept', 'dispute', ({ params }) => acceptDispute(store, params.id, place));
  on('GET', '/refunds/:id', 'get', ({ params }) => getRefund(store, params.id, place));
  on('POST', '/customers', 'customer', ({ body }) => createCustomer(store, body, place));
  on('DELETE', '/customers/:id', 'customer', ({ params }) => deleteCustomer(store, params.id, place));
  on('POST', '/cards', 'card', ({ body }) => createCard(store, body, place));
  on('GET', '/cards/:id', 'card', ({ params }) => getCard(store, params.id));
  on('POST', '/cards/:id/disable', 'card', ({ params }) => disableCard(store, params.id, place));
  on('GET', '/locations/:id', 'location', ({ params }) => getLocation(params.id));
}

// Answers only after the data is on disk, so that a crash cannot lose what was confirmed.
async function handleCall(
  failures: SimulatedFailures,
  call: Call,
  store: SquareStore,
  request: FastifyRequest,
  reply: FastifyReply,
  act: () => ApiResponse,
): Promise<FastifyReply> {
  const failure = failures.consume(call);
  if (failure === 'unavailable') {
    const error = { category: 'API_ERROR', code: 'SERVICE_UNAVAILABLE', detail: 'The service is unavailable.' };
    return reply.code(503).send({ errors: [error] });
  }
  if (failure === 'silent') {
    failures.hang(request, reply);
    return reply;
  }
  const { status, body } = act();
  await store.whenFlushed();
  if (failure === 'lost') {
    reply.hijack();
    request.raw.socket.destroy();
    return reply;
  }
  return reply.code(status).send(body);
}

function requireToken({ headers }: FastifyRequest): void {
  if (/^Bearer\s+\S/i.test(headers.authorization ?? '')) return;
  const detail = 'This request could not be authorized.';
  throw new SquareRefusal(401, { category: 'AUTHENTICATION_ERROR', code: 'UNAUTHORIZED', detail });
}

function refuseRequest(error: Error & { statusCode?: number }, reply: FastifyReply): FastifyReply {
  if (error instanceof SquareRefusal) return reply.code(error.status).send({ errors: error.errors });
  const status = error.statusCode ?? 500;
  if (status >= 500) {
    reply.log.error(error);
    const wire = { category: 'API_ERROR', code: 'INTERNAL_SERVER_ERROR', detail: 'An internal error has occurred.' };
    return reply.code(500).send({ errors: [wire] });
  }
  const code = status === 413 ? 'REQUEST_ENTITY_TOO_LARGE' : status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : 'BAD_REQUEST';
  return reply.code(status).send({ errors: [{ category: 'INVALID_REQUEST_ERROR', code, detail: error.message }] });
}

// Not part of Square's API: tests plan simulated failures here.
function serveSimulatedFailures(app: FastifyInstance, failures: SimulatedFailures): void {
  app.addHook('preClose', async () => failures.closeHungConnections());
  app.post('/sandbox/square/faults', async ({ body }, reply) => {
    if (failures.schedule(body)) return reply.code(204).send();
    return reply.code(400).send({ statusCode: 400, error: 'Bad Request', message: 'A failure is {on, how, times}' });
  });
  app.delete('/sandbox/square/faults', async (_request, reply) => {
    failures.clear();
    return reply.code(204).send();
  });
}

// Not part of Square's API: what a cardholder and their bank do.
function serveCardholders(app: FastifyInstance, store: SquareStore, place: SquareContext): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => refuseRequest(error, reply));
    scope.post('/sandbox/square/disputes', async ({ body: received }, reply) => {
      const { status, body } = contestPayment(store, received, place);
      await store.whenFlushed();
      return reply.code(status).send(body);
    });
    scope.post<{ Params: { id: string } }>(
      '/sandbox/square/disputes/:id',
      async ({ params, body: received }, reply) => {
        const { status, body } = decideDispute(store, params.id, received, place);
        await store.whenFlushed();
        return reply.code(status).send(body);
      },
    );
  });
}

// Replaces Square's dashboard: where webhooks are sent, and which key signs them.
function serveWebhooks(app: FastifyInstance, webhooks: Webhooks): void {
  app.post('/sandbox/square/webhooks', async ({ body }, reply) => {
    if (webhooks.subscribe(body)) return reply.code(204).send();
    return reply.code(400).send({ statusCode: 400, error: 'Bad Request', message: 'A subscription is {url, key}' });
  });
  app.post('/sandbox/square/webhooks/repeat', async (_request, reply) => {
    await webhooks.resend();
    return reply.code(204).send();
  });
}

// Any origin may load the script: the page may come from another server than the sandbox.
function serveWebSdk(app: FastifyInstance, store: SquareStore, now: () => Date): void {
  for (const file of ['square.js', 'card.js', 'form.js', 'rules.js']) {
    const script = readFileSync(new URL(`./square/webSdk/${file}`, import.meta.url), 'utf8');
    app.get(`/sandbox/square/web-sdk/${file}`, async (_request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .header('cross-origin-resource-policy', 'cross-origin')
        .header('cache-control', 'no-cache')
        .type('text/javascript; charset=utf-8')
        .send(script),
    );
  }
  app.options('/sandbox/square/cards', async (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-methods', 'POST')
      .header('access-control-allow-headers', 'content-type')
      .code(204)
      .send(),
  );
  app.post('/sandbox/square/cards', async ({ body }, reply) => {
    const tokenized = tokenizeCard(store, readCard(body), now());
    await store.whenFlushed();
    reply.header('access-control-allow-origin', '*').header('cache-control', 'no-store');
    return reply.code(tokenized.ok ? 201 : 400).send(tokenized);
  });
}
