import { accessSync, constants } from 'node:fs';

/** The hosts of a database, of which connections use one at a time. */
export type DatabaseHosts = {
  /** The URL that new connections use. */
  url(): string;
  /** Moves on to the next host after a connection to `url` failed. Does nothing when that has happened already. */
  skip(url: string): void;
  /** The number of URLs to try. */
  readonly count: number;
  /** Whether there are other servers to move on to. */
  readonly hasOthers: boolean;
  /** Whether a connection must check that it can write: the URL asks for the primary among several hosts. */
  readonly mustWrite: boolean;
};

const WRITABLE = ['read-write', 'primary'];
const SESSION_ATTRIBUTES = ['any', ...WRITABLE];

/** `scheme://user:password@hosts/rest`. The host list is split by hand, because a URL has one host. */
function splitUrl(url: string) {
  const authorityAt = url.indexOf('//') + 2;
  const pathAt = url.slice(authorityAt).search(/[/?#]/);
  const end = pathAt < 0 ? url.length : authorityAt + pathAt;
  const hostsAt = url.slice(0, end).lastIndexOf('@') + 1 || authorityAt;
  return { before: url.slice(0, hostsAt), hosts: url.slice(hostsAt, end).split(','), after: url.slice(end) };
}

/** One URL per host of `postgres://user:password@a:5432,b,c/name?target_session_attrs=read-write`. */
export function splitHosts(databaseUrl: string): string[] {
  const { before, hosts, after } = splitUrl(databaseUrl);
  return hosts.map((host) => `${before}${host}${after}`);
}

const parameterOf = (url: string, name: string) => new URL(url).searchParams.get(name);
const sessionAttributesOf = (url: string) => parameterOf(url, 'target_session_attrs');

/** What psql knows, and `no-verify`, which only pg does. */
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** Parameters of a URL that name a file, which is read for each connection. */
const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;
/** psql takes this for the certificates that the machine trusts. */
const SYSTEM = 'system';

/** What is wrong with a database URL, in words for the operator, without its password; undefined when nothing is. */
export function findUrlProblem(databaseUrl: string): string | undefined {
  const urls = splitHosts(databaseUrl);
  const [first = ''] = urls;
  if (!/^postgres(ql)?:\/\//i.test(databaseUrl) || !urls.every((url) => URL.canParse(url)))
    return 'must be a URL that begins with postgres:// or postgresql://, its hosts separated by commas';
  const attributes = sessionAttributesOf(first);
  if (attributes !== null && !SESSION_ATTRIBUTES.includes(attributes))
    return 'has a target_session_attrs that is not any, read-write or primary';
  return findSslProblem(first);
}

function findSslProblem(url: string): string | undefined {
  const mode = parameterOf(url, 'sslmode');
  if (mode !== null && !SSL_MODES.includes(mode))
    return `has the sslmode "${mode}": it is one of ${SSL_MODES.join(', ')}, as for psql`;
  const root = parameterOf(url, 'sslrootcert');
  if (mode === 'verify-ca' && root === null)
    return 'has sslmode=verify-ca without sslrootcert: add the file of the CA, or use verify-full';
  if (root === SYSTEM && mode !== null && mode !== 'verify-full')
    return 'has sslrootcert=system with a weak sslmode: psql allows only verify-full there';
  for (const name of SSL_FILES) {
    const file = parameterOf(url, name);
    if (file !== null && file !== SYSTEM && !canRead(file))
      return `names a file in ${name} that cannot be read: ${file}`;
  }
  return undefined;
}

function canRead(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** The URLs to try for a host, for pg, so that it means by sslmode what psql means. */
function urlsForPg(text: string): string[] {
  const url = new URL(text);
  const { searchParams } = url;
  searchParams.delete('target_session_attrs');
  if (searchParams.get('sslrootcert') === SYSTEM) {
    // Node trusts its own list of authorities, and checks the name of the host.
    searchParams.delete('sslrootcert');
    searchParams.set('sslmode', 'verify-full');
  }
  const mode = searchParams.get('sslmode');
  const withMode = (other: string): string => {
    const changed = new URL(url);
    changed.searchParams.set('sslmode', other);
    if (other !== 'no-verify') changed.searchParams.set('uselibpqcompat', 'true');
    return changed.href;
  };
  if (mode === null) return [url.href];
  // pg does not fall back by itself when a server has no TLS, or takes nothing without it.
  if (mode === 'prefer') return [withMode('require'), withMode('disable')];
  if (mode === 'allow') return [withMode('disable'), withMode('require')];
  return [withMode(mode)];
}

/** Reads the hosts of a database URL. It starts with the first one. */
export function readHosts(databaseUrl: string): DatabaseHosts {
  const hosts = splitHosts(databaseUrl);
  const urls = hosts.flatMap(urlsForPg);
  const attributes = sessionAttributesOf(hosts[0] ?? '');
  let current = 0;
  return {
    url: () => urls[current] ?? databaseUrl,
    skip(url) {
      if (urls[current] === url) current = (current + 1) % urls.length;
    },
    count: urls.length,
    hasOthers: hosts.length > 1,
    mustWrite: attributes !== null && WRITABLE.includes(attributes),
  };
}

const UNTRUSTED =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT.*|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

/** What to change in a database URL after a connection failed because of TLS, in words for the operator. */
export function adviseOnTls(error: unknown): string | undefined {
  const { code = '', message } = error as { code?: string; message: string };
  if (UNTRUSTED.test(code))
    return 'leads to a server whose certificate no known authority signed: add sslrootcert=<the file of its CA>, or use sslmode=require, which does not check it';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'leads to a server whose certificate is for another host: use the name that is in it, or sslmode=verify-ca';
  if (message.includes('does not support SSL')) return 'leads to a server without TLS: use sslmode=prefer or disable';
  // What pg_hba.conf of a managed service answers.
  if (code === '28000' && /no encryption|SSL off/.test(message))
    return 'leads to a server that takes only connections with TLS: add ?sslmode=require';
  return undefined;
}
