import type { FastifyReply, FastifyRequest } from 'fastify';

// gone: 410; missing: 404; busy: 429; unavailable: 503; refused: 403; redirect: 307 to another subscription; silent: no
// answer comes; lost: it arrived, the answer is lost; endless: it arrived, and the answer never ends.
const WAYS = ['gone', 'missing', 'busy', 'unavailable', 'refused', 'redirect', 'silent', 'lost', 'endless'] as const;
type Way = (typeof WAYS)[number];

type Fault = { how: Way; times: number; to?: string };

const STATUS = { gone: 410, missing: 404, busy: 429, unavailable: 503, refused: 403, redirect: 307 } as const;

export type Faults = {
  // False when the request is not a fault that could be played.
  plan(body: unknown): boolean;
  clear(): void;
  // What goes wrong with a push to this subscription, if anything; each fault wears off after its number of times.
  take(to: string): Way | undefined;
  letGo(): void;
  play(way: Way, request: FastifyRequest, reply: FastifyReply): FastifyReply;
};

// Whether the push arrives all the same.
export function arrives(way: Way | undefined): boolean {
  return way === undefined || way === 'lost' || way === 'endless';
}

export function planFaults(): Faults {
  let faults: Fault[] = [];
  const held = new Set<FastifyRequest['raw']['socket']>();
  const hold = ({ raw }: FastifyRequest) => {
    held.add(raw.socket);
    raw.socket.once('close', () => held.delete(raw.socket));
  };
  return {
    plan(body) {
      const { how, times = 1, to } = (body ?? {}) as Partial<Fault>;
      if (!how || !WAYS.includes(how) || !Number.isInteger(times) || times < 1) return false;
      faults.push({ how, times, ...(to === undefined ? {} : { to }) });
      return true;
    },
    clear() {
      faults = [];
    },
    take(to) {
      const fault = faults.find((one) => one.to === undefined || one.to === to);
      if (!fault) return undefined;
      fault.times -= 1;
      faults = faults.filter(({ times }) => times > 0);
      return fault.how;
    },
    letGo() {
      for (const socket of held) socket.destroy();
    },
    play(way, request, reply) {
      if (way === 'silent' || way === 'endless') hold(request);
      if (way === 'silent') return reply.hijack();
      if (way === 'endless') return talkForEver(reply);
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

function talkForEver(reply: FastifyReply): FastifyReply {
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
