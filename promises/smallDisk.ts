import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system small enough to be filled. */
export type SmallDisk = {
  readonly folder: string;
  /** Uses all remaining space. */
  fill(): void;
  /** Frees the space again. */
  clear(): void;
  close(): void;
};

/** Mounts a small file system in memory; undefined where this process may not mount. */
export function openSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
  const filler = join(folder, 'filler');
  const close = () => {
    execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', close);
  return {
    folder,
    fill: () => fillUp(filler),
    clear: () => rmSync(filler, { force: true }),
    close: () => {
      process.off('exit', close);
      close();
    },
  };
}

const CHUNK = Buffer.alloc(64 * 1024);
const MAX_CHUNKS = 100_000;

function fillUp(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (let chunks = 0; chunks < MAX_CHUNKS; chunks += 1) if (writeSync(file, CHUNK) < CHUNK.length) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
