import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addMigrationDigests, findChangedMigrations } from './migrationDigests.ts';

test('a released migration that was changed or deleted is reported, and a new one needs its digest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-migrations-'));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  try {
    write('digests.json', '{}');
    write('001_start.ts', 'create table a');
    write('002_more.ts', 'create table b');
    addMigrationDigests(folder);
    expect(findChangedMigrations(folder)).toEqual([]);
    write('001_start.ts', 'create table c');
    write('003_new.ts', 'create table d');
    rmSync(join(folder, '002_more.ts'));
    addMigrationDigests(folder);
    expect(findChangedMigrations(folder)).toEqual([
      expect.stringMatching(/^001_start\.ts was changed\. .*write a new migration/),
      expect.stringMatching(/^002_more\.ts was changed/),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
