import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chooseWeighted, type Random } from '../random.ts';

/** What the network does to a request: passes it, or fails in one of its ways. */
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
  /** What `/v2/payments` is appended to. */
  readonly url: string;
  /** From now on nothing fails any more; resolves when everything that was late has arrived. */
  stopFailing(): Promise<void>;
  /** How often each thing happened. */
  readonly outcomeCounts: Record<NetworkOutcome, number>;
  close(): Promise<void>;
};

/** The way from the product to the card network at `target`. `rewrite` plays a bug of ours in what is sent. */
export async function openFaultyNetwork(
  target: string,
  random: Random,
  rewrite: (path: string, body: string) => string = (_path, body) => body,
): Promise<FaultyNetwork> {
  let stormy = true;
  const under = new Set<Promise<unknown>>();
  const happened: Record<NetworkOutcome, number> = {
    pass: 0,
    reset: 0,
    busy: 0,
    lost: 0,
    late: 0,
    twice: 0,
    garbled: 0,
  };
  const server = createServer((request, response) => {
    const handled = handle(request, response).catch(() => response.destroy());
    under.add(handled);
    void handled.finally(() => under.delete(handled));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const body = rewrite(path, Buffer.concat(chunks).toString('utf8'));
    const forward = () => send(target + path, request, body);
    const way = stormy ? chooseWeighted(random, OUTCOME_WEIGHTS) : 'pass';
    happened[way] += 1;
    if (way === 'reset') return void response.destroy();
    if (way === 'busy') return void response.writeHead(503, JSON_TYPE).end(BUSY);
    if (way === 'late') await new Promise((go) => setTimeout(go, DELAY_MS));
    const answer = await forward();
    if (way === 'twice') await forward();
    if (way === 'lost' || way === 'late') return void response.destroy();
    if (way === 'garbled') return void response.writeHead(200, JSON_TYPE).end(answer.text.slice(0, 20));
    response.writeHead(answer.status, JSON_TYPE).end(answer.text);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outcomeCounts: happened,
    async stopFailing() {
      stormy = false;
      await Promise.all(under);
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
  const answer = await fetch(url, {
    method,
    headers: { authorization, ...JSON_TYPE },
    ...(body === '' ? {} : { body }),
  });
  return { status: answer.status, text: await answer.text() };
}
