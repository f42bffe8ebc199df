import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const POLL_MS = 200;

/**
 * Waits until no other living process installs into this checkout, and returns a function that ends the lock. It works like
 * server/db/dataDirLock.ts: each lock is a file with the next number, so that only one process can follow a dead holder.
 *
 * @param {string} folder
 * @param {(pid: number) => void} onWait
 * @returns {Promise<() => void>}
 */
export async function takeInstallLock(folder, onWait) {
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `lock-draft-${process.pid}`);
  writeFileSync(draft, JSON.stringify({ pid: process.pid, born: processStartOf(process.pid) }));
  try {
    for (let isWaiting = false; ; ) {
      const last = Math.max(0, ...listLockNumbers(folder));
      const holder = readHolder(join(folder, `lock.${last}`));
      if (holder && isAlive(holder)) {
        if (!isWaiting) onWait(holder.pid);
        isWaiting = true;
        await setTimeout(POLL_MS);
        continue;
      }
      const path = join(folder, `lock.${last + 1}`);
      if (!linkIfAbsent(draft, path)) continue;
      const numbers = listLockNumbers(folder);
      if (Math.max(...numbers) === last + 1) {
        for (const number of numbers) if (number <= last) rmSync(join(folder, `lock.${number}`), { force: true });
        return () => writeFileSync(path, '');
      }
      // Another process took a newer number meanwhile, and deleted this older one.
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @param {string} folder */
function listLockNumbers(folder) {
  return readdirSync(folder)
    .flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number);
}

/** @param {string} path @returns {{ pid: number, born: string } | undefined} */
function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} from @param {string} to */
function linkIfAbsent(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** @param {{ pid: number, born: string }} holder */
function isAlive({ pid, born }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
  }
  return processStartOf(pid) === born;
}

/**
 * When a process started: it distinguishes the holder from a later process with the same id.
 *
 * @param {number} pid
 */
function processStartOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may contain spaces, so fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return fields[0] === 'Z' ? 'dead' : `${boot} ${fields[19]}`;
  } catch {
    return spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
  }
}
