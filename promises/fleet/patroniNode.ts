import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { findTestPort } from '../../testing/ports.ts';
import { childrenOf, isAlive, sendSignal } from '../killablePostgres.ts';
import { type Link, openLink } from '../link.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'deploy', 'patroni.yml');

export type User = { readonly uid: number; readonly gid: number } | undefined;

/** One machine of the cluster: Patroni, and the PostgreSQL that it runs. */
export type PatroniNode = {
  readonly name: string;
  readonly port: number;
  readonly restUrl: string;
  /** Its way to etcd. */
  readonly etcdLink: Link;
  start(): void;
  /** Kills Patroni and PostgreSQL at once, as when the machine is lost. */
  kill(): Promise<void>;
  /** Suspends Patroni and PostgreSQL, as when a virtual machine is moved. */
  freeze(): void;
  /** Suspends only Patroni: nobody tells its PostgreSQL what happens. */
  freezePatroni(): void;
  thaw(): void;
  log(): string;
  close(): Promise<void>;
};

export type NodeOptions = {
  readonly name: string;
  readonly home: string;
  readonly program: string;
  readonly binDir: string;
  readonly etcdPort: number;
  readonly user: User;
  readonly passwords: Readonly<Record<'superuser' | 'replicator' | 'rewind', string>>;
};

export async function createNode({
  name,
  home,
  program,
  etcdPort,
  user,
  ...options
}: NodeOptions): Promise<PatroniNode> {
  const folder = join(home, name);
  mkdirSync(folder, { mode: 0o700 });
  const [data, file] = [join(folder, 'data'), join(folder, 'patroni.yml')];
  const [port, restPort, etcdLink] = [await findTestPort(), await findTestPort(), await openLink(etcdPort)];
  writeFileSync(file, formatConfig({ name, folder, port, restPort, etcdPort: etcdLink.port, ...options }));
  for (const path of user ? [folder, file] : []) chownSync(path, user?.uid ?? 0, user?.gid ?? 0);
  let patroni: ChildProcess | undefined;
  let log = '';

  /** PostgreSQL goes on when Patroni ends, so it is found by its pid file. */
  const postmasterPid = (): number | undefined => {
    try {
      const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data) ? pid : undefined;
    } catch {
      return undefined;
    }
  };
  const treeOf = (pid: number | undefined): number[] =>
    pid === undefined ? [] : [pid, ...childrenOf(pid).flatMap(treeOf)];
  const patroniPids = () => treeOf(patroni?.exitCode === null ? patroni.pid : undefined);
  const allPids = () => [...new Set([...patroniPids(), ...treeOf(postmasterPid())])];

  /** Twice, because they may have started others before they stopped. */
  function freeze(): void {
    for (const pid of allPids()) sendSignal(pid, 'SIGSTOP');
    for (const pid of allPids()) sendSignal(pid, 'SIGSTOP');
  }

  async function kill(): Promise<void> {
    freeze();
    const pids = allPids();
    for (const pid of pids) sendSignal(pid, 'SIGKILL');
    for (const pid of pids) while (isAlive(pid)) await setTimeout(5);
  }
  const killNow = () => {
    for (const pid of allPids()) sendSignal(pid, 'SIGKILL');
  };
  process.once('exit', killNow);

  return {
    name,
    port,
    restUrl: `http://127.0.0.1:${restPort}`,
    etcdLink,
    start() {
      patroni = spawn(program, [file], { ...user, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      for (const stream of [patroni.stdout, patroni.stderr])
        stream?.on('data', (chunk: Buffer) => {
          log = (log + chunk).slice(-20_000);
        });
    },
    kill,
    freeze,
    freezePatroni() {
      if (patroni?.pid) sendSignal(patroni.pid, 'SIGSTOP');
    },
    thaw() {
      for (const pid of allPids().toReversed()) sendSignal(pid, 'SIGCONT');
    },
    log: () => log,
    async close() {
      process.off('exit', killNow);
      const postmaster = postmasterPid();
      for (const pid of patroniPids().filter((one) => one !== postmaster)) sendSignal(pid, 'SIGKILL');
      for (const pid of treeOf(postmaster)) sendSignal(pid, 'SIGCONT');
      if (postmaster !== undefined) sendSignal(postmaster, 'SIGQUIT');
      while (postmaster !== undefined && isAlive(postmaster)) await setTimeout(5);
      await etcdLink.close();
    },
  };
}

type ConfigOptions = Pick<NodeOptions, 'name' | 'binDir' | 'passwords'> & {
  readonly folder: string;
  readonly port: number;
  readonly restPort: number;
  readonly etcdPort: number;
};

/** deploy/patroni.yml for one of several nodes on this machine, with shorter times so that a test is over sooner. */
function formatConfig({ name, folder, port, restPort, etcdPort, binDir, passwords }: ConfigOptions): string {
  const changes: readonly (readonly [string, string])[] = [
    ['name: db1', `name: ${name}`],
    // Otherwise Patroni asks etcd for its address, and goes around the link.
    ['hosts: 10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379', `hosts: 127.0.0.1:${etcdPort}\n  use_proxies: true`],
    ['listen: 0.0.0.0:8008', `listen: 127.0.0.1:${restPort}`],
    ['connect_address: 10.0.0.11:8008', `connect_address: 127.0.0.1:${restPort}`],
    ['listen: 0.0.0.0:5432', `listen: 127.0.0.1:${port}`],
    ['connect_address: 10.0.0.11:5432', `connect_address: 127.0.0.1:${port}`],
    ['ttl: 30', 'ttl: 5'],
    ['loop_wait: 10', 'loop_wait: 1'],
    ['retry_timeout: 10', 'retry_timeout: 2'],
    ['host all all 10.0.0.0/24', 'host all all 127.0.0.1/32'],
    ['host replication replicator 10.0.0.0/24', 'host replication replicator 127.0.0.1/32'],
    ['bin_dir: /usr/lib/postgresql/15/bin', `bin_dir: ${binDir}`],
    ['data_dir: /var/lib/postgresql/15/rubadub', `data_dir: ${join(folder, 'data')}`],
    ['pgpass: /var/lib/postgresql/rubadub.pgpass', `pgpass: ${join(folder, 'pgpass')}`],
    ['superuser-password', passwords.superuser],
    ['replicator-password', passwords.replicator],
    ['rewind-password', passwords.rewind],
    ['- data-checksums', '- data-checksums\n    - no-sync'],
    [
      'password_encryption: scram-sha-256',
      `password_encryption: scram-sha-256\n    unix_socket_directories: ''\n    fsync: 'off'`,
    ],
    // The machines that run this have no watchdog.
    ['mode: required', "mode: 'off'"],
  ];
  let text = readFileSync(EXAMPLE, 'utf8').replaceAll(/^ *#.*\n/gm, '');
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`deploy/patroni.yml must contain this once: ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}
