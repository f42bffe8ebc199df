import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DataDirLockedError, takeLock } from './dataDirLock.ts';

// Takes the lock on the first input and prints the outcome; releases it and exits on the second input.
const LOCK_PROCESS_SCRIPT = `
import { takeLock } from ${JSON.stringify(new URL('./dataDirLock.ts', import.meta.url).href)};
process.stdin.once('data', () => {
  let lock;
  try { lock = takeLock(process.argv[1]); console.log('locked'); } catch (error) { console.log(error.name); }
  process.stdin.once('data', () => { lock?.release(); process.exit(0); });
});
console.log('ready');
`;

let folder: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rubadub-lock-'));
  children = [];
});

afterEach(async () => {
  for (const child of children) await killChild(child);
  rmSync(folder, { recursive: true, force: true });
});

async function killChild(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

async function startLockProcess() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', LOCK_PROCESS_SCRIPT, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  expect(await next()).toBe('ready');
  const signal = () => child.stdin.write('next\n');
  return { child, next, signal };
}

async function takeLockInChild() {
  const taker = await startLockProcess();
  taker.signal();
  return { ...taker, outcome: await taker.next() };
}

it('a folder is locked once, and again after its release', () => {
  const lock = takeLock(folder);
  expect(() => takeLock(folder)).toThrow(DataDirLockedError);
  expect(() => takeLock(folder)).toThrow(`${folder} is in use by process ${process.pid}`);
  lock.release();
  takeLock(folder).release();
  lock.release();
  expect(readdirSync(folder)).toEqual(['lock.2']);
});

it('a second release does not release the lock of the next holder', () => {
  const first = takeLock(folder);
  first.release();
  const second = takeLock(folder);
  first.release();
  expect(() => takeLock(folder)).toThrow(DataDirLockedError);
  second.release();
});

it('a folder that does not exist is created', () => {
  takeLock(join(folder, 'a', 'b')).release();
});

it('a living process keeps its lock', async () => {
  const holder = await takeLockInChild();
  expect(holder.outcome).toBe('locked');
  expect(() => takeLock(folder)).toThrow(`${folder} is in use by process ${holder.child.pid}`);
});

it('a stopped process keeps its lock', async () => {
  const holder = await takeLockInChild();
  holder.child.kill('SIGSTOP');
  expect(() => takeLock(folder)).toThrow(DataDirLockedError);
});

it('the lock of a killed process can be taken', async () => {
  const holder = await takeLockInChild();
  await killChild(holder.child);
  takeLock(folder).release();
});

it('a lock that a process released before it exits can be taken', async () => {
  const holder = await takeLockInChild();
  const exited = once(holder.child, 'exit');
  holder.signal();
  await exited;
  takeLock(folder).release();
});

it('a new process with the id of a dead holder does not count as the holder', async () => {
  writeFileSync(join(folder, 'lock.7'), JSON.stringify({ pid: process.pid, born: 'long ago' }));
  takeLock(folder).release();
  expect(readdirSync(folder)).toEqual(['lock.8']);
});

it.each(['', '{"pid":', '{}', 'null', '[]'])(
  'a lock file with the content %j after a crash has no holder',
  (content) => {
    writeFileSync(join(folder, 'lock.1'), content);
    takeLock(folder).release();
  },
);

it('exactly one of several processes gets the lock of a dead holder', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    writeFileSync(join(folder, `lock.${attempt * 100 + 1}`), JSON.stringify({ pid: 2 ** 22 + 1, born: 'dead' }));
    const takers = await Promise.all(Array.from({ length: 5 }, startLockProcess));
    for (const taker of takers) taker.signal();
    const outcomes = await Promise.all(takers.map((taker) => taker.next()));
    expect(outcomes.toSorted()).toEqual([...Array(4).fill('DataDirLockedError'), 'locked']);
    for (const taker of takers) await killChild(taker.child);
    expect(readdirSync(folder).filter((name) => name.startsWith('lock.'))).toHaveLength(1);
  }
});
