import type { FastifyReply, FastifyRequest } from 'fastify';

const CALLS = ['any', 'create', 'get', 'list', 'complete', 'cancel', 'refund'] as const;
// unavailable: 503 and nothing was done; silent: nothing was done and no answer comes; lost: it was done, the answer is lost.
const FAILURE_MODES = ['unavailable', 'silent', 'lost'] as const;

export type Call = (typeof CALLS)[number];
type FailureMode = (typeof FAILURE_MODES)[number];
type SimulatedFailure = { on: Call; how: FailureMode; times: number };

export type SimulatedFailures = {
  // False when the request is not a fault that could be played.
  schedule(body: unknown): boolean;
  clear(): void;
  // What goes wrong with this call, if anything; each fault wears off after its number of times.
  consume(call: Call): FailureMode | undefined;
  // Keeps the caller waiting until it gives up or the server ends.
  hang(request: FastifyRequest, reply: FastifyReply): void;
  closeHungConnections(): void;
};

export function createSimulatedFailures(): SimulatedFailures {
  let faults: SimulatedFailure[] = [];
  const held = new Set<FastifyRequest['raw']['socket']>();
  return {
    schedule(body) {
      const { on = 'any', how, times = 1 } = (body ?? {}) as Partial<SimulatedFailure>;
      if (!CALLS.includes(on) || !how || !FAILURE_MODES.includes(how) || !Number.isInteger(times) || times < 1)
        return false;
      faults.push({ on, how, times });
      return true;
    },
    clear() {
      faults = [];
    },
    consume(call) {
      const fault = faults.find(({ on }) => on === 'any' || on === call);
      if (!fault) return undefined;
      fault.times -= 1;
      faults = faults.filter(({ times }) => times > 0);
      return fault.how;
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
