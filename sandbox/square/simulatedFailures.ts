import type { FastifyReply, FastifyRequest } from 'fastify';

const CALLS = [
  'any',
  'create',
  'get',
  'list',
  'update',
  'complete',
  'cancel',
  'refund',
  'dispute',
  'location',
  'customer',
  'card',
] as const;
// unavailable: 503, nothing is done; silent: nothing is done and there is no answer; lost: it is done, the answer is lost.
const FAILURE_MODES = ['unavailable', 'silent', 'lost'] as const;

export type Call = (typeof CALLS)[number];
type FailureMode = (typeof FAILURE_MODES)[number];
type SimulatedFailure = { on: Call; how: FailureMode; times: number };

export type SimulatedFailures = {
  // False when the request does not describe a failure that can be simulated.
  schedule(body: unknown): boolean;
  clear(): void;
  // The failure to simulate for this call, if any. Each one ends after its number of times.
  consume(call: Call): FailureMode | undefined;
  // Keeps the caller waiting until it disconnects or the server stops.
  hang(request: FastifyRequest, reply: FastifyReply): void;
  closeHungConnections(): void;
};

export function createSimulatedFailures(): SimulatedFailures {
  let failures: SimulatedFailure[] = [];
  const held = new Set<FastifyRequest['raw']['socket']>();
  return {
    schedule(body) {
      const { on = 'any', how, times = 1 } = (body ?? {}) as Partial<SimulatedFailure>;
      if (!CALLS.includes(on) || !how || !FAILURE_MODES.includes(how) || !Number.isInteger(times) || times < 1)
        return false;
      failures.push({ on, how, times });
      return true;
    },
    clear() {
      failures = [];
    },
    consume(call) {
      const failure = failures.find(({ on }) => on === 'any' || on === call);
      if (!failure) return undefined;
      failure.times -= 1;
      failures = failures.filter(({ times }) => times > 0);
      return failure.how;
    },
    hang({ raw }, reply) {
      reply.hijack();
      held.add(raw.socket);
      raw.socket.once('close', () => held.delete(raw.socket));
    },
    closeHungConnections() {
      for (const socket of held) socket.destroy();
    },
  };
}
