/** The hosts of a database, of which connections use one at a time. */
export type DatabaseHosts = {
  /** The URL that new connections use. */
  url(): string;
  /** Moves on to the next host after a connection to `url` failed. Does nothing when that has happened already. */
  skip(url: string): void;
  readonly count: number;
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

const sessionAttributesOf = (url: string) => new URL(url).searchParams.get('target_session_attrs');

/** Whether every host is valid, and target_session_attrs is one that we support. */
export function isDatabaseUrl(databaseUrl: string): boolean {
  const urls = splitHosts(databaseUrl);
  if (!urls.every((url) => URL.canParse(url))) return false;
  const attributes = sessionAttributesOf(urls[0] ?? '');
  return attributes === null || SESSION_ATTRIBUTES.includes(attributes);
}

/** Reads the hosts of a database URL. It starts with the first one. */
export function readHosts(databaseUrl: string): DatabaseHosts {
  const urls = splitHosts(databaseUrl).map((text) => {
    const url = new URL(text);
    url.searchParams.delete('target_session_attrs');
    return url.href;
  });
  const attributes = sessionAttributesOf(splitHosts(databaseUrl)[0] ?? '');
  let current = 0;
  return {
    url: () => urls[current] ?? databaseUrl,
    skip(url) {
      if (urls[current] === url) current = (current + 1) % urls.length;
    },
    count: urls.length,
    mustWrite: attributes !== null && WRITABLE.includes(attributes),
  };
}
