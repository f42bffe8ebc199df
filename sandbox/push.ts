import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type PageLink, sendPage } from './page.ts';
import { arrives, type Faults, planFaults } from './push/faults.ts';
import { type Box, openBox } from './push/messageStore.ts';
import { showPushes } from './push/pages.ts';
import { readSender } from './push/vapid.ts';

const BASE = '/sandbox/push';
// RFC 8030: what every push service takes at least, and most take at most.
const LARGEST_PUSH = 4096;
const LONGEST_LIST = 500;

export type PushStandIn = {
  routes(app: FastifyInstance): Promise<void>;
  close(): Promise<void>;
};

type PushOptions = { dataDir: string; publicUrl: () => string; nav: () => PageLink[]; now: () => Date };

export async function openPush({ dataDir, publicUrl, nav, now }: PushOptions): Promise<PushStandIn> {
  const box = await openBox(dataDir);
  const faults = planFaults();
  return {
    async routes(app) {
      serveShown(app, box, { base: () => `${publicUrl()}${BASE}`, nav });
      serveFaults(app, faults);
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_PUSH }, (_request, body, done) =>
          done(null, body),
        );
        scope.post<{ Params: { '*': string } }>(`${BASE}/*`, (request, reply) =>
          take({ box, faults, publicUrl, now }, request, reply),
        );
      });
    },
    close: () => box.close(),
  };
}

type Place = { box: Box; faults: Faults; publicUrl: () => string; now: () => Date };

// RFC 8030: takes a push for a subscription, whatever its name.
async function take(
  { box, faults, publicUrl, now }: Place,
  request: FastifyRequest<{ Params: { '*': string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, body, params } = request;
  const refuse = (status: number, reason: string) => reply.code(status).send({ reason });
  const to = params['*'];
  const ttl = Number(headers.ttl ?? Number.NaN);
  if (!Number.isInteger(ttl) || ttl < 0) return refuse(400, 'TTL must be a number of seconds');
  const sender = readSender(
    headers.authorization,
    [`http://${headers.host ?? ''}`, new URL(publicUrl()).origin],
    now(),
  );
  if (typeof sender === 'string') return refuse(403, sender);
  if (headers['content-encoding'] !== 'aes128gcm') return refuse(415, 'Content-Encoding must be aes128gcm');
  if (!Buffer.isBuffer(body) || body.length < 103) return refuse(400, 'The body is no encrypted push');
  const way = faults.take(to);
  if (arrives(way)) {
    const [urgency, topic] = [String(headers.urgency ?? 'normal'), (headers.topic as string | undefined) ?? null];
    const date = now().toISOString();
    const id = await box.keep({ to, date, ttl, urgency, topic, ...sender, body: body.toString('base64') });
    reply.header('location', `${BASE}/messages/${id}`);
  }
  return way ? faults.play(way, request, reply) : reply.code(201).send();
}

function serveShown(
  app: FastifyInstance,
  box: Box,
  { base, nav }: { base: () => string; nav: () => PageLink[] },
): void {
  app.get(BASE, async (_request, reply) =>
    sendPage(reply, showPushes({ pushes: box.list({ to: undefined, limit: LONGEST_LIST }), base: base(), nav: nav() })),
  );
  app.get<{ Querystring: { to?: string } }>(`${BASE}/messages`, async ({ query }, reply) => {
    reply.header('cache-control', 'no-store');
    // The whole address of a subscription does as well as its name.
    const to = typeof query.to === 'string' ? query.to.replace(/^.*\/sandbox\/push\//, '') : undefined;
    return box.list({ to, limit: LONGEST_LIST });
  });
  app.post(`${BASE}/subscriptions`, async (_request, reply) => {
    const { name, keys } = await box.makeSubscription();
    return reply.code(201).send({ endpoint: `${base()}/${name}`, keys });
  });
}

// Not on any push service's wire: a test says here what shall go wrong next.
function serveFaults(app: FastifyInstance, faults: Faults): void {
  app.addHook('preClose', async () => faults.letGo());
  app.post(`${BASE}/faults`, async ({ body }, reply) => {
    if (faults.plan(body)) return reply.code(204).send();
    return reply.code(400).send({ statusCode: 400, error: 'Bad Request', message: 'A fault is {how, times, to}' });
  });
  app.delete(`${BASE}/faults`, async (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
}
