import { lstatSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { CommandError } from './commandError.ts';

/** Creates a file or fails: it never overwrites one, and never writes through a link that somebody else placed there. */
const NEW_PRIVATE_FILE = { flag: 'wx', mode: 0o600 } as const;

export function refuseExisting(path: string): void {
  // A link to nothing exists, too.
  if (lstatSync(path, { throwIfNoEntry: false })) throw new CommandError(`${path} already exists: name another file`);
}

/** Writes a new file that only the operator can read. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  refuseExisting(path);
  await writeFile(path, text, NEW_PRIVATE_FILE);
}
