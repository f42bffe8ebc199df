import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify';
import type { Failure } from '../../contract/failures.ts';
import type { Config } from '../config/config.ts';
import { normalizeForwarded, UNKNOWN_ADDRESS } from './clientAddress.ts';
import { handleClientError, limitConnections, trackConnections } from './connections.ts';
import { handleError } from './errors.ts';
import { LIVENESS_PATH } from './health.ts';
import { createHostCheck, type HostOptions } from './hosts.ts';
import type { RateLimits } from './rateLimits.ts';
import { API_BASE } from './routes.ts';

const BODY_MAXIMUM = 64 * 1024;
/** Characters. Our own URLs are shorter. */
const MAX_LOGGED_URL_LENGTH = 200;

/** On every answer. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
const HTTPS_HEADERS = { ...SECURITY_HEADERS, 'strict-transport-security': 'max-age=31536000' } as const;

type HttpServerOptions = {
  /** The names under which clients may reach the server. */
  hosts: HostOptions;
  logger: FastifyBaseLogger;
  trustProxy: Config['trustProxy'];
  limits: RateLimits;
  /** Whether browsers reach the server over https only. */
  isHttps?: boolean;
  /** Multiplies the limit of connections per network. */
  scale?: number;
  /** Whether the server is about to stop. */
  isDraining?: () => boolean;
  /** Sees every request that was answered. */
  observe?: ((request: FastifyRequest, reply: FastifyReply) => void) | undefined;
};

declare module 'fastify' {
  interface FastifyReply {
    /** Why the request was refused. */
    refusal: Failure | undefined;
  }
}

/** A Fastify server without routes, with our limits, our error JSON, and a request id on every answer. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const admit = createAdmission(options);
  const app = Fastify(toFastifyOptions(options, admit));
  limitConnections(app.server, { scale: options.scale ?? 1, behindProxy: options.trustProxy !== false });
  // Node would answer an unknown Expect header itself with an empty 417. It may also be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  const connections = trackConnections(app.server);
  app.addHook('preClose', async () => connections.closeIdle());
  app.addHook('onRequest', async (request, reply) => admit(request, reply, request.routeOptions.url));
  app.addHook('onResponse', async (request, reply) => {
    options.observe?.(request, reply);
    // The query is not logged: it may contain a token by mistake.
    const [url = ''] = request.url.slice(0, MAX_LOGGED_URL_LENGTH).split('?');
    request.log.info(
      { method: request.method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
  app.decorateReply('refusal', undefined);
  app.setErrorHandler(handleError);
  return app;
}

type Admission = (request: FastifyRequest, reply: FastifyReply, route: string | undefined) => void;

/** What happens to every request first. `route` is the path of the route that it matched: its address can be spelled in many ways. */
function createAdmission({ limits, hosts, isHttps, isDraining = () => false }: HttpServerOptions): Admission {
  const headers = isHttps ? HTTPS_HEADERS : SECURITY_HEADERS;
  const checkHost = createHostCheck(hosts);
  let hasWarned = false;
  return (request, reply, route) => {
    if (request.ip === UNKNOWN_ADDRESS && !hasWarned) {
      hasWarned = true;
      request.log.warn({}, 'the proxy sends addresses of clients that cannot be read: they count as one network');
    }
    reply.header('x-request-id', request.id).headers(headers);
    // The client opens its next connection, which the load balancer leads to another server.
    if (isDraining()) reply.header('connection', 'close');
    if (route === undefined || route.startsWith(API_BASE)) {
      // Liveness does not count, so that an overloaded server is not reported as dead.
      if (route !== LIVENESS_PATH) limits.countRequest(request.ip);
    } else limits.countFileRequest(request.ip);
    checkHost(request.raw, route);
  };
}

function toFastifyOptions(options: HttpServerOptions, admit: Admission): FastifyHttpOptions<RawServerDefault> {
  return {
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: toProxyTrust(options.trustProxy),
    // Before anything asks for the client's address; the URL stays as it is.
    rewriteUrl: (request) => {
      if (options.trustProxy !== false) normalizeForwarded(request);
      return request.url ?? '/';
    },
    bodyLimit: BODY_MAXIMUM,
    // A client that sends its headers or its body slowly must not hold a socket. A photo of 400 kB arrives in this time at 55 kbit/s.
    connectionTimeout: 60_000,
    requestTimeout: 60_000,
    // Longer than the 60 s of common proxies, so that a proxy does not use a connection while we close it.
    keepAliveTimeout: 72_000,
    // Node would refuse a request without a host itself, without our error JSON.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    // As long as Node allows a URL to be: an id that is too long gets the same 400 as any other bad id.
    routerOptions: { maxParamLength: 16_384 },
    exposeHeadRoutes: false,
    // Fastify would otherwise load its JSON Schema compilers, which takes 5% of the start.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    clientErrorHandler: handleClientError,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      try {
        admit(request, reply, undefined);
        void handleError(error, request, reply);
      } catch (refusal) {
        void handleError(refusal, request, reply);
      }
    },
  };
}

const refuseSchemas = () => {
  throw new Error('routes have no JSON Schema: the contract validates requests');
};

/** Proxies are counted from our end, and `on` means one: the leftmost forwarded address is what the client wrote. */
function toProxyTrust(trust: Config['trustProxy']) {
  const hops = trust === true ? 1 : trust;
  return typeof hops === 'number' ? (_address: string, hop: number) => hop < hops : hops;
}
