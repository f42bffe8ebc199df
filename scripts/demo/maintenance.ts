import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { errorBody, FAILURES } from '../../contract/failures.ts';

const KEY_HEADER = 'x-demo-key';
const RETRY_AFTER_S = 2;
/** What nobody has to wait for, and what the stand-ins call. */
const ALWAYS_OPEN = ['/api/config', '/api/health/', '/api/docs', '/api/openapi', '/api/webhooks/'];

export type Maintenance = {
  readonly isOn: () => boolean;
  readonly end: () => void;
  /** Sends the demo's own requests, which may pass. */
  readonly send: typeof fetch;
  /** Whether a request with these headers is the demo's own. */
  readonly isOwn: (headers: IncomingHttpHeaders) => boolean;
  /** Answers everybody else with 503 while it is on. */
  readonly register: (app: FastifyInstance) => void;
};

/**
 * Keeps visitors out of the API while the server's clock shows the weeks in which the demo's orders happened: what they did would
 * be dated there, and they would be signed out at the end. The web app is served meanwhile.
 */
export function createMaintenance(isOnAtFirst: boolean): Maintenance {
  const key = randomBytes(32);
  let isOn = isOnAtFirst;
  const isOwn = ({ [KEY_HEADER]: value }: IncomingHttpHeaders) => {
    const given = Buffer.from(typeof value === 'string' ? value : '', 'hex');
    return given.length === key.length && timingSafeEqual(given, key);
  };
  return {
    isOn: () => isOn,
    end: () => {
      isOn = false;
    },
    send: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set(KEY_HEADER, key.toString('hex'));
      return fetch(input, { ...init, headers });
    },
    isOwn,
    register: (app) => {
      app.addHook('onRequest', async ({ routeOptions, headers }, reply) => {
        // Not the URL as it was sent: `/%61pi` is decoded before its route is found.
        const { url = '' } = routeOptions;
        const isApi = url.startsWith('/api/') && !ALWAYS_OPEN.some((path) => url.startsWith(path));
        if (!isOn || !isApi || isOwn(headers)) return;
        const [statusCode] = FAILURES.notReady;
        reply.header('retry-after', String(RETRY_AFTER_S)).header('cache-control', 'no-store');
        return reply.code(statusCode).send(errorBody('notReady'));
      });
    },
  };
}
