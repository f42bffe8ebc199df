import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = join(import.meta.dirname, '..');

// Optimizing PGlite's WebAssembly costs a process that lives for seconds more CPU than it saves.
export const NODE_FLAGS = ['--disable-warning=ExperimentalWarning', '--liftoff-only'];

/** The only variables that a process inherits, besides the compile cache that `scripts/run` sets as well. */
export const BASE_ENV = { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: join(ROOT, '.cache', 'compiled') };

/** Runs a script of this repository in its own process, with no other variables than `env`. */
export async function runScript(path: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [...NODE_FLAGS, join(ROOT, path), ...args], {
    cwd: ROOT,
    env: { ...BASE_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: Number(code), output: stdout + stderr };
}

/** Runs a command as npm does. */
export const runCommand = (name: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  runScript(`server/commands/${name}.ts`, args, env);
