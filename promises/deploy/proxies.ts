import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/build.ts';
import { findDebianProgram } from '../../testing/debianProgram.ts';
import { findTestPort } from '../../testing/ports.ts';
import { findHaproxy } from '../fleet/haproxy.ts';
import { createStop } from '../fleet/stopProgram.ts';

/** Where a proxy listens on this machine, and what it needs. */
type Place = {
  readonly home: string;
  readonly http: number;
  readonly https: number;
  /** The ports of the two servers behind it. */
  readonly servers: readonly [number, number];
  readonly certificate: string;
  readonly key: string;
};

type Edit = readonly [from: string, to: string];

type Proxy = {
  readonly file: string;
  find(): string | undefined;
  /** The file of deploy/ for this machine. */
  edits(place: Place): readonly Edit[];
  /** What stands around the file, where the program expects more than the file has. */
  wrap?(text: string, place: Place): string;
  check(file: string): readonly string[];
  run(file: string): readonly string[];
};

/** The proxies of deploy/, as they are started with its files. */
export const PROXIES = {
  HAProxy: {
    file: 'haproxy.cfg',
    find: findHaproxy,
    edits: ({ http, https, servers, certificate }) => [
      ['bind :80\n', `bind 127.0.0.1:${http}\n`],
      ['bind :443 ssl crt /etc/haproxy/laundry.example.org.pem', `bind 127.0.0.1:${https} ssl crt ${certificate}`],
      ['10.0.0.1:3000', `127.0.0.1:${servers[0]}`],
      ['10.0.0.2:3000', `127.0.0.1:${servers[1]}`],
      ['inter 2s', 'inter 200ms'],
    ],
    check: (file) => ['-c', '-f', file],
    run: (file) => ['-db', '-f', file],
  },
  nginx: {
    file: 'nginx.conf',
    find: () => findDebianProgram('/usr/sbin/nginx', 'nginx'),
    edits: ({ http, https, servers, certificate, key }) => [
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
      ['ssl_certificate /etc/ssl/laundry.example.org.pem;', `ssl_certificate ${certificate};`],
      ['ssl_certificate_key /etc/ssl/laundry.example.org.key;', `ssl_certificate_key ${key};`],
      ['10.0.0.1:3000', `127.0.0.1:${servers[0]}`],
      ['10.0.0.2:3000', `127.0.0.1:${servers[1]}`],
    ],
    wrap: (text, { home }) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${home}/${name};`,
      );
      return `daemon off;\npid ${home}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${text}\n}\n`;
    },
    check: (file) => ['-t', '-e', 'stderr', '-c', file],
    run: (file) => ['-e', 'stderr', '-c', file],
  },
  Caddy: {
    file: 'Caddyfile',
    find: () => findDebianProgram('/usr/bin/caddy', 'caddy'),
    edits: ({ servers }) => [
      ['one:3000', `127.0.0.1:${servers[0]}`],
      ['two:3000', `127.0.0.1:${servers[1]}`],
      ['health_interval 2s', 'health_interval 200ms'],
    ],
    // Its own authority signs the certificate of the domain.
    wrap: (text, { http, https, home }) =>
      `{\n\tadmin off\n\tskip_install_trust\n\tlocal_certs\n\thttp_port ${http}\n\thttps_port ${https}\n\tstorage file_system ${home}\n}\n${text}`,
    check: (file) => ['validate', '--adapter', 'caddyfile', '--config', file],
    run: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
} satisfies Record<string, Proxy>;

export type ProxyName = keyof typeof PROXIES;

/** The domain in the files. */
export const DOMAIN = 'laundry.example.org';

export type RunningProxy = { readonly http: number; readonly https: number; log(): string; stop(): Promise<void> };

/** Lets the program check its file, and starts it in front of two servers. */
export async function startProxy(name: ProxyName, program: string, servers: readonly [number, number]) {
  const proxy: Proxy = PROXIES[name];
  const home = mkdtempSync(join(tmpdir(), 'rubadub-proxy-'));
  const [http, https] = [await findTestPort(), await findTestPort()];
  const place: Place = { home, http, https, servers, ...makeCertificate(home) };
  const text = proxy.edits(place).reduce(replaceOnce, readFileSync(join(ROOT, 'deploy', proxy.file), 'utf8'));
  const file = join(home, proxy.file);
  writeFileSync(file, proxy.wrap?.(text, place) ?? text);
  mkdirSync(join(home, 'home'));
  const env = { ...process.env, HOME: join(home, 'home'), DOMAIN };
  const checked = execFileSync(program, proxy.check(file), { env, stdio: 'pipe', encoding: 'utf8' });
  const child = spawn(program, proxy.run(file), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [checked];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(String(chunk)));
  const stop = createStop(child, home);
  return { http, https, log: () => output.join(''), stop } satisfies RunningProxy;
}

function replaceOnce(text: string, [from, to]: Edit): string {
  if (text.split(from).length !== 2) throw new Error(`the file must contain this once: ${from}`);
  return text.replace(from, to);
}

/** A certificate of the domain, with its key in the same file as HAProxy wants it, and the key alone. */
function makeCertificate(home: string): { certificate: string; key: string } {
  const [certificate, key] = [join(home, 'certificate.pem'), join(home, 'key.pem')];
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync('openssl', ['req', '-x509', ...options, '-subj', `/CN=${DOMAIN}`, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  writeFileSync(certificate, readFileSync(key), { flag: 'a' });
  return { certificate, key };
}
