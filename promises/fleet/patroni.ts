import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { aptInstall, canAptGet } from '../../scripts/install.ts';
import { findPostgresProgram } from '../../scripts/postgres.ts';
import { queryAt } from '../../testing/databaseConnection.ts';
import { type Etcd, startEtcd } from './etcd.ts';
import { createNode, type PatroniNode, type User } from './patroniNode.ts';

/** With a synchronous replica the third one takes over its part when it is promoted. */
const NODE_NAMES = ['db1', 'db2', 'db3'];
const ATTEMPTS = 2_400;
const ATTEMPT_MS = 50;

export type PatroniPrograms = { readonly patroni: string; readonly etcd: string; readonly binDir: string };

/** The installed Patroni and etcd, or the distribution's. Undefined when one is missing and cannot be installed. */
export function findPatroni(): PatroniPrograms | undefined {
  const programs = ['/usr/bin/patroni', '/usr/bin/etcd'] as const;
  const isComplete = () => programs.every((path) => existsSync(path)) && rewindPath() !== undefined;
  // The package of etcd would start one for the whole machine; it is not used.
  if (!isComplete() && canAptGet()) aptInstall('patroni', 'python3-etcd', 'etcd-server', 'postgresql');
  const rewind = rewindPath();
  if (!isComplete() || rewind === undefined) return undefined;
  return { patroni: programs[0], etcd: programs[1], binDir: dirname(realpathSync(rewind)) };
}

const rewindPath = () => findPostgresProgram('pg_rewind');

export const patroniVersionOf = ({ patroni }: PatroniPrograms) =>
  execFileSync(patroni, ['--version'], { encoding: 'utf8' }).trim().split(' ').at(-1) ?? 'unknown';

type Member = { readonly name: string; readonly role: string; readonly state: string; readonly timeline?: number };

export type PatroniCluster = {
  readonly nodes: readonly PatroniNode[];
  /** The URL of a database with all hosts, for servers. */
  databaseUrl(name: string): string;
  /** The URL of a database on one node, as superuser. */
  urlAt(node: PatroniNode, name: string): string;
  /** Creates an empty database, owned by the user of the servers. */
  createDatabase(name: string): Promise<void>;
  /** Waits until another node than this one is the primary. */
  waitForPromotion(old: PatroniNode): Promise<PatroniNode>;
  /** Waits until all nodes run and follow the primary, one of them synchronously. */
  waitUntilWhole(): Promise<PatroniNode>;
  /** Asks Patroni to make another node the primary. */
  switchOver(from: PatroniNode): Promise<void>;
  /** Removes the key by which the primary is the primary. */
  deleteLeaderKey(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts etcd and three nodes with deploy/patroni.yml on loopback. */
export async function startPatroni({ patroni, etcd, binDir }: PatroniPrograms): Promise<PatroniCluster> {
  const user = findPostgresUser();
  const home = mkdtempSync(join(tmpdir(), 'rubadub-patroni-'));
  if (user) chownSync(home, user.uid, user.gid);
  const passwords = { superuser: randomUUID(), replicator: randomUUID(), rewind: randomUUID() };
  const etcdServer = await startEtcd(etcd);
  const nodes: PatroniNode[] = [];
  for (const name of NODE_NAMES)
    nodes.push(await createNode({ name, home, program: patroni, binDir, etcdPort: etcdServer.port, user, passwords }));
  const cluster = createCluster({ nodes, etcd: etcdServer, home, superuser: passwords.superuser });
  try {
    for (const node of nodes) node.start();
    const primary = await cluster.waitUntilWhole();
    await queryAt(cluster.urlAt(primary, 'postgres'), `create role rubadub login password '${passwords.superuser}'`);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

type ClusterParts = {
  readonly nodes: readonly PatroniNode[];
  readonly etcd: Etcd;
  readonly home: string;
  readonly superuser: string;
};

function createCluster({ nodes, etcd, home, superuser }: ClusterParts): PatroniCluster {
  const urlAt = ({ port }: PatroniNode, name: string) => `postgres://postgres:${superuser}@127.0.0.1:${port}/${name}`;
  const findPrimary = (among = nodes) =>
    findAsync(among, async ({ restUrl }) => (await ask(`${restUrl}/primary`)) !== undefined);

  async function isWhole(): Promise<boolean> {
    const members = await readMembers(nodes);
    const roles = members.map(({ role }) => role).toSorted();
    return (
      String(roles) === 'leader,replica,sync_standby' &&
      members.every(({ state }) => state === 'running' || state === 'streaming') &&
      new Set(members.map(({ timeline }) => timeline)).size === 1
    );
  }

  async function poll<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const found = await look();
      if (found !== undefined) return found;
      await setTimeout(ATTEMPT_MS);
    }
    throw new Error(`no ${what}:\n${nodes.map(({ name, log }) => `--- ${name}\n${log().slice(-3_000)}`).join('\n')}`);
  }

  return {
    nodes,
    urlAt,
    databaseUrl: (name) =>
      `postgres://rubadub:${superuser}@${nodes.map(({ port }) => `127.0.0.1:${port}`)}/${name}?target_session_attrs=read-write`,
    async createDatabase(name) {
      const primary = await poll('primary', () => findPrimary());
      await queryAt(urlAt(primary, 'postgres'), `create database ${name} owner rubadub`);
    },
    waitForPromotion: (old) =>
      poll(`primary other than ${old.name}`, () => findPrimary(nodes.filter((node) => node !== old))),
    waitUntilWhole: () => poll('complete cluster', async () => ((await isWhole()) ? findPrimary() : undefined)),
    async switchOver(from) {
      const body = JSON.stringify({ leader: from.name });
      const response = await fetch(`${from.restUrl}/switchover`, { method: 'POST', body });
      if (!response.ok) throw new Error(`the switch-over was refused: ${response.status} ${await response.text()}`);
    },
    deleteLeaderKey: () => etcd.deleteKey('/service/rubadub/leader'),
    async stop() {
      await Promise.all(nodes.map((node) => node.close()));
      await etcd.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function readMembers(nodes: readonly PatroniNode[]): Promise<readonly Member[]> {
  for (const { restUrl } of nodes) {
    const answer = await ask<{ members: Member[] }>(`${restUrl}/cluster`);
    if (answer) return answer.members;
  }
  return [];
}

/** Undefined when a node says no, or does not answer because it is frozen or dead. */
async function ask<T>(url: string): Promise<T | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) });
    const answer = (await response.json()) as T;
    return response.ok ? answer : undefined;
  } catch {
    return undefined;
  }
}

async function findAsync<T>(all: readonly T[], test: (one: T) => Promise<boolean>): Promise<T | undefined> {
  const results = await Promise.all(all.map(test));
  return all.find((_, index) => results[index]);
}

/** PostgreSQL does not run as root. */
function findPostgresUser(): User {
  if (process.getuid?.() !== 0) return undefined;
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })),
  );
  return { uid, gid };
}
