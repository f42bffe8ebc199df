import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from './build.ts';
import { tallyOfPlaywright, tallyOfVitest } from './testReports.ts';

// Inside the project, so that the tests find the packages they import.
const cache = join(ROOT, '.cache');
let folder: string;

beforeEach(() => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'reports-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, lines: string[]) => writeFileSync(join(folder, name), lines.join('\n'));

function run(program: string, args: string[], env: Record<string, string> = {}): void {
  const started = spawnSync(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  expect(started.status, String(started.stderr)).toBe(1);
}

test('the report of Vitest names each failed test, and each file that does not load or whose hook failed', () => {
  const sums = [`test('adds', () => expect(1 + 1).toBe(2));`, `test('subtracts', () => expect(2 - 1).toBe(7));`];
  write('sums.test.ts', [`import { expect, test } from 'vitest';`, ...sums]);
  write('broken.test.ts', [`import './missing.ts';`]);
  const hook = `beforeAll(() => { throw new Error('no server'); });`;
  write('hook.test.ts', [`import { beforeAll, test } from 'vitest';`, hook, `test('multiplies', () => {});`]);
  const report = join(folder, 'vitest.json');
  run('vitest/vitest.mjs', ['run', `--root=${folder}`, '--reporter=json', `--outputFile=${report}`]);

  const { passed, failed, failures } = tallyOfVitest(report, folder);
  expect({ passed, failed }).toEqual({ passed: 1, failed: 3 });
  expect(failures.sort()).toEqual([
    expect.stringMatching(/^broken\.test\.ts\n.*missing\.ts/),
    expect.stringMatching(/^hook\.test\.ts/),
    expect.stringMatching(/^sums\.test\.ts › subtracts\n.*expected 1 to be 7/),
  ]);
});

test('the report of Playwright names each failed test', () => {
  const sums = [`test('adds', () => expect(1 + 1).toBe(2));`, `test('subtracts', () => expect(2 - 1).toBe(7));`];
  write('sums.spec.ts', [`import { expect, test } from '@playwright/test';`, ...sums]);
  const report = join(folder, 'journeys.json');
  run('@playwright/test/cli.js', ['test', '--reporter=json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: report });

  expect(tallyOfPlaywright(report)).toEqual({
    passed: 1,
    failed: 1,
    failures: [expect.stringMatching(/^journeys\/sums\.spec\.ts › subtracts\n.*toBe/)],
  });
});
