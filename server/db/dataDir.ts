import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A folder cannot be the data directory. The message is for the operator. */
export class DataDirError extends Error {
  override name = 'DataDirError';
}

/** What Rubadub keeps in the data directory. */
const OWN_ENTRIES =
  /^(?:pglite(?:\.new)?|sandbox|(?:demo|visits)\.json|sealing-key|operator\.sock|lock[.-]\d.*|\.probe-\d+)$/;
const PRIVATE_UMASK = 0o077;
const OPEN_TO_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
const OWNER_BITS = 0o7700;

/**
 * Creates the data directory if needed, and keeps other users of this machine out: it and everything that this process
 * writes from now on is open to its own user only. What an earlier release left open is closed, with one line in `log`.
 */
export function openDataDir(folder: string, log: (line: string) => void): void {
  createFolder(folder);
  const uid = process.getuid?.();
  // Windows has neither owners nor modes.
  if (uid === undefined) return;
  process.umask(PRIVATE_UMASK);
  const path = realpathSync(folder);
  const { uid: owner, mode } = statSync(path);
  if (owner !== uid) {
    throw new DataDirError(
      `${folder} belongs to another user of this machine (id ${owner}), who could read everything: use a folder of the user that runs Rubadub (id ${uid}), or give it to that user`,
    );
  }
  const names = readdirSync(path);
  const hasOtherEntries = names.some((name) => !OWN_ENTRIES.test(name));
  if (hasOtherEntries && (mode & WRITABLE_BY_OTHERS) !== 0) {
    throw new DataDirError(`${folder} can be changed by other users of this machine: use a folder of its own`);
  }
  // A folder with other things in it is not ours to close.
  const closedFolder = hasOtherEntries || (mode & OPEN_TO_OTHERS) === 0 ? 0 : close(path, mode);
  const own = names.filter((name) => OWN_ENTRIES.test(name));
  const closed = own.reduce((sum, name) => sum + closeAll(join(path, name), uid), closedFolder);
  if (closed > 0) log(`${folder} was open to other users of this machine; it is private now (${closed} modes changed)`);
}

// mkdirSync({ recursive: true }) never returns where a file system answers ENOENT, as /proc does.
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createParents(dirname(folder));
  createUnlessExists(folder, 0o700);
}

function createParents(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) createParents(dirname(folder));
  createUnlessExists(folder);
}

/** Two processes may start at once. */
function createUnlessExists(folder: string, mode?: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function close(path: string, mode: number): number {
  chmodSync(path, mode & OWNER_BITS);
  return 1;
}

/** Closes a file, or a folder and then everything in it. Returns how many modes it changed. */
function closeAll(path: string, uid: number): number {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  // A link has no mode of its own, and what it points to may not be ours.
  if (entry === undefined || entry.isSymbolicLink()) return 0;
  if (entry.uid !== uid) {
    throw new DataDirError(
      `${path} belongs to another user of this machine (id ${entry.uid}): run Rubadub as that user, or give it to this one`,
    );
  }
  const closed = (entry.mode & OPEN_TO_OTHERS) === 0 ? 0 : close(path, entry.mode);
  if (!entry.isDirectory()) return closed;
  return readdirSync(path).reduce((sum, name) => sum + closeAll(join(path, name), uid), closed);
}
