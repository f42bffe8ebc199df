import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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

/** The backend of docs/operating.md, with faster checks so that a test is over sooner. */
const formatConfig = (port: number, ports: readonly number[]) => `defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
  retries 3
  option redispatch
frontend public
  bind 127.0.0.1:${port}
  stats enable
  stats uri ${STATS_PATH}
  default_backend rubadub
backend rubadub
  balance roundrobin
  option httpchk GET /api/health/ready
  default-server check inter 200ms fall 1 rise 1
${ports.map((server, index) => `  server s${index} 127.0.0.1:${server}\n`).join('')}`;
