import type { FastifyReply, FastifyRequest } from 'fastify';

const CALLS = ['any', 'create', 'get', 'list', 'complete', 'cancel', 'refund'] as const;
// unavailable: 503 and nothing was done; silent: nothing was done and no answer comes; lost: it was done, the answer is lost.
const WAYS = ['unavailable', 'silent', 'lost'] as const;

export type Call = (typeof CALLS)[number];
type Way = (typeof WAYS)[number];
type Fault = { on: Call; how: Way; times: number };

export type Faults = {
  // False when the request is not a fault that could be played.
  plan(body: unknown): boolean;
  clear(): void;
  // What goes wrong with this call, if anything; each fault wears off after its number of times.
  take(call: Call): Way | undefined;
  // Keeps the caller waiting until it gives up or the server ends.
  hold(request: FastifyRequest, reply: FastifyReply): void;
  letGo(): void;
};

export function planFaults(): Faults {
  let faults: Fault[] = [];
  const held = new Set<FastifyRequest['raw']['socket']>();
  return {
    plan(body) {
      const { on = 'any', how, times = 1 } = (body ?? {}) as Partial<Fault>;
      if (!CALLS.includes(on) || !how || !WAYS.includes(how) || !Number.isInteger(times) || times < 1) return false;
      faults.push({ on, how, times });
      return true;
    },
    clear() {
      faults = [];
    },
    take(call) {
      const fault = faults.find(({ on }) => on === 'any' || on === call);
      if (!fault) return undefined;
      fault.times -= 1;
      faults = faults.filter(({ times }) => times > 0);
      return fault.how;
    },
    hold({ raw }, reply) {
      reply.hijack();
      held.add(raw.socket);
      raw.socket.once('close', () => held.delete(raw.socket));
    },
    letGo() {
      for (const socket of held) socket.destroy();
    },
  };
}
