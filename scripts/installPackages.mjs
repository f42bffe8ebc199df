import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOf, canDownload, downloadPackages } from './downloadPackages.mjs';
import { takeInstallLock } from './installLock.mjs';

// Runs before anything is installed, on any Node from 20, so it is JavaScript and uses no package.
// `node scripts/installPackages.mjs running` installs what running needs, `… all` also what tests and checks need.

/** @typedef {'running' | 'all'} Scope */
/** @typedef {import('./downloadPackages.mjs').Settings} Settings */

const OPTIONS = [
  '--ignore-scripts',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
];
const FILES = ['package.json', 'package-lock.json', '.npmrc'];
const WORK = '.rubadub';

/**
 * Installs into a fresh folder first and moves the packages when it is complete. So an interrupted install changes nothing,
 * and adding packages takes none away from a server that runs in the same checkout.
 *
 * @param {string} root
 * @param {Scope} scope
 */
export async function installPackages(root, scope) {
  const packages = join(root, 'node_modules');
  const work = join(packages, WORK);
  const release = await takeInstallLock(work, (pid) => log(`process ${pid} is installing packages here; waiting ...`));
  try {
    if (isInstalled(root, scope)) return;
    log(`installing the packages ${scope === 'all' ? 'of the tests and checks' : 'that running needs'} (once) ...`);
    for (const name of readdirSync(work)) if (!isStampOrLock(name)) rmSync(join(work, name), { recursive: true });
    const fresh = join(work, `new-${process.pid}`);
    await installInto(fresh, root, scope);
    if (!isInstalled(root, 'running')) clear(packages, join(work, `old-${process.pid}`));
    addMissing(join(fresh, 'node_modules'), packages);
    renameSync(join(fresh, 'package-lock.json'), stampOf(root, scope));
    for (const name of readdirSync(work)) if (!isStampOrLock(name)) rmSync(join(work, name), { recursive: true });
  } finally {
    release();
  }
}

/** @param {string} name */
const isStampOrLock = (name) => /^(?:running|all|lock)\b/.test(name);

/** @param {string} root @param {Scope} scope */
const stampOf = (root, scope) => join(root, 'node_modules', WORK, `${scope}.json`);

/**
 * A stamp is the lockfile that the packages were installed from. scripts/run compares in the same way.
 *
 * @param {string} root @param {Scope} scope
 */
function isInstalled(root, scope) {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false;
  const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const stamps = [stampOf(root, 'all'), ...(scope === 'running' ? [stampOf(root, 'running')] : [])];
  return stamps.some((stamp) => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile);
}

/** @param {string} fresh @param {string} root @param {Scope} scope */
async function installInto(fresh, root, scope) {
  mkdirSync(fresh);
  for (const name of FILES) if (existsSync(join(root, name))) copyFileSync(join(root, name), join(fresh, name));
  const lockfile = readFileSync(join(fresh, 'package-lock.json'), 'utf8');
  const settings = readSettings();
  let problem = '';
  if (scope === 'running' && canDownload(settings)) {
    try {
      return await downloadPackages(fresh, lockfile, settings);
    } catch (error) {
      // npm can do more, and says what is wrong.
      problem = String(error);
      rmSync(join(fresh, 'node_modules'), { recursive: true, force: true });
    }
  }
  await installWithNpm(fresh, lockfile, scope, problem, settings);
}

/** @param {string} fresh @param {string} lockfile @param {Scope} scope @param {string} problem @param {Settings} settings */
async function installWithNpm(fresh, lockfile, scope, problem, settings) {
  let result = { code: 1, output: problem };
  if (!isMissing(result)) {
    writeFileSync(join(fresh, 'package-lock.json'), addAddresses(lockfile, settings));
    result = await runNpm(fresh, scope);
    writeFileSync(join(fresh, 'package-lock.json'), lockfile);
  }
  // A registry may keep its packages at other addresses. npm asks it for each of them if the lockfile names none.
  if (isMissing(result)) result = await runNpm(fresh, scope);
  if (result.code !== 0) throw new Error(result.output.trim());
  // Node's headers are for compiling native modules: a third of its size, and nothing is compiled here.
  for (const name of readdirSync(join(fresh, 'node_modules'))) {
    if (/^node-(?:bin-)?(?:linux|darwin)-/.test(name)) {
      rmSync(join(fresh, 'node_modules', name, 'include'), { recursive: true, force: true });
    }
  }
}

/** @param {{ code: number, output: string }} result */
const isMissing = ({ code, output }) => code !== 0 && /E404/.test(output);

/** npm's settings, from its files and the environment, without secrets. @returns {Settings} */
function readSettings() {
  const { stdout } = spawnSync('npm', ['config', 'list', '--json', '--no-update-notifier'], { encoding: 'utf8' });
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

/**
 * Adds the usual address of each package at the registry in use. Without it npm first asks for the list of all versions of
 * each package: half of what it downloads.
 *
 * @param {string} lockfile @param {Settings} settings
 */
function addAddresses(lockfile, { registry = '' }) {
  if (!/^https?:/.test(registry)) return lockfile;
  const parsed = JSON.parse(lockfile);
  for (const [path, entry] of Object.entries(parsed.packages)) {
    if (path !== '' && !entry.resolved && !entry.link) entry.resolved = addressOf(registry, path, entry);
  }
  return JSON.stringify(parsed);
}

/** @param {string} folder @param {Scope} scope @returns {Promise<{ code: number, output: string }>} */
function runNpm(folder, scope) {
  const options = [...OPTIONS, '--engine-strict=false', scope === 'all' ? '--include=dev' : '--omit=dev'];
  const child = spawn('npm', ['ci', '--prefix', folder, ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Moves everything that is installed into `old`. The stamps go first: without them the next run installs again.
 *
 * @param {string} packages @param {string} old
 */
function clear(packages, old) {
  for (const scope of ['running', 'all']) rmSync(join(packages, WORK, `${scope}.json`), { force: true });
  mkdirSync(old);
  for (const name of readdirSync(packages)) if (name !== WORK) renameSync(join(packages, name), join(old, name));
}

/**
 * Moves everything of `from` that is not in `to`: whole folders where there is none, so that a package is never there in part. Tests and
 * checks also need the files of a package that running does not.
 *
 * @param {string} from @param {string} to
 */
function addMissing(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    if (name === '.package-lock.json' || !existsSync(target)) renameSync(source, target);
    else if (lstatSync(source).isDirectory()) addMissing(source, target);
  }
}

/** @param {string} line */
function log(line) {
  process.stderr.write(`rubadub: ${line}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const scope = process.argv[2] === 'all' ? 'all' : 'running';
  await installPackages(process.cwd(), scope).catch((error) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    log('the install failed; see the errors above. Your data is untouched: fix the cause and run the command again.');
    process.exitCode = 1;
  });
}
