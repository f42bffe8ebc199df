import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  ConfigError,
  type Env,
  readEmail,
  readHost,
  readInteger,
  readRateLimitScale,
  readSender,
  readSwitch,
  readTrustProxy,
  readUrl,
  readVariable,
} from './variables.ts';

export type ThirdParties = { square: boolean; places: boolean; map: boolean; mail: boolean };

export type SquareConfig = {
  accessToken: string;
  applicationId: string;
  locationId: string;
  /** What `/v2/payments` is appended to. */
  baseUrl: string;
  /** Where the browser loads the card form's script from. */
  webSdkUrl: string;
  webhookKey?: string;
};

export type MapboxConfig = { token: string; baseUrl: string };

export type Config = {
  /** 0 asks for any free port. */
  port: number;
  host: string;
  /** Where people's browsers find us; no slash at its end. */
  publicUrl: string;
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl?: string;
  /** The same database past a pooler, for what needs a session of its own. */
  databaseDirectUrl?: string;
  dataDir: string;
  demo: boolean;
  square?: SquareConfig;
  mapbox?: MapboxConfig;
  mapStyleUrl?: string;
  smtpUrl?: string;
  mailFrom: string;
  supportEmail: string;
  /** The parts that a stand-in plays. */
  sandbox: ThirdParties;
  /** The stand-ins that this server keeps reachable: those in use, or all of them with SANDBOX=on. */
  reachable: ThirdParties;
  trustProxy: boolean | number | string[];
  rateLimitScale: number;
  /** The push service's stand-in: the one address on this machine that pushes may be sent to. */
  pushStandIn?: string;
  /** 0 takes any free port. */
  sandboxSmtpPort: number;
};

/** Checks every variable; throws a ConfigError for the first that cannot be used. */
export function readConfig(env: Env): Config {
  const port = readInteger(env, 'PORT', 3000, 0, 65_535);
  const host = readHost(env);
  const publicUrl =
    readUrl(env, 'PUBLIC_URL', ['http:', 'https:']) ?? `http://${toUrlHost(reachableHost(host))}:${port}`;
  const databaseUrl = readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:']);
  const databaseDirectUrl = readUrl(env, 'DATABASE_DIRECT_URL', ['postgres:', 'postgresql:']) ?? databaseUrl;
  const square = readSquare(env);
  const mapbox = readMapbox(env);
  const mapStyleUrl = readUrl(env, 'MAP_STYLE_URL', ['http:', 'https:']);
  const smtpUrl = readUrl(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  const pushStandIn = readPushStandIn(env);
  const missing = { square: !square, places: !mapbox, map: !mapStyleUrl, mail: !smtpUrl };
  const allReachable = readSwitch(env, 'SANDBOX') ?? false;
  if (!allReachable) refuseAccidentalStandIns(host, publicUrl, missing);
  const domain = mailDomain(publicUrl);
  return {
    port,
    host,
    publicUrl,
    ...(databaseUrl && databaseDirectUrl ? { databaseUrl, databaseDirectUrl } : {}),
    dataDir: resolve(readVariable(env, 'DATA_DIR') ?? './data'),
    demo: readDemo(env, databaseUrl !== undefined, missing),
    ...(square ? { square } : {}),
    ...(mapbox ? { mapbox } : {}),
    ...(mapStyleUrl ? { mapStyleUrl } : {}),
    ...(smtpUrl ? { smtpUrl } : {}),
    mailFrom: readSender(env, 'MAIL_FROM') ?? `Rubadub <no-reply@${domain}>`,
    supportEmail: readEmail(env, 'SUPPORT_EMAIL') ?? `support@${domain}`,
    sandbox: {
      ...missing,
      square: !square || isStandIn(square.baseUrl, 'square'),
      places: !mapbox || isStandIn(mapbox.baseUrl, 'places'),
    },
    reachable: allReachable ? { square: true, places: true, map: true, mail: true } : missing,
    trustProxy: readTrustProxy(env),
    rateLimitScale: readRateLimitScale(env),
    ...(pushStandIn ? { pushStandIn } : {}),
    sandboxSmtpPort: readInteger(env, 'SANDBOX_SMTP_PORT', 0, 0, 65_535),
  };
}

/** What a start without configuration fills in, once the address of this server and of its inbox is known. */
export function fillStandIns(config: Config, at: { publicUrl: string; ownUrl: string; smtpUrl?: string }): Config {
  const { publicUrl, ownUrl, smtpUrl } = at;
  // The two ways in which we reach people have their stand-ins together; a set of stand-ins elsewhere has them all.
  const pushStandIn =
    config.pushStandIn ?? (config.reachable.mail ? `${publicUrl}/sandbox/push` : pushStandInBeside(config.square));
  return {
    ...config,
    publicUrl,
    // The server reaches its own stand-in over loopback: PUBLIC_URL may lead through a proxy that it cannot reach.
    square: config.square ?? {
      accessToken: 'sandbox',
      applicationId: 'sandbox-rubadub',
      locationId: 'sandbox',
      baseUrl: `${ownUrl}/sandbox/square`,
      webSdkUrl: `${publicUrl}/sandbox/square/web-sdk/square.js`,
    },
    mapbox: config.mapbox ?? { token: 'sandbox', baseUrl: `${publicUrl}/sandbox/places` },
    mapStyleUrl: config.mapStyleUrl ?? `${publicUrl}/sandbox/map/style.json`,
    ...(pushStandIn ? { pushStandIn } : {}),
    ...((config.smtpUrl ?? smtpUrl) ? { smtpUrl: (config.smtpUrl ?? smtpUrl) as string } : {}),
  };
}

function readSquare(env: Env): SquareConfig | undefined {
  const base = readUrl(env, 'SQUARE_BASE_URL', ['http:', 'https:']);
  const script = readUrl(env, 'SQUARE_WEB_SDK_URL', ['http:', 'https:']);
  const webhookKey = readVariable(env, 'SQUARE_WEBHOOK_KEY');
  const keys = ['SQUARE_ACCESS_TOKEN', 'SQUARE_APPLICATION_ID', 'SQUARE_LOCATION_ID'] as const;
  const given = [...keys, 'SQUARE_BASE_URL', 'SQUARE_WEB_SDK_URL', 'SQUARE_WEBHOOK_KEY'].filter((name) =>
    readVariable(env, name),
  );
  if (given.length === 0) return undefined;
  // A stand-in on another machine takes any key, so none needs to be made up for it.
  const standIn = base !== undefined && isStandIn(base, 'square');
  const [accessToken, applicationId, locationId] = keys.map((name) => {
    const value = readVariable(env, name) ?? (standIn ? 'sandbox' : undefined);
    if (value === undefined) throw new ConfigError(name, `is missing: Square needs ${keys.join(', ')} together`);
    return value;
  }) as [string, string, string];
  // Square's own ids tell its sandbox from the live system, so the two cannot be mixed up.
  const testing = applicationId.startsWith('sandbox-');
  return {
    accessToken,
    applicationId,
    locationId,
    baseUrl: base ?? (testing ? 'https://connect.squareupsandbox.com' : 'https://connect.squareup.com'),
    webSdkUrl: script ?? (standIn ? `${base}/web-sdk/square.js` : squareSdkUrl(testing)),
    ...(webhookKey ? { webhookKey } : {}),
  };
}

function squareSdkUrl(testing: boolean): string {
  return testing ? 'https://sandbox.web.squarecdn.com/v1/square.js' : 'https://web.squarecdn.com/v1/square.js';
}

function readMapbox(env: Env): MapboxConfig | undefined {
  const base = readUrl(env, 'MAPBOX_BASE_URL', ['http:', 'https:']);
  const token = readVariable(env, 'MAPBOX_TOKEN');
  if (token !== undefined) return { token, baseUrl: base ?? 'https://api.mapbox.com' };
  if (base === undefined) return undefined;
  if (isStandIn(base, 'places')) return { token: 'sandbox', baseUrl: base };
  throw new ConfigError('MAPBOX_TOKEN', 'is missing: MAPBOX_BASE_URL is of no use without it');
}

function readPushStandIn(env: Env): string | undefined {
  const base = readUrl(env, 'PUSH_STAND_IN_URL', ['http:', 'https:']);
  if (base === undefined || isStandIn(base, 'push')) return base;
  // What may be sent to from here may be on this machine: nobody shall open it for anything else by accident.
  throw new ConfigError('PUSH_STAND_IN_URL', 'must end in /sandbox/push: browsers name their own push service');
}

function pushStandInBeside(square: SquareConfig | undefined): string | undefined {
  return square && isStandIn(square.baseUrl, 'square') ? `${new URL(square.baseUrl).origin}/sandbox/push` : undefined;
}

function isStandIn(base: string, part: 'square' | 'places' | 'push'): boolean {
  return new URL(base).pathname.endsWith(`/sandbox/${part}`);
}

function readDemo(env: Env, onServer: boolean, missing: ThirdParties): boolean {
  const asked = readSwitch(env, 'DEMO');
  const playable = missing.square && missing.mail;
  if (asked && !playable) {
    const real = missing.mail ? 'SQUARE_ACCESS_TOKEN' : 'SMTP_URL';
    throw new ConfigError(
      'DEMO',
      `is on, but ${real} is set: the demo pays and gets its mail through the stand-ins only`,
    );
  }
  return asked ?? (!onServer && playable);
}

// Nobody's mail may lie on a public page by accident.
function refuseAccidentalStandIns(host: string, publicUrl: string, missing: ThirdParties): void {
  const wanted = [
    missing.square && 'SQUARE_ACCESS_TOKEN (with SQUARE_APPLICATION_ID, SQUARE_LOCATION_ID)',
    missing.places && 'MAPBOX_TOKEN',
    missing.map && 'MAP_STYLE_URL',
    missing.mail && 'SMTP_URL',
  ].filter((name) => name !== false);
  if (wanted.length === 0) return;
  const variable = isLoopback(host) ? 'PUBLIC_URL' : 'HOST';
  if (variable === 'PUBLIC_URL' && isLoopback(new URL(publicUrl).hostname)) return;
  throw new ConfigError(
    variable,
    `is not loopback, and stand-ins would be open to others: set ${wanted.join(', ')}, or SANDBOX=on if that is meant`,
  );
}

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    bare === 'localhost' ||
    bare.endsWith('.localhost') ||
    bare === '::1' ||
    (isIP(bare) === 4 && bare.startsWith('127.'))
  );
}

/** The same machine as seen from itself: a wildcard address can be listened on, not gone to. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

export function toUrlHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isLoopback(hostname) || isIP(hostname) !== 0 || hostname.startsWith('[') ? 'rubadub.test' : hostname;
}
