import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataDirError, openDataDir } from './dataDir.ts';

const umask = process.umask();
let parent: string;
let dataDir: string;
let lines: string[];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'rubadub-private-'));
  chmodSync(parent, 0o755);
  process.umask(0o022);
  dataDir = join(parent, 'data');
  lines = [];
});

afterEach(() => {
  process.umask(umask);
  rmSync(parent, { recursive: true, force: true });
});

const open = () => openDataDir(dataDir, (line) => lines.push(line));
const modeOf = (...names: string[]) => (statSync(join(parent, ...names)).mode & 0o777).toString(8);

function writeOpenFiles(...names: string[]) {
  mkdirSync(join(dataDir, 'pglite', 'base'), { recursive: true });
  mkdirSync(join(dataDir, 'sandbox'));
  for (const name of [
    'pglite/base/1',
    'sandbox/mail.jsonl',
    'demo.json',
    'visits.json',
    'sealing-key',
    'lock.1',
    ...names,
  ]) {
    writeFileSync(join(dataDir, name), 'x');
  }
}

describe.skipIf(process.getuid === undefined)('the data directory', () => {
  test('is created for its user only, and so is everything that is written there later', () => {
    open();
    writeFileSync(join(dataDir, 'file'), 'x');
    mkdirSync(join(dataDir, 'folder'));
    expect([modeOf('data'), modeOf('data', 'file'), modeOf('data', 'folder')]).toEqual(['700', '600', '700']);
    expect(modeOf()).toBe('755');
    expect(lines).toEqual([]);
  });

  test('is closed to other users when an earlier release left it open, and says so once', () => {
    writeOpenFiles();
    writeFileSync(join(parent, 'elsewhere'), 'x');
    symlinkSync(join(parent, 'elsewhere'), join(dataDir, 'pglite', 'link'));
    open();
    expect(lines).toEqual([expect.stringContaining(`${dataDir} was open to other users`)]);
    for (const name of ['.', 'pglite', 'pglite/base', 'sandbox']) expect(modeOf('data', name), name).toBe('700');
    for (const name of ['pglite/base/1', 'sandbox/mail.jsonl', 'demo.json', 'visits.json', 'sealing-key', 'lock.1']) {
      expect(modeOf('data', name), name).toBe('600');
    }
    expect([modeOf(), modeOf('elsewhere')]).toEqual(['755', '644']);
    open();
    expect(lines).toHaveLength(1);
  });

  test('keeps its mode when it contains other things, and only what belongs to Rubadub is closed', () => {
    writeOpenFiles('thesis.tex');
    open();
    expect([modeOf('data'), modeOf('data', 'thesis.tex')]).toEqual(['755', '644']);
    expect([modeOf('data', 'pglite'), modeOf('data', 'demo.json')]).toEqual(['700', '600']);
    chmodSync(dataDir, 0o775);
    expect(open).toThrow('can be changed by other users of this machine');
  });

  test('is refused when it, or something in it, belongs to another user', () => {
    const isRoot = process.getuid?.() === 0;
    // Only root can give a folder away; everybody else has `/`, which belongs to root.
    if (isRoot) {
      mkdirSync(dataDir);
      chownSync(dataDir, 12_345, 12_345);
    } else dataDir = '/';
    expect(open).toThrow(DataDirError);
    expect(open).toThrow('belongs to another user of this machine');
    if (!isRoot) return;
    chownSync(dataDir, 0, 0);
    writeOpenFiles();
    chownSync(join(dataDir, 'pglite', 'base', '1'), 12_345, 12_345);
    expect(open).toThrow(`${join(dataDir, 'pglite', 'base', '1')} belongs to another user`);
  });
});
