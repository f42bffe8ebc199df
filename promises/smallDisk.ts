import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk so small that it can be filled. */
export type SmallDisk = {
  readonly folder: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  clear(): void;
  close(): void;
};

/** A small disk in memory; undefined where this process may not mount one. */
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
    for (let piece = 0; piece < MAX_CHUNKS; piece += 1) if (writeSync(file, CHUNK) < CHUNK.length) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
