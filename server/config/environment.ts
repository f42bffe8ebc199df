import { isIP } from 'node:net';
import { z } from 'zod';
import { findUrlProblem } from './databaseHosts.ts';

/** An environment variable that cannot be used, in one line that names it. */
export class ConfigError extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem.replaceAll(/\s+/g, ' ')}`);
    this.name = 'ConfigError';
  }
}

export type Env = Record<string, string | undefined>;

const textThat = (isValid: (text: string) => boolean, what: string) =>
  z.string().refine(isValid, { error: ({ input }) => `is "${input}", but must be ${what}` });

const integer = (min: number, max: number) =>
  textThat(
    (text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max,
    `a whole number from ${min} to ${max}`,
  ).transform(Number);

export type DemoMode = 'on' | 'off' | 'live';

const onOff = textThat((text) => text === 'on' || text === 'off', 'on or off').transform((text) => text === 'on');

// Messages about URLs do not repeat the value: it may contain a password.
const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.some((p) => text.toLowerCase().startsWith(`${p}//`)), {
    error: `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    abort: true,
  });

const postgresUrl = z.string().superRefine((text, context) => {
  const problem = findUrlProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});
const webUrl = url('http:', 'https:').transform((text) => text.replace(/\/$/, ''));

const HOST_NAME_PATTERN = /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i;
const isHost = (text: string) => isIP(text) !== 0 || HOST_NAME_PATTERN.test(text);
const EMAIL_PATTERN = /^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/;
const isEmail = (text: string) => EMAIL_PATTERN.test(text);

const PROXY_RANGE_NAMES = ['loopback', 'linklocal', 'uniquelocal'] as const;
const proxyRanges = z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.enum(PROXY_RANGE_NAMES)]));
const splitList = (text: string) => text.split(',').map((item) => item.trim());

function parseTrustProxy(text: string): boolean | number | string[] {
  if (text === 'on' || text === 'off') return text === 'on';
  return /^\d+$/.test(text) ? Number(text) : splitList(text);
}

const ENVIRONMENT = z.object({
  PORT: integer(0, 65_535).default(3000),
  WORKERS: integer(1, 64).default(1),
  HOST: textThat(isHost, 'a host name or an address, without a port').default('127.0.0.1'),
  ALLOWED_HOSTS: textThat((text) => splitList(text).every(isHost), 'host names or addresses with commas, without ports')
    .transform(splitList)
    .optional(),
  PUBLIC_URL: url('http:', 'https:')
    .transform((text) => new URL(text))
    .refine(({ pathname, search, hash }) => pathname === '/' && !search && !hash, {
      error: 'must end after the host and port: the product is served from the root',
    })
    .transform(({ origin }) => origin)
    .optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATA_DIR: z.string().default('./data'),
  // The message does not repeat the value: it is a secret.
  SEALING_KEY: z
    .string()
    .refine((text) => /^[\w-]{43}$/.test(text), {
      error: 'must be 32 random bytes as base64url: 43 letters, digits, - or _',
      abort: true,
    })
    .transform((text) => Buffer.from(text, 'base64url'))
    .optional(),
  DEMO: textThat((text) => ['on', 'off', 'live'].includes(text), 'on, off or live')
    .transform((text) => text as DemoMode)
    .optional(),
  SANDBOX: onOff.default(false),
  SANDBOX_SMTP_PORT: integer(0, 65_535).default(0),
  SQUARE_ACCESS_TOKEN: z.string().optional(),
  SQUARE_APPLICATION_ID: z.string().optional(),
  SQUARE_LOCATION_ID: z.string().optional(),
  SQUARE_BASE_URL: webUrl.optional(),
  SQUARE_WEB_SDK_URL: webUrl.optional(),
  SQUARE_WEBHOOK_KEY: z.string().optional(),
  MAPBOX_TOKEN: z.string().optional(),
  MAPBOX_BASE_URL: webUrl.optional(),
  MAP_STYLE_URL: webUrl.optional(),
  ROUTING_URL: webUrl.optional(),
  SMTP_URL: url('smtp:', 'smtps:')
    .refine((text) => new URL(text).hostname !== '', { error: 'must name a host' })
    .optional(),
  S3_URL: webUrl.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  MAIL_FROM: textThat(
    (text) => isEmail(/^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text),
    'an e-mail address, or a name and <address>',
  ).optional(),
  SUPPORT_EMAIL: textThat(isEmail, 'an e-mail address').optional(),
  TRUST_PROXY: textThat(
    (text) => /^(on|off|\d{1,2})$/.test(text) || proxyRanges.safeParse(splitList(text)).success,
    'on, off, a number of proxies, or addresses with commas',
  )
    .transform(parseTrustProxy)
    .default(false),
  PUSH_STAND_IN_URL: webUrl
    // The server may send to this address even when it is private, so it must not be set by mistake.
    .refine((text) => isStandInUrl(text, 'push'), {
      error: 'must end in /sandbox/push: browsers name their own push service',
    })
    .optional(),
  DRAIN_S: integer(0, 600).optional(),
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_HOST: textThat(isHost, 'a host name or an address, without a port').default('127.0.0.1'),
  RATE_LIMIT_SCALE: textThat(
    (text) => /^[\d.]+$/.test(text) && Number.isFinite(Number(text)) && Number(text) > 0,
    'a number above 0',
  )
    .transform(Number)
    .default(1),
});

export type Environment = z.output<typeof ENVIRONMENT>;

const readVariable = (env: Env, name: string) => env[name]?.trim() || undefined;

/** The names of the variables of the product that have a value. */
export const listSetVariables = (env: Env): string[] =>
  Object.keys(ENVIRONMENT.shape).filter((name) => readVariable(env, name) !== undefined);

/** Checks each variable separately; throws a ConfigError for the first invalid one. An empty variable counts as unset. */
export function parseEnvironment(env: Env): Environment {
  const values = Object.keys(ENVIRONMENT.shape).map((name) => [name, readVariable(env, name)]);
  const result = ENVIRONMENT.safeParse(Object.fromEntries(values));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ConfigError(String(issue?.path[0]), issue?.message ?? 'is invalid');
}

/** Whether a URL belongs to one of the sandbox's stand-ins, on this machine or another. */
export function isStandInUrl(url: string, part: 'square' | 'places' | 'push'): boolean {
  return new URL(url).pathname.endsWith(`/sandbox/${part}`);
}
