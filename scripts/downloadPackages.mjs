import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unpackPackage } from './unpackPackage.mjs';

const CONNECTIONS = 12;
const SILENCE_MS = 60_000;
const unzip = promisify(gunzip);

// Declarations and source maps are for tools, and Node's headers for compiling native modules: half of all files.
const UNUSED = /\.d\.[cm]?ts$|\.[cm]?[jt]s\.map$|\.css\.map$/;
const HEADERS = /^include\//;
const NODE = /(?:^|\/)node-(?:bin-)?(?:linux|darwin)-[^/]+$/;

/** @typedef {Record<string, unknown> & { registry?: string, cache?: string, cafile?: string | null }} Settings npm's */
/** @typedef {{ version: string, integrity?: string, name?: string, dev?: boolean, link?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }} Entry of the lockfile */

/**
 * Whether the packages can be downloaded without npm. Proxies, certificates of one's own and registries for parts of the
 * packages are npm's business.
 *
 * @param {Settings} settings
 * @param {NodeJS.ProcessEnv} env npm's agent finds its proxies here, too
 */
export function canDownload(settings, env = process.env) {
  if (Object.entries(env).some(([name, value]) => /^(?:https?_)?proxy$/i.test(name) && value)) return false;
  const isPlain = ['proxy', 'https-proxy', 'ca', 'cert', 'key', 'offline'].every((name) => !settings[name]);
  const hasScopes = Object.keys(settings).some((name) => name.startsWith('@'));
  return isPlain && !hasScopes && settings['strict-ssl'] !== false && /^https?:/.test(settings.registry ?? '');
}

/**
 * Does what `npm ci --omit=dev` does, with a tenth of its CPU and half of the files: it writes what the product reads, and each
 * package in one go. Throws if a package does not come, or is not the one of the lockfile.
 *
 * @param {string} folder receives node_modules
 * @param {string} lockfile its text
 * @param {Settings} settings
 */
export async function downloadPackages(folder, lockfile, settings) {
  const parsed = JSON.parse(lockfile);
  const chosen = choosePackages(parsed.packages);
  const client = openClient(settings);
  // Programs are the largest packages.
  const queue = chosen.toSorted(([, a], [, b]) => Number(b.cpu !== undefined) - Number(a.cpu !== undefined));
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await addPackage(folder, next, settings, client);
  };
  const stop = /** @param {unknown} cause */ (cause) => {
    queue.length = 0;
    throw cause;
  };
  const workers = await Promise.allSettled(Array.from({ length: CONNECTIONS }, () => work().catch(stop)));
  client.agent.destroy();
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  const { name, version, lockfileVersion } = parsed;
  const list = { name, version, lockfileVersion, requires: true, packages: Object.fromEntries(chosen) };
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify(list));
}

/**
 * The packages that running needs on this machine.
 *
 * @param {Record<string, Entry>} packages
 * @returns {[string, Entry][]}
 */
function choosePackages(packages) {
  const isForHere = /** @param {Entry} entry */ ({ os, cpu, libc }) =>
    includes(os, process.platform) && includes(cpu, process.arch) && includes(libc, libcOf());
  const others = Object.keys(packages).filter((path) => path !== '' && !isForHere(packages[path] ?? { version: '' }));
  return Object.entries(packages).filter(
    ([path, { dev, link }]) =>
      path !== '' && !dev && !link && !others.some((other) => path === other || path.startsWith(`${other}/`)),
  );
}

/** @param {string | string[] | undefined} names @param {string | undefined} name */
function includes(names, name) {
  if (names === undefined || name === undefined) return true;
  const list = [names].flat();
  return !list.includes(`!${name}`) && (list.every((one) => one.startsWith('!')) || list.includes(name));
}

function libcOf() {
  if (process.platform !== 'linux') return undefined;
  const { header } = /** @type {{ header: Record<string, unknown> }} */ (process.report.getReport());
  return header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/**
 * @param {string} folder
 * @param {[string, Entry]} chosen
 * @param {Settings} settings
 * @param {ReturnType<typeof openClient>} client
 */
async function addPackage(folder, [path, entry], { registry = '', cache }, client) {
  const [, checksum] = /^sha512-(\S+)$/.exec(entry.integrity ?? '') ?? [];
  if (!checksum) throw new Error(`${path} has no checksum`);
  const isRight = /** @param {Uint8Array} bytes */ (bytes) =>
    createHash('sha512').update(bytes).digest('base64') === checksum;
  const kept = cache ? pathInCache(cache, checksum) : undefined;
  let archive = kept ? await readFile(kept).catch(() => undefined) : undefined;
  if (!archive || !isRight(archive)) {
    archive = await client.get(addressOf(registry, path, entry));
    if (!isRight(archive)) throw new Error(`${path} has another checksum than in package-lock.json`);
    if (kept) keep(kept, archive);
  }
  const isNeeded = /** @param {string} name */ (name) => !UNUSED.test(name) && !(NODE.test(path) && HEADERS.test(name));
  unpackPackage(await unzip(archive), join(folder, path), isNeeded);
}

/**
 * The usual address of a package.
 *
 * @param {string} registry @param {string} path in the lockfile @param {{ name?: string, version: string }} entry
 */
export function addressOf(registry, path, { name: alias, version }) {
  const name = alias ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return `${registry.replace(/\/$/, '')}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

/**
 * Where npm keeps an archive, by its checksum. So a second checkout downloads nothing, and neither does npm.
 *
 * @param {string} cache @param {string} checksum
 */
function pathInCache(cache, checksum) {
  const hex = Buffer.from(checksum, 'base64').toString('hex');
  return join(cache, '_cacache', 'content-v2', 'sha512', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
}

/** @param {string} path @param {Uint8Array} bytes */
function keep(path, bytes) {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, bytes);
    renameSync(`${path}.${process.pid}`, path);
  } catch {
    // A cache that cannot be written only costs a later download.
  }
}

/** @param {Settings} settings */
function openClient({ registry = '', cafile }) {
  const { Agent, get } = registry.startsWith('https:') ? https : http;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: CONNECTIONS,
    timeout: SILENCE_MS,
    ...(cafile ? { ca: readFileSync(cafile) } : {}),
  });
  return {
    agent,
    /** @param {string} url @returns {Promise<Buffer<ArrayBuffer>>} */
    get: (url) =>
      new Promise((resolve, reject) => {
        const request = get(url, { agent }, (response) => {
          const chunks = /** @type {Buffer[]} */ ([]);
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            if (response.statusCode === 200) resolve(Buffer.concat(chunks));
            else reject(new Error(`${url}: E${response.statusCode}`));
          });
        });
        request.on('timeout', () => request.destroy(new Error(`${url}: nothing came for a minute`)));
        request.on('error', reject);
      }),
  };
}
