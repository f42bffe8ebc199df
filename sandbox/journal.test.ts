import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openJournal } from './journal.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rubadub-journal-'));
  path = join(folder, 'deep', 'book.jsonl');
});

afterEach(() => rm(folder, { recursive: true }));

test('entries are on disk, in order, when append resolves', async () => {
  const journal = await openJournal<number>(path);
  await Promise.all([journal.append(1), journal.append(2), journal.append(3)]);
  expect(await readFile(path, 'utf8')).toBe('1\n2\n3\n');
  const late = journal.append(4);
  await journal.whenFlushed();
  expect(await readFile(path, 'utf8')).toBe('1\n2\n3\n4\n');
  await late;
  await journal.close();
  const again = await openJournal<number>(path);
  expect(again.entries).toEqual([1, 2, 3, 4]);
  await again.close();
});

test('a torn last line is dropped, and the next entry starts on a new line', async () => {
  const journal = await openJournal<object>(path);
  await journal.append({ a: 'ü' });
  await journal.close();
  await appendFile(path, '{"a":"cut sh');
  const again = await openJournal<object>(path);
  expect(again.entries).toEqual([{ a: 'ü' }]);
  await again.append({ b: 1 });
  await again.close();
  expect(await readFile(path, 'utf8')).toBe('{"a":"ü"}\n{"b":1}\n');
});

test('a damaged line in the middle stops the start, with an error that names the line', async () => {
  await (await openJournal(path)).close();
  await writeFile(path, '1\nnonsense\n3\n');
  await expect(openJournal(path)).rejects.toThrow('book.jsonl is damaged at line 2');
});
