import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BASE_ENV, NODE_FLAGS } from '../testing/childProcesses.ts';
import { launchServer } from './processes.ts';
import { openSmallDisk, type SmallDisk } from './smallDisk.ts';

const ROOT = join(import.meta.dirname, '..');
/** Too little for a new database, and enough for a lock. */
const LITTLE_MB = 4;
const DISK_MB = 64;

const probe = openSmallDisk(1);
probe?.close();

// Skipped where this process may not mount a file system.
describe.skipIf(probe === undefined)('on a disk that is nearly full', () => {
  let disk: SmallDisk;
  let filler: string;

  beforeEach(() => {
    disk = openSmallDisk(DISK_MB) as SmallDisk;
    filler = join(disk.folder, 'large');
    writeFileSync(filler, Buffer.alloc((DISK_MB - LITTLE_MB) * 1024 * 1024));
  });
  afterEach(() => disk.close());

  function run(script: string, args: readonly string[], env: Record<string, string>) {
    const all = { ...BASE_ENV, PORT: '0', DEMO: 'off', ...env };
    const options = { env: all, encoding: 'utf8', timeout: 100_000 } as const;
    const { status, stderr } = spawnSync(process.execPath, [...NODE_FLAGS, join(ROOT, script), ...args], options);
    return { status, lines: stderr.trim().split('\n') };
  }

  test('a new database is created completely or not at all: the start says why in one line, and the next one works', async () => {
    const env = { DATA_DIR: join(disk.folder, 'data') };
    const { status, lines } = run('scripts/start.ts', ['--api'], env);
    expect(lines).toEqual([
      expect.stringMatching(/^rubadub: DATA_DIR .* no embedded database that opens: No space left/),
    ]);
    expect(status).toBe(1);
    expect(existsSync(join(env.DATA_DIR, 'pglite'))).toBe(false);
    rmSync(filler);
    const server = await launchServer(env);
    expect((await fetch(`${server.apiUrl}/health/ready`)).status).toBe(200);
    disk.fill();
    await server.end();
    expect(server.log.filter((line) => line.includes('during shutdown'))).toEqual([]);
  });

  test('a backup says in one line that its disk is full, and leaves no file', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'rubadub-backup-'));
    try {
      const server = await launchServer({ DATA_DIR: dataDir });
      await server.end();
      disk.fill();
      const before = readdirSync(disk.folder);
      const file = join(disk.folder, 'rubadub.backup.gz');
      const { status, lines } = run('server/commands/backup.ts', [file], { DATA_DIR: dataDir });
      expect(lines).toEqual([
        expect.stringContaining(`rubadub backup: ${file} cannot be written: ENOSPC: no space left on device, `),
      ]);
      expect(status).toBe(1);
      expect(readdirSync(disk.folder)).toEqual(before);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
