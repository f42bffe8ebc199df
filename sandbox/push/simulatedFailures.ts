import type { FastifyReply, FastifyRequest } from 'fastify';

// gone: 410; missing: 404; busy: 429; unavailable: 503; refused: 403; redirect: 307 to another subscription; silent: no
// answer; lost: it is received but the answer is lost; endless: it is received and the answer never ends.
const FAILURE_MODES = [
  'gone',
  'missing',
  'busy',
  'unavailable',
  'refused',
  'redirect',
  'silent',
  'lost',
  'endless',
] as const;
type FailureMode = (typeof FAILURE_MODES)[number];

type SimulatedFailure = { how: FailureMode; times: number; to?: string };

const STATUS = { gone: 410, missing: 404, busy: 429, unavailable: 503, refused: 403, redirect: 307 } as const;

export type SimulatedFailures = {
  // False when the request does not describe a failure that can be simulated.
  schedule(body: unknown): boolean;
  clear(): void;
  // The failure to simulate for a push to this subscription, if any. Each one ends after its number of times.
  consume(to: string): FailureMode | undefined;
  closeHungConnections(): void;
  simulate(way: FailureMode, request: FastifyRequest, reply: FastifyReply): FastifyReply;
};

/** Whether the push is received despite the failure. */
export function isDelivered(way: FailureMode | undefined): boolean {
  return way === undefined || way === 'lost' || way === 'endless';
}

export function createSimulatedFailures(): SimulatedFailures {
  let failures: SimulatedFailure[] = [];
  const held = new Set<FastifyRequest['raw']['socket']>();
  const hold = ({ raw }: FastifyRequest) => {
    held.add(raw.socket);
    raw.socket.once('close', () => held.delete(raw.socket));
  };
  return {
    schedule(body) {
      const { how, times = 1, to } = (body ?? {}) as Partial<SimulatedFailure>;
      if (!how || !FAILURE_MODES.includes(how) || !Number.isInteger(times) || times < 1) return false;
      failures.push({ how, times, ...(to === undefined ? {} : { to }) });
      return true;
    },
    clear() {
      failures = [];
    },
    consume(to) {
      const failure = failures.find((one) => one.to === undefined || one.to === to);
      if (!failure) return undefined;
      failure.times -= 1;
      failures = failures.filter(({ times }) => times > 0);
      return failure.how;
    },
    closeHungConnections() {
      for (const socket of held) socket.destroy();
    },
    simulate(way, request, reply) {
      if (way === 'silent' || way === 'endless') hold(request);
      if (way === 'silent') return reply.hijack();
      if (way === 'endless') return streamForever(reply);
      if (way === 'lost') {
        reply.hijack();
        request.raw.socket.destroy();
        return reply;
      }
      if (way === 'redirect') reply.header('location', '/sandbox/push/redirected');
      if (way === 'busy' || way === 'unavailable') reply.header('retry-after', '1');
      return reply.code(STATUS[way]).send({ reason: way });
    },
  };
}

function streamForever(reply: FastifyReply): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(201);
  const talk = () => {
    while (!raw.destroyed && raw.write('and another thing, '.repeat(100)));
    if (!raw.destroyed) raw.once('drain', talk);
  };
  talk();
  return reply;
}
