import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Another process uses the folder. */
export class DataDirLockedError extends Error {
  readonly pid: number;

  constructor(folder: string, pid: number) {
    super(`${folder} is in use by process ${pid}`);
    this.name = 'DataDirLockedError';
    this.pid = pid;
  }
}

export type Lock = { release(): void };

/** `born` distinguishes the process from a later one with the same id; '' in a released lock. */
type Holder = { pid: number; born: string };

const LOCK_FILE_NAME = /^lock\.(\d+)$/;

/**
 * Locks `folder` for this process; creates it if needed. Throws DataDirLockedError while another living process has it.
 *
 * Each lock is a file with the next number, and the highest number is never deleted. Of two processes that find the last
 * holder dead, only one can create the next file, and no process deletes a lock that may belong to another by now.
 */
export function takeLock(folder: string): Lock {
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `lock-${process.pid}-${randomUUID()}`);
  try {
    writeHolder(draft, { pid: process.pid, born: processStartOf(process.pid) ?? 'unknown' });
    for (let attempt = 0; attempt < 100; attempt += 1) {
      const last = highestLockNumber(folder);
      const holder = last > 0 ? readHolder(join(folder, `lock.${last}`)) : undefined;
      if (holder && isAlive(holder)) throw new DataDirLockedError(folder, holder.pid);
      const path = join(folder, `lock.${last + 1}`);
      if (!linkIfAbsent(draft, path)) continue;
      // Another process took a newer number meanwhile, and deleted this older one.
      if (highestLockNumber(folder) === last + 1) return holdLock(folder, last + 1);
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
  throw new Error(`${folder} could not be locked`);
}

function holdLock(folder: string, number: number): Lock {
  for (const older of listLockNumbers(folder))
    if (older < number) rmSync(join(folder, `lock.${older}`), { force: true });
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      const path = join(folder, `lock.${number}`);
      const draft = `${path}-${randomUUID()}`;
      try {
        writeHolder(draft, { pid: process.pid, born: '' });
        renameSync(draft, path);
      } catch (error) {
        // On a full disk the lock keeps naming this process, and is void when it has exited.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        rmSync(draft, { force: true });
      }
    },
  };
}

function listLockNumbers(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const number = LOCK_FILE_NAME.exec(name)?.[1];
    return number ? [Number(number)] : [];
  });
}

function highestLockNumber(folder: string): number {
  return Math.max(0, ...listLockNumbers(folder));
}

function writeHolder(path: string, holder: Holder): void {
  writeFileSync(path, JSON.stringify(holder), { mode: 0o600 });
}

// A file that another process deleted, or that a full disk left empty, has no holder.
function readHolder(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder> | null;
    const { pid = 0, born = '' } = holder ?? {};
    return Number.isInteger(pid) && pid > 0 ? { pid, born } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

// A link appears with its whole content, and fails if the name exists.
function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive({ pid, born }: Holder): boolean {
  if (born === '') return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const start = processStartOf(pid);
  // If the start of a living process is unknown, it counts as the holder.
  return start === undefined || start === born;
}

/** When a process started, as text that is unique among processes with its id; undefined when that is unknown. */
function processStartOf(pid: number): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may contain spaces, so fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'dead' : `${boot} ${readlinkSync('/proc/self/ns/pid')} ${fields[19]}`;
  } catch {
    return processStartFromPs(pid);
  }
}

function processStartFromPs(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
