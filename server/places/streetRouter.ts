import { z } from 'zod';
import { MAX_LINE_POINTS } from '../../contract/deliveryRoute.ts';
import { type Line, simplifyLine } from '../../domain/mapLines.ts';
import type { Point } from '../../domain/places.ts';
import { roundPosition } from '../../domain/positions.ts';
import { type CircuitBreaker, type CircuitTimes, createCircuitBreaker } from '../outgoing/circuitBreaker.ts';

/** A route along streets. */
export type StreetRoute = { readonly line: Line; readonly meters: number; readonly seconds: number };

export type StreetRouter = {
  readonly circuit: CircuitBreaker;
  /** The route by car; undefined when there is none, or the router does not answer. Never rejects. */
  findRoute(from: Point, to: Point): Promise<StreetRoute | undefined>;
};

export type RouterTimes = { readonly timeoutMs?: number; readonly circuitTimes?: Partial<CircuitTimes> };

type RouterOptions = RouterTimes & {
  /** The URL of an OSRM server, without `/route`. Without one no route is known. */
  readonly url: string | undefined;
  readonly now: () => Date;
};

/** For a map, a straight line now is better than the right line later. */
const TIMEOUT_MS = 2_500;
const CIRCUIT_TIMES: CircuitTimes = { slowMs: 1_000, probeMs: 1_000, quickProbeMs: 200, probeEveryMs: 1_000 };
/** Without the two places that the line leads to. */
const MAX_STREET_POINTS = MAX_LINE_POINTS - 2;
/** A route across a country has fewer. */
const MAX_REPLY_POINTS = 20_000;
const MAX_REPLY_LENGTH = 2_000_000;
const MAX_CALLS = 20;
/** How far from a street a place may be. */
const MAX_SNAP_M = 1_000;
const CACHE_MS = 10 * 60_000;
const CACHE_SIZE = 500;

const Reply = z.object({
  code: z.literal('Ok'),
  routes: z
    .array(
      z.object({
        distance: z.number().min(0),
        duration: z.number().min(0),
        geometry: z.object({
          coordinates: z
            .array(z.tuple([z.number(), z.number()]))
            .min(2)
            .max(MAX_REPLY_POINTS),
        }),
      }),
    )
    .min(1),
});

/** Asks an OSRM server for routes, behind a circuit breaker. Places are rounded to 11 m before they are sent. */
export function createStreetRouter({ url, now, ...options }: RouterOptions): StreetRouter {
  const { timeoutMs = TIMEOUT_MS, circuitTimes = {} } = options;
  const routes = createCache<StreetRoute | undefined>(now);
  let callCount = 0;
  const circuit = createCircuitBreaker({
    ...CIRCUIT_TIMES,
    ...circuitTimes,
    name: 'the router',
    // Any answer counts, also that there is no street.
    probe: async (signal) => void (await send(`${url}/nearest/v1/driving/0,0`, signal)),
    isUnanswered: () => true,
  });
  const fetchRoute = async (from: Point, to: Point): Promise<StreetRoute | undefined> => {
    const { status, text } = await circuit.run((signal) =>
      send(routeUrl(url ?? '', from, to), AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])),
    );
    // Such an answer comes from an error of the router or of a proxy; the router itself refuses with 400.
    if (status >= 500 || status === 429) throw new Error(`the router answered ${status}`);
    return readReply(text);
  };
  return {
    circuit,
    async findRoute(from, to) {
      if (url === undefined) return undefined;
      const ends = [roundPosition(from), roundPosition(to)] as const;
      const key = ends.map(({ latitude, longitude }) => `${latitude},${longitude}`).join(';');
      const known = routes.get(key);
      if (known || callCount >= MAX_CALLS) return known;
      callCount += 1;
      const route = fetchRoute(...ends)
        // An outage is not cached, but a missing route is.
        .catch(() => routes.delete(key))
        .finally(() => {
          callCount -= 1;
        });
      routes.set(key, route);
      return route;
    },
  };
}

function routeUrl(url: string, from: Point, to: Point): string {
  const places = [from, to].map(({ latitude, longitude }) => `${longitude},${latitude}`).join(';');
  const query = `overview=full&geometries=geojson&radiuses=${MAX_SNAP_M};${MAX_SNAP_M}`;
  return `${url}/route/v1/driving/${places}?${query}`;
}

/** Rejects when there is no answer. */
async function send(url: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { signal, redirect: 'error' });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (text.length > MAX_REPLY_LENGTH) return { status: response.status, text: '' };
  }
  return { status: response.status, text };
}

/** The route of an answer; undefined when it has none. */
function readReply(text: string): StreetRoute | undefined {
  const reply = Reply.safeParse(parseJson(text));
  const [route] = reply.data?.routes ?? [];
  if (!route) return undefined;
  const line = route.geometry.coordinates.map(([longitude, latitude]): Point => ({ latitude, longitude }));
  return { line: simplifyLine(line, MAX_STREET_POINTS), meters: Math.round(route.distance), seconds: route.duration };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps the newest entries for a while. */
function createCache<T>(now: () => Date) {
  const entries = new Map<string, { value: Promise<T>; until: number }>();
  return {
    get(key: string): Promise<T> | undefined {
      const entry = entries.get(key);
      return entry && entry.until > now().getTime() ? entry.value : undefined;
    },
    set(key: string, value: Promise<T>): void {
      entries.delete(key);
      entries.set(key, { value, until: now().getTime() + CACHE_MS });
      const [oldest] = entries.keys();
      if (entries.size > CACHE_SIZE && oldest !== undefined) entries.delete(oldest);
    },
    delete(key: string): undefined {
      entries.delete(key);
    },
  };
}
