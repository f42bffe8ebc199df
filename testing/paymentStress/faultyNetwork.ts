import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { chooseWeighted, type Random } from '../random.ts';

/** What happens to a request: it passes, or fails in one of these ways. */
type NetworkOutcome = 'pass' | 'reset' | 'busy' | 'lost' | 'late' | 'twice' | 'garbled';

const OUTCOME_WEIGHTS: Record<NetworkOutcome, number> = {
  pass: 70,
  reset: 5,
  busy: 5,
  lost: 8,
  late: 5,
  twice: 5,
  garbled: 2,
};
const DELAY_MS = 350;

export type FaultyNetwork = {
  /** The base URL, without `/v2/payments`. */
  readonly url: string;
  /** Resolves when the requests that are delayed now have arrived. */
  settle(): Promise<unknown>;
  /** Passes every request from now on. Resolves when the delayed requests have arrived. */
  stopFailing(): Promise<void>;
  /** How many requests had each outcome. */
  readonly outcomeCounts: Record<NetworkOutcome, number>;
  close(): Promise<void>;
};

/** A proxy between the product and the card network at `target`. */
export async function openFaultyNetwork(target: string, random: Random): Promise<FaultyNetwork> {
  let isFailing = true;
  const inFlight = new Set<Promise<unknown>>();
  const outcomeCounts: Record<NetworkOutcome, number> = {
    pass: 0,
    reset: 0,
    busy: 0,
    lost: 0,
    late: 0,
    twice: 0,
    garbled: 0,
  };
  const server = createServer((request, reply) => {
    const handled = handle(request, reply).catch(() => reply.destroy());
    inFlight.add(handled);
    void handled.finally(() => inFlight.delete(handled));
  });

  async function handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const forward = () => send(target + (request.url ?? ''), request, body);
    const outcome = isFailing ? chooseWeighted(random, OUTCOME_WEIGHTS) : 'pass';
    outcomeCounts[outcome] += 1;
    if (outcome === 'reset') return void reply.destroy();
    if (outcome === 'busy') return void reply.writeHead(503, JSON_TYPE).end(BUSY);
    if (outcome === 'late') {
      // The product gives up first. Its time-outs are too long for that, so that no machine is too slow for the others.
      reply.destroy();
      await setTimeout(DELAY_MS);
    }
    const response = await forward();
    if (outcome === 'twice') await forward();
    if (outcome === 'lost' || outcome === 'late') return void reply.destroy();
    if (outcome === 'garbled') return void reply.writeHead(200, JSON_TYPE).end(response.text.slice(0, 20));
    reply.writeHead(response.status, JSON_TYPE).end(response.text);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outcomeCounts,
    settle: () => Promise.all(inFlight),
    async stopFailing() {
      isFailing = false;
      await Promise.all(inFlight);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const BUSY = JSON.stringify({ errors: [{ category: 'API_ERROR', code: 'SERVICE_UNAVAILABLE', detail: 'Later.' }] });

async function send(url: string, { method = 'GET', headers }: IncomingMessage, body: string) {
  const { authorization = '' } = headers;
  const response = await fetch(url, {
    method,
    headers: { authorization, ...JSON_TYPE },
    ...(body === '' ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}
