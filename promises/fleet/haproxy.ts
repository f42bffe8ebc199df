import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from '../../scripts/build.ts';
import { aptInstall, canAptGet } from '../../scripts/install.ts';
import { findTestPort } from '../../testing/ports.ts';
import { createStop } from './stopProgram.ts';

const ATTEMPTS = 2_000;

/** The installed HAProxy, or the distribution's. Undefined when there is none and it cannot be installed. */
export function findHaproxy(): string | undefined {
  const find = () => ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => existsSync(path));
  if (!find() && canAptGet()) aptInstall('haproxy');
  return find();
}

export type Haproxy = {
  readonly url: string;
  /** How many servers it takes for ready. */
  countReady(): Promise<number>;
  stop(): Promise<void>;
};

/** Starts HAProxy in front of servers at these ports of this machine, which need not listen yet. */
export async function startHaproxy(program: string, ports: readonly number[]): Promise<Haproxy> {
  const home = mkdtempSync(join(tmpdir(), 'rubadub-haproxy-'));
  const port = await findTestPort();
  const file = join(home, 'haproxy.cfg');
  writeFileSync(file, formatConfig(port, ports));
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const stop = createStop(child, home);
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < ATTEMPTS && child.exitCode === null; attempt += 1) {
    const ready = await fetch(`${url}/api/health/ready`).catch(() => undefined);
    if (ready?.ok) return { url, stop, countReady: () => countReady(url) };
    await setTimeout(50);
  }
  await stop();
  throw new Error(`HAProxy did not start, or no server is ready:\n${output}`);
}

const STATS_PATH = '/haproxy-statistics';

async function countReady(url: string): Promise<number> {
  const lines = (await (await fetch(`${url}${STATS_PATH};csv`)).text()).split('\n');
  return lines.filter((line) => /^rubadub,s\d,.*,UP,/.test(line)).length;
}

/** deploy/haproxy.cfg on this machine without TLS, with faster checks so that a test is over sooner. */
const formatConfig = (port: number, ports: readonly number[]) => {
  const text = readFileSync(join(ROOT, 'deploy', 'haproxy.cfg'), 'utf8');
  return [
    [/^ {2}bind :80$/m, `  bind 127.0.0.1:${port}\n  stats enable\n  stats uri ${STATS_PATH}`],
    [/^ {2}(?:bind :443|http-request redirect) .*\n/gm, ''],
    [/inter 2s/, 'inter 200ms'],
    [/^ {2}server .*\n/gm, ''],
    [/$/, ports.map((server, index) => `  server s${index} 127.0.0.1:${server}\n`).join('')],
  ].reduce((before, [from, to]) => replaceAll(before, from as RegExp, to as string), text);
};

/** Fails when the file has nothing to replace. */
export function replaceAll(text: string, from: RegExp, to: string): string {
  if (!from.test(text)) throw new Error(`nothing in the file matches ${from}`);
  from.lastIndex = 0;
  return text.replace(from, to);
}
