import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

// Real npm and a small registry on loopback with two packages: `runs` is needed to run, `tests` only by tests.
const PACKAGES = ['runs', 'tests'];

// Longer than the name in the header of an archive.
const LONG_NAME = `${'folder/'.repeat(20)}file.js`;

let home: string;
let checkout: string;
let tarballs: Map<string, Buffer>;
/** What the registry was asked for. */
let asked: string[];
/** Requests that contain this text wait until `release` is called. */
let held: { text: string; arrived: () => void; until: Promise<void> } | undefined;
let hasNpmAddresses: boolean;
let isTampered: boolean;
/** More of npm's settings. */
let settings: Record<string, string>;

const registry = createServer(async ({ url = '' }, response) => {
  asked.push(url);
  if (held && url.includes(held.text)) {
    held.arrived();
    await held.until;
  }
  const { host } = new URL(registryUrl());
  const name = PACKAGES.find((one) => url.startsWith(`/${one}`)) ?? '';
  const version = /(\d+\.0\.0)\.tgz/.exec(url)?.[1] ?? '1.0.0';
  const tarball = tarballs.get(`${isTampered ? 'tests' : name}-${version}`);
  if (url.endsWith('.tgz')) {
    const isKnown = hasNpmAddresses === url.includes('/-/');
    return response.writeHead(isKnown ? 200 : 404).end(isKnown ? tarball : '{}');
  }
  const versions = ['1.0.0', '2.0.0'].map((one) => {
    const dist = { tarball: `http://${host}/${name}/files/${one}.tgz`, integrity: integrityOf(name, one) };
    return [one, { name, version: one, dist }];
  });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions: Object.fromEntries(versions) }));
});

function registryUrl(): string {
  const address = registry.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
}

const integrityOf = (name: string, version: string) =>
  `sha512-${createHash('sha512')
    .update(tarballs.get(`${name}-${version}`) ?? '')
    .digest('base64')}`;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'rubadub-install-'));
  tarballs = new Map();
  for (const name of PACKAGES) {
    for (const version of ['1.0.0', '2.0.0']) {
      const folder = join(home, `${name}-${version}`, 'package');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, main: 'index.js' }));
      writeFileSync(join(folder, 'index.js'), `module.exports = '${name} ${version}';`);
      for (const file of ['index.d.ts', LONG_NAME]) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), 'export {};');
      }
      tarballs.set(`${name}-${version}`, execFileSync('tar', ['-cz', '-C', dirname(folder), 'package']));
    }
  }
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
});

afterAll(() => {
  registry.closeAllConnections();
  registry.close();
  rmSync(home, { recursive: true, force: true });
});

beforeEach(() => {
  asked = [];
  held = undefined;
  hasNpmAddresses = true;
  isTampered = false;
  settings = {};
  checkout = mkdtempSync(join(home, 'checkout-'));
  mkdirSync(join(checkout, 'scripts'));
  for (const name of ['run', 'installPackages.mjs', 'installLock.mjs', 'downloadPackages.mjs', 'unpackPackage.mjs']) {
    cpSync(join(import.meta.dirname, name), join(checkout, 'scripts', name));
  }
  writeFileSync(
    join(checkout, 'scripts', 'hello.cjs'),
    'for (const name of process.argv.slice(2)) console.log(require(name));',
  );
  writeLockfile('1.0.0');
});

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function writeLockfile(version: string): void {
  const [dependencies, devDependencies] = [{ runs: version }, { tests: version }];
  const root = { name: 'checkout', version: '1.0.0', dependencies, devDependencies };
  const packages = {
    '': root,
    'node_modules/runs': { version, integrity: integrityOf('runs', version) },
    'node_modules/tests': { version, integrity: integrityOf('tests', version), dev: true },
  };
  writeFileSync(join(checkout, 'package.json'), JSON.stringify(root));
  const lockfile = { name: 'checkout', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(checkout, 'package-lock.json'), JSON.stringify(lockfile));
}

function launch(...args: string[]) {
  const { PATH = '' } = process.env;
  return spawn('sh', [join(checkout, 'scripts', 'run'), ...args], {
    env: {
      PATH: [dirname(process.execPath), PATH].join(delimiter),
      HOME: home,
      npm_config_registry: registryUrl(),
      npm_config_cache: join(checkout, '.cache', 'npm'),
      npm_config_fetch_retries: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

async function run(...args: string[]): Promise<string> {
  const child = launch(...args);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return child.exitCode === 0 ? stdout.trim() : stderr;
}

const start = (...names: string[]) => run('scripts/hello.cjs', ...(names.length > 0 ? names : ['runs']));
const test = () => run('--all', 'scripts/hello.cjs', 'runs', 'tests');
const isThere = (name: string) => existsSync(join(checkout, 'node_modules', name));
const inodeOf = (path: string) => statSync(join(checkout, 'node_modules', path)).ino;

/** Holds requests for `text` at the registry. `arrived` resolves when one is there. */
function hold(requested: string) {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    held = { text: requested, arrived: resolve, until };
  });
  return { arrived, release };
}

it('a start installs what running needs, and once; the tests add the rest and keep what is there', async () => {
  expect(await start()).toBe('runs 1.0.0');
  expect(asked).toEqual(['/runs/-/runs-1.0.0.tgz']);
  expect(isThere('tests')).toBe(false);
  const inode = inodeOf('runs/index.js');
  expect(isThere(`runs/${LONG_NAME}`)).toBe(true);
  // Running needs no declarations. Tests do.
  expect(isThere('runs/index.d.ts')).toBe(false);
  expect(await start()).toBe('runs 1.0.0');
  expect(asked).toHaveLength(1);

  expect(await test()).toBe('runs 1.0.0\ntests 1.0.0');
  expect(inodeOf('runs/index.js')).toBe(inode);
  expect(isThere('runs/index.d.ts')).toBe(true);
  // npm finds the archive in its cache.
  expect(asked).toEqual(['/runs/-/runs-1.0.0.tgz', '/tests/-/tests-1.0.0.tgz']);
  const count = asked.length;
  expect(await start('runs', 'tests')).toBe('runs 1.0.0\ntests 1.0.0');
  expect(await test()).toBe('runs 1.0.0\ntests 1.0.0');
  expect(asked).toHaveLength(count);

  writeLockfile('2.0.0');
  expect(await start()).toBe('runs 2.0.0');
  expect(isThere('tests')).toBe(false);
  expect(leftovers()).toEqual([]);
});

it('an interrupted install is repaired by the next command', async () => {
  // npm asks for both at once. One that has arrived is in its cache, and is not asked for again below.
  const { arrived, release } = hold('.tgz');
  const interrupted = launch('--all', 'scripts/hello.cjs', 'runs');
  await arrived;
  process.kill(-(interrupted.pid ?? 0), 'SIGKILL');
  await once(interrupted, 'close');
  release();
  expect(isThere('runs')).toBe(false);
  expect(await start()).toBe('runs 1.0.0');

  // While the tests' packages are added, the product runs with its own, and an interruption takes none of them away.
  const second = hold('tests-1.0.0.tgz');
  const adding = launch('--all', 'scripts/hello.cjs', 'runs');
  await second.arrived;
  expect(await start()).toBe('runs 1.0.0');
  process.kill(-(adding.pid ?? 0), 'SIGKILL');
  await once(adding, 'close');
  second.release();
  expect(await start()).toBe('runs 1.0.0');
  expect(await test()).toBe('runs 1.0.0\ntests 1.0.0');
  expect(leftovers()).toEqual([]);
});

it('of two commands at once one installs and the other waits', async () => {
  const { arrived, release } = hold('runs-1.0.0.tgz');
  const first = test();
  await arrived;
  const child = launch('scripts/hello.cjs', 'runs');
  const stdout = text(child.stdout);
  const [line] = (await once(child.stderr, 'data')) as [Buffer];
  expect(String(line)).toMatch(/^rubadub: process \d+ is installing packages here; waiting/);
  release();
  expect(await first).toBe('runs 1.0.0\ntests 1.0.0');
  expect(await stdout).toBe('runs 1.0.0\n');
  expect(asked.filter((url) => url.includes('runs'))).toHaveLength(1);
});

it('a registry that keeps its packages at other addresses is asked for them', async () => {
  hasNpmAddresses = false;
  expect(await start()).toBe('runs 1.0.0');
  expect(asked).toEqual(['/runs/-/runs-1.0.0.tgz', '/runs', '/runs/files/1.0.0.tgz']);
});

it('a wrong checksum stops the command, and installs nothing', async () => {
  isTampered = true;
  const lines = await start();
  expect(lines).toContain('EINTEGRITY');
  expect(lines).toContain('rubadub: the install failed; see the errors above.');
  expect(isThere('runs')).toBe(false);
});

it('npm installs where its settings name a proxy', async () => {
  settings = { npm_config_proxy: registryUrl(), npm_config_noproxy: 'example.org' };
  await start();
  // The registry is its own proxy here. A proxy is asked for whole addresses.
  expect(asked[0]).toBe(`${registryUrl()}runs/-/runs-1.0.0.tgz`);
});

it.each(['HTTP_PROXY', 'http_proxy', 'PROXY'])('npm installs where %s names a proxy', async (name) => {
  settings = { [name]: registryUrl(), npm_config_noproxy: 'example.org' };
  await start();
  expect(asked[0]).toBe(`${registryUrl()}runs/-/runs-1.0.0.tgz`);
});

it('an empty proxy is none', async () => {
  settings = { HTTPS_PROXY: '' };
  await start();
  expect(asked).toEqual(['/runs/-/runs-1.0.0.tgz']);
});

it('a second checkout downloads nothing again', async () => {
  expect(await start()).toBe('runs 1.0.0');
  rmSync(join(checkout, 'node_modules'), { recursive: true });
  expect(await start()).toBe('runs 1.0.0');
  expect(asked).toEqual(['/runs/-/runs-1.0.0.tgz']);
});

/** Files of unfinished installs. */
function leftovers(): string[] {
  return readdirSync(join(checkout, 'node_modules', '.rubadub')).filter(
    (name) => !/^(?:lock\.\d+|running\.json|all\.json)$/.test(name),
  );
}
