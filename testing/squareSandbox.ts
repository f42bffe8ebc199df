import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { openSandbox } from '../sandbox/sandbox.ts';
import { createSquareTestClient, SquareApiError, type SquareTestClient, type TestPayment } from './squareTestClient.ts';

/** Square's stand-in on a real port with a clock that the test sets, and a client. */
export type SquareSandbox = {
  client: SquareTestClient;
  app: () => FastifyInstance;
  url: string;
  setClock(iso: string): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
};

export async function startSquareSandbox(): Promise<SquareSandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rubadub-square-'));
  let clock = new Date('2026-03-04T05:06:07.000Z');
  let port = 0;
  let stop = async () => {};
  let app: FastifyInstance = Fastify();
  const start = async () => {
    const parts = { square: true, places: false, map: false, mail: false };
    const publicUrl = () => `http://127.0.0.1:${port}`;
    const sandbox = await openSandbox({ dataDir, parts, publicUrl, now: () => clock });
    const server = Fastify({ forceCloseConnections: true });
    await sandbox.register(server);
    port = Number(new URL(await server.listen({ host: '127.0.0.1', port })).port);
    app = server;
    stop = async () => {
      await server.close();
      await sandbox.close();
    };
  };
  await start();
  const url = `http://127.0.0.1:${port}/sandbox/square`;
  return {
    client: createSquareTestClient(url),
    app: () => app,
    url,
    setClock(iso) {
      clock = new Date(iso);
    },
    async restart() {
      await stop();
      await start();
    },
    async stop() {
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

export function toUsd(cents: number) {
  return { amount: cents, currency: 'USD' as const };
}

export async function createPayment(
  { client }: SquareSandbox,
  request: Readonly<Record<string, unknown>> = {},
): Promise<TestPayment> {
  const { payment } = await client.payments.create({
    sourceId: 'cnon:card-nonce-ok',
    idempotencyKey: randomUUID(),
    amountMoney: toUsd(2683),
    ...request,
  });
  if (!payment?.id) throw new Error('the answer has no payment');
  return payment;
}

export async function catchSquareError(call: Promise<unknown>): Promise<SquareApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof SquareApiError) return error;
    throw error;
  }
  throw new Error('the call should have failed');
}

export async function catchFirstError(call: Promise<unknown>) {
  const { statusCode, errors } = await catchSquareError(call);
  const [first] = errors;
  return { status: statusCode, category: first?.category, code: first?.code, field: first?.field };
}

export async function tokenizeCard({ app }: SquareSandbox, card: Record<string, unknown> = {}): Promise<string> {
  const response = await app().inject({
    method: 'POST',
    url: '/sandbox/square/cards',
    payload: { number: '4111111111111111', expMonth: 12, expYear: 2030, cvv: '111', postalCode: '94103', ...card },
  });
  return response.json().token;
}
