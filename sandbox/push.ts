import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PageLink, sendPage } from './page.ts';
import { type MessageStore, openMessageStore } from './push/messageStore.ts';
import { renderPushesPage } from './push/pushesPage.ts';
import { createSimulatedFailures, isDelivered, type SimulatedFailures } from './push/simulatedFailures.ts';
import { verifySender } from './push/vapid.ts';

const PUSH_PATH = '/sandbox/push';
// RFC 8030: the size that every push service must accept, and most accept no more.
const MAX_PUSH_BYTES = 4096;
const MAX_LISTED = 500;

export type PushStandIn = {
  registerRoutes(app: FastifyInstance): Promise<void>;
  close(): Promise<void>;
};

type PushOptions = { dataDir: string; publicUrl: () => string; nav: () => PageLink[]; now: () => Date };

export async function openPushStandIn({ dataDir, publicUrl, nav, now }: PushOptions): Promise<PushStandIn> {
  const store = await openMessageStore(dataDir);
  const failures = createSimulatedFailures();
  return {
    async registerRoutes(app) {
      serveMessages(app, store, { base: () => `${publicUrl()}${PUSH_PATH}`, nav });
      serveSimulatedFailures(app, failures);
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_PUSH_BYTES }, (_request, body, done) =>
          done(null, body),
        );
        scope.post<{ Params: { '*': string } }>(`${PUSH_PATH}/*`, (request, reply) =>
          receivePush({ store, failures, publicUrl, now }, request, reply),
        );
      });
    },
    close: () => store.close(),
  };
}

type PushContext = { store: MessageStore; failures: SimulatedFailures; publicUrl: () => string; now: () => Date };

// RFC 8030: accepts a push for any subscription name.
async function receivePush(
  { store, failures, publicUrl, now }: PushContext,
  request: FastifyRequest<{ Params: { '*': string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, body, params } = request;
  const refuse = (status: number, reason: string) => reply.code(status).send({ reason });
  const to = params['*'];
  const ttl = Number(headers.ttl ?? Number.NaN);
  if (!Number.isInteger(ttl) || ttl < 0) return refuse(400, 'TTL must be a number of seconds');
  const sender = verifySender(
    headers.authorization,
    [`http://${headers.host ?? ''}`, new URL(publicUrl()).origin],
    now(),
  );
  if (typeof sender === 'string') return refuse(403, sender);
  if (headers['content-encoding'] !== 'aes128gcm') return refuse(415, 'Content-Encoding must be aes128gcm');
  if (!Buffer.isBuffer(body) || body.length < 103) return refuse(400, 'The body is no encrypted push');
  const way = failures.consume(to);
  if (isDelivered(way)) {
    const [urgency, topic] = [String(headers.urgency ?? 'normal'), (headers.topic as string | undefined) ?? null];
    const date = now().toISOString();
    const id = await store.save({ to, date, ttl, urgency, topic, ...sender, body: body.toString('base64') });
    reply.header('location', `${PUSH_PATH}/messages/${id}`);
  }
  return way ? failures.simulate(way, request, reply) : reply.code(201).send();
}

function serveMessages(
  app: FastifyInstance,
  store: MessageStore,
  { base, nav }: { base: () => string; nav: () => PageLink[] },
): void {
  app.get(PUSH_PATH, async (_request, reply) =>
    sendPage(
      reply,
      renderPushesPage({ pushes: store.list({ to: undefined, limit: MAX_LISTED }), base: base(), nav: nav() }),
    ),
  );
  app.get<{ Querystring: { to?: string } }>(`${PUSH_PATH}/messages`, async ({ query }, reply) => {
    reply.header('cache-control', 'no-store');
    // Accepts a subscription's full address as well as its name.
    const to = typeof query.to === 'string' ? query.to.replace(/^.*\/sandbox\/push\//, '') : undefined;
    return store.list({ to, limit: MAX_LISTED });
  });
  app.post(`${PUSH_PATH}/subscriptions`, async (_request, reply) => {
    const { name, keys } = await store.createSubscription();
    return reply.code(201).send({ endpoint: `${base()}/${name}`, keys });
  });
}

// Not part of the protocol: tests plan simulated failures here.
function serveSimulatedFailures(app: FastifyInstance, failures: SimulatedFailures): void {
  app.addHook('preClose', async () => failures.closeHungConnections());
  app.post(`${PUSH_PATH}/faults`, async ({ body }, reply) => {
    if (failures.schedule(body)) return reply.code(204).send();
    return reply.code(400).send({ statusCode: 400, error: 'Bad Request', message: 'A failure is {how, times, to}' });
  });
  app.delete(`${PUSH_PATH}/faults`, async (_request, reply) => {
    failures.clear();
    return reply.code(204).send();
  });
}
