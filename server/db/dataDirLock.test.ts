import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DataDirLockedError, takeLock } from './dataDirLock.ts';

// Takes the lock when told to, says how that went, and stays until it is told to go.
const LOCK_PROCESS_SCRIPT = `
import { takeLock } from ${JSON.stringify(new URL('./dataDirLock.ts', import.meta.url).href)};
process.stdin.once('data', () => {
  let lock;
  try { lock = takeLock(process.argv[1]); console.log('taken'); } catch (error) { console.log(error.name); }
  process.stdin.once('data', () => { lock?.release(); process.exit(0); });
});
console.log('here');
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
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

async function startLockProcess() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', LOCK_PROCESS_SCRIPT, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  expect(await next()).toBe('here');
  const tell = () => child.stdin.write('now\n');
  return { child, next, tell };
}

async function takeLockInChild() {
  const taker = await startLockProcess();
  taker.tell();
  return { ...taker, outcome: await taker.next() };
}

it('a folder is taken once, and again after it was given back', () => {
  const lock = takeLock(folder);
  expect(() => takeLock(folder)).toThrow(DataDirLockedError);
  expect(() => takeLock(folder)).toThrow(`${folder} is in use by process ${process.pid}`);
  lock.release();
  takeLock(folder).release();
  lock.release();
  expect(readdirSync(folder)).toEqual(['lock.2']);
});

it('giving back twice does not take it from the next one', () => {
  const first = takeLock(folder);
  first.release();
  const second = takeLock(folder);
  first.release();
  expect(() => takeLock(folder)).toThrow(DataDirLockedError);
  second.release();
});

it('a folder that is not there yet is made', () => {
  takeLock(join(folder, 'a', 'b')).release();
});

it('a living process keeps its lock', async () => {
  const holder = await takeLockInChild();
  expect(holder.outcome).toBe('taken');
  expect(() => takeLock(folder)).toThrow(`${folder} is in use by process ${holder.child.pid}`);
});

it('a stopped process is alive too', async () => {
  const holder = await takeLockInChild();
  holder.child.kill('SIGSTOP');
  expect(() => takeLock(folder)).toThrow(DataDirLockedError);
});

it('what a killed process held is taken over', async () => {
  const holder = await takeLockInChild();
  await killChild(holder.child);
  takeLock(folder).release();
});

it('what a process gave back is free while it still runs', async () => {
  const holder = await takeLockInChild();
  const gone = once(holder.child, 'exit');
  holder.tell();
  await gone;
  takeLock(folder).release();
});

it('another process with the id of the dead holder does not count as the holder', async () => {
  writeFileSync(join(folder, 'lock.7'), JSON.stringify({ pid: process.pid, born: 'long ago' }));
  takeLock(folder).release();
  expect(readdirSync(folder)).toEqual(['lock.8']);
});

it.each(['', '{"pid":', '{}', 'null', '[]'])('a file that a crash left as %j is nobody’s', (content) => {
  writeFileSync(join(folder, 'lock.1'), content);
  takeLock(folder).release();
});

it('of many that race for a dead holder’s lock exactly one wins, round after round', async () => {
  for (let round = 0; round < 5; round += 1) {
    writeFileSync(join(folder, `lock.${round * 100 + 1}`), JSON.stringify({ pid: 2 ** 22 + 1, born: 'dead' }));
    const takers = await Promise.all(Array.from({ length: 5 }, startLockProcess));
    for (const taker of takers) taker.tell();
    const outcomes = await Promise.all(takers.map((taker) => taker.next()));
    expect(outcomes.toSorted()).toEqual(['Locked', 'Locked', 'Locked', 'Locked', 'taken']);
    for (const taker of takers) await killChild(taker.child);
    expect(readdirSync(folder).filter((name) => name.startsWith('lock.'))).toHaveLength(1);
  }
});
