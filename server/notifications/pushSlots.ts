// Which pushes may be sent at the same time. Anybody can name a push service that never answers, so slots are shared by
// person and by host: pushes of others must not wait for it.

export const PUSH_SLOTS = 32;
const SLOTS_PER_PERSON = 2;
/** For all hosts together that have not answered lately. */
const UNPROVEN_SLOTS = PUSH_SLOTS / 2;
const MAX_HOSTS = 1_000;

/** The push services of Chrome, Edge, Firefox and Safari, which nearly all devices use. In PostgreSQL's syntax, too. */
export const BROWSER_SERVICES =
  /(^|\.)(fcm\.googleapis\.com|services\.mozilla\.com|push\.apple\.com|notify\.windows\.com)$/;

/** How a host answered: within two seconds, later, or not at all. */
export type PushAnswer = 'quick' | 'slow' | 'none';

/** What must not be sent now. */
export type BusyPushes = {
  readonly people: readonly string[];
  readonly hosts: readonly string[];
  /** The only hosts that may be sent to, besides browser services; undefined when any may. */
  readonly provenHosts: readonly string[] | undefined;
};

export type PushSlots = {
  busy(): BusyPushes;
  /** Takes a slot for a push. Returns the function that frees it: call it with the host's answer, or undefined if nothing was sent. */
  take(push: { readonly userId: string; readonly host: string | null }): (answer: PushAnswer | undefined) => void;
};

/** `score` is how many slots a host has earned: one per quick answer. A slow one halves it, none takes all. */
type Host = { inFlight: number; score: number };

export function createPushSlots(): PushSlots {
  const people = new Map<string, number>();
  const hosts = new Map<string, Host>();
  let unproven = 0;
  return {
    busy: () => ({
      people: [...people].filter(([, count]) => count >= SLOTS_PER_PERSON).map(([id]) => id),
      hosts: [...hosts].filter(([name, host]) => host.inFlight >= slotsOf(name, host)).map(([name]) => name),
      provenHosts:
        unproven < UNPROVEN_SLOTS ? undefined : [...hosts].filter(([, { score }]) => score > 0).map(([name]) => name),
    }),
    take({ userId, host: name }) {
      people.set(userId, (people.get(userId) ?? 0) + 1);
      const host = name === null ? undefined : findHost(hosts, name);
      const isUnproven = host !== undefined && host.score === 0;
      if (host) host.inFlight += 1;
      if (isUnproven) unproven += 1;
      return (answer) => {
        const count = (people.get(userId) ?? 1) - 1;
        if (count > 0) people.set(userId, count);
        else people.delete(userId);
        if (isUnproven) unproven -= 1;
        if (!host) return;
        host.inFlight -= 1;
        if (answer) host.score = scoreAfter(answer, host.score);
      };
    },
  };
}

function findHost(hosts: Map<string, Host>, name: string): Host {
  const known = hosts.get(name);
  if (known) return known;
  if (hosts.size >= MAX_HOSTS) for (const [idle, { inFlight }] of hosts) if (inFlight === 0) hosts.delete(idle);
  const host = { inFlight: 0, score: isBrowserService(name) ? PUSH_SLOTS : 0 };
  hosts.set(name, host);
  return host;
}

export const isBrowserService = (host: string): boolean => BROWSER_SERVICES.test(host);

// A browser service keeps half of the slots even while it does not answer: most people wait for it.
const slotsOf = (name: string, { score }: Host) => Math.max(isBrowserService(name) ? PUSH_SLOTS / 2 : 1, score);

function scoreAfter(answer: PushAnswer, score: number): number {
  if (answer === 'quick') return Math.min(PUSH_SLOTS, score + 1);
  return answer === 'slow' ? Math.floor(score / 2) : 0;
}
