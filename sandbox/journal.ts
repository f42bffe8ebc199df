import { existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';

export type Journal<Entry> = {
  // The entries of earlier runs, oldest first.
  entries: Entry[];
  // Resolves once the entry, and everything appended before it, is on disk.
  append(entry: Entry): Promise<void>;
  // Resolves once everything appended so far is on disk, so that no answer shows data that a crash could lose.
  whenFlushed(): Promise<void>;
  close(): Promise<void>;
};

export async function openJournal<Entry>(path: string): Promise<Journal<Entry>> {
  mkdirSync(dirname(path), { recursive: true });
  const entries = readEntries<Entry>(path);
  const file = await open(path, 'a', 0o600);
  let waiting: string[] = [];
  let writing: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();

  // Entries that arrive during a write share the next one, so that many writers share one flush.
  function flush(): Promise<void> {
    if (!writing) {
      writing = last.then(() => {
        const lines = waiting;
        waiting = [];
        writing = undefined;
        return writeLines(file, lines);
      });
      last = writing;
      last.catch(() => undefined);
    }
    return writing;
  }

  return {
    entries,
    append(entry) {
      waiting.push(`${JSON.stringify(entry)}\n`);
      return flush();
    },
    whenFlushed: () => last,
    async close() {
      await last.catch(() => undefined);
      await file.close();
    },
  };
}

async function writeLines(file: FileHandle, lines: string[]): Promise<void> {
  await file.appendFile(lines.join(''));
  await file.datasync();
}

// A last line without a line end was torn by a crash before it was confirmed, so it is removed.
function readEntries<Entry>(path: string): Entry[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  const whole = bytes.lastIndexOf(10) + 1;
  if (whole < bytes.length) truncateSync(path, whole);
  const lines = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1);
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Entry;
    } catch {
      throw new Error(`${path} is damaged at line ${index + 1}: move it away to start with an empty one`);
    }
  });
}
