import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findTestPort } from '../../testing/ports.ts';
import { createStop } from './stopProgram.ts';

const ATTEMPTS = 2_000;

export type Etcd = {
  readonly port: number;
  deleteKey(key: string): Promise<void>;
  stop(): Promise<void>;
};

/** Starts one etcd, in which Patroni keeps who is the primary. */
export async function startEtcd(program: string): Promise<Etcd> {
  const home = mkdtempSync(join(tmpdir(), 'rubadub-etcd-'));
  const [port, peerPort] = [await findTestPort(), await findTestPort()];
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = ['--enable-v2', '--data-dir', home, '--initial-cluster', `default=${peers}`];
  for (const kind of ['listen-client-urls', 'advertise-client-urls']) args.push(`--${kind}`, clients);
  for (const kind of ['listen-peer-urls', 'initial-advertise-peer-urls']) args.push(`--${kind}`, peers);
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk).slice(-4_000);
  });
  const stop = createStop(child, home);
  const deleteKey = async (key: string) => {
    const response = await fetch(`${clients}/v2/keys${key}`, { method: 'DELETE' });
    if (!response.ok) throw new Error(`etcd answers ${response.status} ${await response.text()}`);
  };
  for (let attempt = 0; attempt < ATTEMPTS && child.exitCode === null; attempt += 1) {
    const health = await fetch(`${clients}/health`).catch(() => undefined);
    if (health?.ok) return { port, deleteKey, stop };
    await setTimeout(50);
  }
  await stop();
  throw new Error(`etcd did not start:\n${output}`);
}
