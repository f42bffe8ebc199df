import { isIP } from 'node:net';

/** A variable of the environment that cannot be used: one line that names it. */
export class ConfigError extends Error {
  constructor(variable: string, fault: string) {
    super(`${variable} ${fault.replaceAll(/\s+/g, ' ')}`);
    this.name = 'ConfigError';
  }
}

export type Env = Record<string, string | undefined>;

// An empty variable counts as none, as compose files leave them behind.
export function readVariable(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

export function readInteger(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = readVariable(env, name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ConfigError(name, `is "${text}", but must be a whole number from ${min} to ${max}`);
}

export function readSwitch(env: Env, name: string): boolean | undefined {
  const text = readVariable(env, name);
  if (text === undefined) return undefined;
  if (text === 'on' || text === 'off') return text === 'on';
  throw new ConfigError(name, `is "${text}", but must be on or off`);
}

export function readHost(env: Env): string {
  const host = readVariable(env, 'HOST') ?? '127.0.0.1';
  if (isIP(host) || /^[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(host)) return host;
  throw new ConfigError('HOST', `is "${host}", but must be a host name or an address, without a port`);
}

// Says nothing of the value: these carry passwords.
export function readUrl(env: Env, name: string, protocols: string[]): string | undefined {
  const text = readVariable(env, name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`))) {
    throw new ConfigError(name, `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
  }
  if (url.hostname === '' && !name.startsWith('DATABASE')) throw new ConfigError(name, 'must name a host');
  if (name === 'PUBLIC_URL' && (url.pathname !== '/' || url.search || url.hash)) {
    throw new ConfigError(name, 'must end after the host and port: the product is served from the root');
  }
  if (name === 'PUBLIC_URL') return url.origin;
  return protocols.includes('http:') ? text.replace(/\/+$/, '') : text;
}

const EMAIL_PATTERN = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;

export function readEmail(env: Env, name: string): string | undefined {
  const text = readVariable(env, name);
  if (text === undefined || EMAIL_PATTERN.test(text)) return text;
  throw new ConfigError(name, `is "${text}", but must be an e-mail address`);
}

export function readSender(env: Env, name: string): string | undefined {
  const text = readVariable(env, name);
  if (text === undefined) return undefined;
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text;
  if (EMAIL_PATTERN.test(address)) return text;
  throw new ConfigError(name, `is "${text}", but must be an e-mail address, or a name and <address>`);
}

export function readTrustProxy(env: Env): boolean | number | string[] {
  const text = readVariable(env, 'TRUST_PROXY');
  if (text === undefined || text === 'off') return false;
  if (text === 'on') return true;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const ranges = text.split(',').map((range) => range.trim());
  if (ranges.every(isAddressRange)) return ranges;
  throw new ConfigError(
    'TRUST_PROXY',
    `is "${text}", but must be on, off, a number of proxies, or addresses with commas`,
  );
}

function isAddressRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(range);
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

export function readRateLimitScale(env: Env): number {
  const text = readVariable(env, 'RATE_LIMIT_SCALE');
  if (text === undefined) return 1;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && /^[\d.]+$/.test(text)) return value;
  throw new ConfigError('RATE_LIMIT_SCALE', `is "${text}", but must be a number above 0`);
}
