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
import type { Config } from '../config/config.ts';
import { handleClientError, limitConnections, trackConnections } from './connections.ts';
import { handleError } from './errors.ts';
import { LIVENESS_PATH } from './health.ts';
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
  logger: FastifyBaseLogger;
  trustProxy: Config['trustProxy'];
  limits: RateLimits;
  /** Whether browsers reach the server over https only. */
  isHttps?: boolean;
  /** Multiplies the limit of connections per network. */
  scale?: number;
};

/** A Fastify server without routes, with our limits, our error JSON, and a request id on every answer. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const app = Fastify(toFastifyOptions(options));
  limitConnections(app.server, { scale: options.scale ?? 1, behindProxy: options.trustProxy !== false });
  const connections = trackConnections(app.server);
  app.addHook('preClose', async () => connections.closeIdle());
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(options.isHttps ? HTTPS_HEADERS : SECURITY_HEADERS);
    // Unknown paths count too. Liveness does not, so that an overloaded server is not reported as dead.
    if (request.url.startsWith(API_BASE) && request.url !== LIVENESS_PATH) options.limits.countRequest(request.ip);
  });
  app.addHook('onResponse', async (request, reply) => {
    // The query is not logged: it may contain a token by mistake.
    const [url = ''] = request.url.slice(0, MAX_LOGGED_URL_LENGTH).split('?');
    request.log.info(
      { method: request.method, url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
  });
  app.setErrorHandler(handleError);
  return app;
}

function toFastifyOptions(options: HttpServerOptions): FastifyHttpOptions<RawServerDefault> {
  return {
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: toProxyTrust(options.trustProxy),
    bodyLimit: BODY_MAXIMUM,
    // A client that sends its headers or its body slowly must not hold a socket.
    connectionTimeout: 60_000,
    requestTimeout: 20_000,
    // Longer than the 60 s of common proxies, so that a proxy does not use a connection while we close it.
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
    // As long as Node allows a URL to be: an id that is too long gets the same 400 as any other bad id.
    routerOptions: { maxParamLength: 16_384 },
    exposeHeadRoutes: false,
    // Fastify would otherwise load its JSON Schema compilers, which takes 5% of the start.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    clientErrorHandler: handleClientError,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      reply.header('x-request-id', request.id);
      handleError(error, request, reply);
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
