import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { DemoAccount } from '../../contract/payments.ts';
import {
  ConfigError,
  type DemoMode,
  type Env,
  type Environment,
  isStandInUrl,
  listSetVariables,
  parseEnvironment,
} from './environment.ts';
import { readS3, type S3Config } from './s3.ts';

/** A flag for each third party. */
export type ThirdParties = { square: boolean; places: boolean; map: boolean; mail: boolean };

export type SquareConfig = {
  accessToken: string;
  applicationId: string;
  locationId: string;
  /** The address of Square's API, without `/v2`. */
  baseUrl: string;
  /** The script of the card form, which the browser loads. */
  webSdkUrl: string;
  webhookKey?: string;
};

export type MapboxConfig = { token: string; baseUrl: string };

/** The demo people's own names by address, and when the demo was complete, as an ISO date. */
export type DemoPeople = { readonly names: ReadonlyMap<string, string>; readonly doneAt: string };

export type Config = {
  /** 0 takes any free port. */
  port: number;
  host: string;
  /** How many processes answer at the port. */
  workers: number;
  /** The address that browsers use, without a trailing slash. */
  publicUrl: string;
  /** Without it, the server uses the embedded database in `dataDir`. */
  databaseUrl?: string;
  /** The same database without a connection pooler, for making the tables and LISTEN. */
  databaseDirectUrl?: string;
  dataDir: string;
  /** Encrypts secrets in the database. Without it, a file in `dataDir` has the key. */
  sealingKey?: Buffer;
  demo: boolean;
  /** Whether demo people act by themselves. */
  isDemoLive: boolean;
  /** The demo people that anyone at this machine may sign in as. The code that starts the server sets it. */
  demoAccounts?: () => readonly DemoAccount[];
  /** The operator of the demo that anyone at this machine may sign in as. The code that starts the server sets it. */
  demoOperator?: () => { email: string; password: string } | undefined;
  /** The demo people once the demo is complete. The code that starts the server sets it. */
  demoPeople?: () => DemoPeople | undefined;
  /** Whether the demo is being added, so that the API answers nobody else. */
  isDemoPreparing?: () => boolean;
  square?: SquareConfig;
  mapbox?: MapboxConfig;
  mapStyleUrl?: string;
  /** An OSRM server, without `/route`. Without it, routes are straight lines. */
  routingUrl?: string;
  smtpUrl?: string;
  /** Where the contents of files are kept. Without it, they are kept in the database. */
  s3?: S3Config;
  mailFrom: string;
  supportEmail: string;
  /** The third parties that a stand-in replaces. */
  sandbox: ThirdParties;
  /** The stand-ins that this server serves: those in use, or all of them with SANDBOX=on. */
  reachable: ThirdParties;
  /** The names of the variables that are set. */
  variables: readonly string[];
  trustProxy: boolean | number | string[];
  /** Host names that clients may use, in addition to those of `publicUrl` and `host`. */
  allowedHosts?: string[];
  rateLimitScale: number;
  /** The stand-in for push services: the only private address that pushes may be sent to. */
  pushStandIn?: string;
  /** Where Prometheus reads `/metrics`. Port 0 takes any free port. */
  metrics?: { port: number; host: string };
  /** How long a stopping server keeps answering, so that load balancers notice. */
  drainS: number;
  /** 0 takes any free port. */
  sandboxSmtpPort: number;
};

// Longer than the two seconds between a load balancer's checks, and short enough to stop within Docker's ten.
const DEFAULT_DRAIN_S = 4;

/** Reads the configuration from the environment; throws a ConfigError for the first variable that cannot be used. */
export function readConfig(variables: Env): Config {
  const env = parseEnvironment(variables);
  const { PORT: port, HOST: host, DATABASE_URL: databaseUrl, MAP_STYLE_URL: mapStyleUrl, SMTP_URL: smtpUrl } = env;
  const publicUrl = env.PUBLIC_URL ?? `http://${toUrlHost(reachableHost(host))}:${port}`;
  const square = readSquare(env);
  const mapbox = readMapbox(env);
  const s3 = readS3(env);
  const missing = { square: !square, places: !mapbox, map: !mapStyleUrl, mail: !smtpUrl };
  if (!env.SANDBOX) refusePublicStandIns(host, publicUrl, missing);
  const demo = readDemoMode(env, missing);
  const mailDomain = mailDomainOf(publicUrl);
  const reachable = env.SANDBOX ? { square: true, places: true, map: true, mail: true } : missing;
  if (env.WORKERS > 1) refuseOwnState(env, reachable);
  return {
    port,
    host,
    workers: env.WORKERS,
    publicUrl,
    ...(databaseUrl ? { databaseUrl } : {}),
    ...(databaseUrl && env.DATABASE_DIRECT_URL ? { databaseDirectUrl: env.DATABASE_DIRECT_URL } : {}),
    dataDir: resolve(env.DATA_DIR),
    ...(env.SEALING_KEY ? { sealingKey: env.SEALING_KEY } : {}),
    demo: demo !== 'off',
    isDemoLive: demo === 'live',
    ...(square ? { square } : {}),
    ...(mapbox ? { mapbox } : {}),
    ...(mapStyleUrl ? { mapStyleUrl } : {}),
    ...(env.ROUTING_URL ? { routingUrl: env.ROUTING_URL } : {}),
    ...(smtpUrl ? { smtpUrl } : {}),
    ...(s3 ? { s3 } : {}),
    mailFrom: env.MAIL_FROM ?? `Rubadub <no-reply@${mailDomain}>`,
    supportEmail: env.SUPPORT_EMAIL ?? `support@${mailDomain}`,
    sandbox: {
      ...missing,
      square: !square || isStandInUrl(square.baseUrl, 'square'),
      places: !mapbox || isStandInUrl(mapbox.baseUrl, 'places'),
    },
    reachable,
    variables: listSetVariables(variables),
    trustProxy: env.TRUST_PROXY,
    ...(env.ALLOWED_HOSTS ? { allowedHosts: env.ALLOWED_HOSTS } : {}),
    rateLimitScale: env.RATE_LIMIT_SCALE,
    ...(env.PUSH_STAND_IN_URL ? { pushStandIn: env.PUSH_STAND_IN_URL } : {}),
    ...(env.METRICS_PORT === undefined ? {} : { metrics: { port: env.METRICS_PORT, host: env.METRICS_HOST } }),
    drainS: env.DRAIN_S ?? (databaseUrl ? DEFAULT_DRAIN_S : 0),
    sandboxSmtpPort: env.SANDBOX_SMTP_PORT,
  };
}

/** Points every third party that is not configured at its stand-in, once the server's and the inbox's addresses are known. */
export function fillStandIns(
  config: Config,
  { publicUrl, ownUrl, ...inbox }: { publicUrl: string; ownUrl: string; smtpUrl?: string },
): Config {
  const smtpUrl = config.smtpUrl ?? inbox.smtpUrl;
  // The push stand-in comes with the mail stand-in, or with a Square stand-in on another machine.
  const pushStandIn =
    config.pushStandIn ?? (config.reachable.mail ? `${publicUrl}/sandbox/push` : pushStandInBeside(config.square));
  // The stand-in knows the streets of the made-up map only.
  const routingUrl = config.routingUrl ?? (config.mapStyleUrl ? undefined : `${ownUrl}/sandbox/routing`);
  return {
    ...config,
    publicUrl,
    // The server calls its stand-in over loopback: PUBLIC_URL may belong to a proxy that it cannot reach.
    square: config.square ?? {
      accessToken: 'sandbox',
      applicationId: 'sandbox-rubadub',
      locationId: 'sandbox',
      baseUrl: `${ownUrl}/sandbox/square`,
      webSdkUrl: `${publicUrl}/sandbox/square/web-sdk/square.js`,
    },
    mapbox: config.mapbox ?? { token: 'sandbox', baseUrl: `${publicUrl}/sandbox/places` },
    mapStyleUrl: config.mapStyleUrl ?? `${publicUrl}/sandbox/map/style.json`,
    ...(routingUrl ? { routingUrl } : {}),
    ...(pushStandIn ? { pushStandIn } : {}),
    ...(smtpUrl ? { smtpUrl } : {}),
  };
}

const SQUARE_KEYS = ['SQUARE_ACCESS_TOKEN', 'SQUARE_APPLICATION_ID', 'SQUARE_LOCATION_ID'] as const;

function readSquare(env: Environment): SquareConfig | undefined {
  const { SQUARE_BASE_URL: baseUrl, SQUARE_WEB_SDK_URL: webSdkUrl, SQUARE_WEBHOOK_KEY: webhookKey } = env;
  if (!baseUrl && !webSdkUrl && !webhookKey && SQUARE_KEYS.every((name) => !env[name])) return undefined;
  // A stand-in on another machine accepts any key.
  const isStandIn = baseUrl !== undefined && isStandInUrl(baseUrl, 'square');
  const [accessToken, applicationId, locationId] = SQUARE_KEYS.map((name) => {
    const value = env[name] ?? (isStandIn ? 'sandbox' : undefined);
    if (value === undefined) throw new ConfigError(name, `is missing: Square needs ${SQUARE_KEYS.join(', ')} together`);
    return value;
  }) as [string, string, string];
  // Application ids of Square's own sandbox have this prefix, so test and live keys cannot be mixed up.
  const isTest = applicationId.startsWith('sandbox-');
  return {
    accessToken,
    applicationId,
    locationId,
    baseUrl: baseUrl ?? (isTest ? 'https://connect.squareupsandbox.com' : 'https://connect.squareup.com'),
    webSdkUrl: webSdkUrl ?? (isStandIn ? `${baseUrl}/web-sdk/square.js` : squareSdkUrl(isTest)),
    ...(webhookKey ? { webhookKey } : {}),
  };
}

function squareSdkUrl(isTest: boolean): string {
  return isTest ? 'https://sandbox.web.squarecdn.com/v1/square.js' : 'https://web.squarecdn.com/v1/square.js';
}

function readMapbox({ MAPBOX_BASE_URL: baseUrl, MAPBOX_TOKEN: token }: Environment): MapboxConfig | undefined {
  if (token !== undefined) return { token, baseUrl: baseUrl ?? 'https://api.mapbox.com' };
  if (baseUrl === undefined) return undefined;
  if (isStandInUrl(baseUrl, 'places')) return { token: 'sandbox', baseUrl };
  throw new ConfigError('MAPBOX_TOKEN', 'is missing: MAPBOX_BASE_URL is of no use without it');
}

function pushStandInBeside(square: SquareConfig | undefined): string | undefined {
  const isStandIn = square && isStandInUrl(square.baseUrl, 'square');
  return isStandIn ? `${new URL(square.baseUrl).origin}/sandbox/push` : undefined;
}

function readDemoMode({ DEMO: wanted, DATABASE_URL: databaseUrl }: Environment, missing: ThirdParties): DemoMode {
  const isPossible = missing.square && missing.mail;
  if (wanted === undefined) return databaseUrl === undefined && isPossible ? 'live' : 'off';
  if (wanted !== 'off' && !isPossible) {
    const real = missing.mail ? 'SQUARE_ACCESS_TOKEN' : 'SMTP_URL';
    throw new ConfigError(
      'DEMO',
      `is ${wanted}, but ${real} is set: the demo pays and gets its mail through the stand-ins only`,
    );
  }
  // Several servers would act for the same people.
  if (wanted === 'live' && databaseUrl !== undefined)
    throw new ConfigError(
      'DEMO',
      'is live, but DATABASE_URL is set: a live demo has the embedded database. DEMO=on works',
    );
  return wanted;
}

// The sandbox shows all mail to anyone who can open it, so it is not public by accident.
function refusePublicStandIns(host: string, publicUrl: string, missing: ThirdParties): void {
  const unset = [
    missing.square && 'SQUARE_ACCESS_TOKEN (with SQUARE_APPLICATION_ID, SQUARE_LOCATION_ID)',
    missing.places && 'MAPBOX_TOKEN',
    missing.map && 'MAP_STYLE_URL',
    missing.mail && 'SMTP_URL',
  ].filter((name) => name !== false);
  if (unset.length === 0) return;
  const variable = isLoopback(host) ? 'PUBLIC_URL' : 'HOST';
  if (variable === 'PUBLIC_URL' && isLoopback(new URL(publicUrl).hostname)) return;
  throw new ConfigError(
    variable,
    `is not loopback, and stand-ins would be open to others: set ${unset.join(', ')}, or SANDBOX=on if that is meant`,
  );
}

// Each process would have its own payments, mails and database.
function refuseOwnState({ WORKERS: workers, DATABASE_URL: databaseUrl }: Environment, reachable: ThirdParties): void {
  const own = [
    databaseUrl === undefined && 'DATABASE_URL is not set',
    reachable.square && 'the stand-in for card payments runs in the server',
    reachable.mail && 'the stand-in for mail runs in the server',
  ].find((problem) => problem !== false);
  if (own) throw new ConfigError('WORKERS', `is ${workers}, but ${own}: processes share PostgreSQL and real services`);
}

/** Whether a host name or IP address means this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (ipaddr.isValid(name)) return ipaddr.parse(name).range() === 'loopback';
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Whether only this machine can reach the server, as far as its configuration says. */
export function isLocalOnly({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean {
  return isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
}

/** The address to connect to for a host that the server listens on: a wildcard becomes loopback. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** The host as a URL writes it: an IPv6 address in brackets. */
export function toUrlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function mailDomainOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isLoopback(hostname) || isIP(hostname) !== 0 || hostname.startsWith('[') ? 'rubadub.test' : hostname;
}

/** The card network that the configuration names, or its stand-in. */
export function requireSquare({ square }: Config): SquareConfig {
  if (!square) throw new Error('the configuration names no card network');
  return square;
}
