import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessageOf } from '../server/commands/commandError.ts';
import { getBrowserLaunchOptions } from './browser.ts';
import { buildWeb, ROOT } from './build.ts';
import { startPostgres } from './postgres.ts';
import { type Tally, tallyOfPlaywright, tallyOfVitest } from './testReports.ts';

const REPORTS = join(ROOT, '.cache', 'reports');
const log = (line: string) => process.stderr.write(`rubadub: ${line}\n`);

/** Runs a suite and counts the results in its report. A non-zero exit without a failed test counts as one failure. */
async function runSuite(suite: {
  name: string;
  program: string;
  args: string[];
  env: Record<string, string>;
  readReport: (path: string) => Tally;
  /** Until then the suite prints nothing, so that it does not mix with another one. */
  printsAfter?: Promise<unknown> | undefined;
}): Promise<Tally> {
  const { name, program, args, env, readReport, printsAfter } = suite;
  const report = join(REPORTS, `${name}.json`);
  rmSync(report, { force: true });
  // V8's optimizing compiler for WebAssembly costs a test more CPU than it saves: see vitest.config.ts.
  const child = spawn(process.execPath, ['--liftoff-only', join(ROOT, 'node_modules', program), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: printsAfter ? ['inherit', 'pipe', 'pipe'] : 'inherit',
  });
  if (printsAfter) printLater(child, printsAfter);
  const [code] = await once(child, 'close');
  const tally = tallyOf(name, () => readReport(report));
  if (code === 0 || tally.failed > 0) return tally;
  return { ...tally, failed: 1, failures: [`${name} ended with exit code ${code}`] };
}

function printLater({ stdout, stderr }: ChildProcess, after: Promise<unknown>): void {
  let held: Buffer[] | undefined = [];
  const print = (chunk: Buffer) => (held ? held.push(chunk) : process.stdout.write(chunk));
  stdout?.on('data', print);
  stderr?.on('data', print);
  void after.finally(() => {
    process.stdout.write(Buffer.concat(held ?? []));
    held = undefined;
  });
}

function tallyOf(name: string, readReport: () => Tally): Tally {
  try {
    return readReport();
  } catch (error) {
    return { passed: 0, failed: 1, failures: [`the report of ${name} cannot be read: ${errorMessageOf(error)}`] };
  }
}

async function runVitest(env: Record<string, string>, ...options: string[]): Promise<Tally> {
  const outputFile = join(REPORTS, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`, ...options];
  return runSuite({
    name: 'vitest',
    program: 'vitest/vitest.mjs',
    args,
    env,
    readReport: (path) => tallyOfVitest(path, ROOT),
  });
}

/** What takes seconds: no server, no database, no browser. vitest.config.ts lists it. */
const runUnitTests = () => runVitest({ TEST_SCOPE: 'unit' }, '--maxWorkers=100%');

/** All tests but the journeys, or those of some folders. */
const runServerTests = (databaseUrl: string, folders: readonly string[] = []) =>
  runVitest({ TEST_DATABASE_URL: databaseUrl }, ...folders);

type JourneyOptions = {
  databaseUrl: string;
  chromiumPath: string;
  files?: readonly string[];
  printsAfter?: Promise<unknown>;
};

async function runJourneys({ databaseUrl, chromiumPath, files = [], printsAfter }: JourneyOptions): Promise<Tally> {
  const env = {
    CHROMIUM_PATH: chromiumPath,
    TEST_DATABASE_URL: databaseUrl,
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(REPORTS, 'journeys.json'),
  };
  const args = ['test', '--config=journeys/playwright.config.ts', '--reporter=list,json', ...files];
  return runSuite({
    name: 'journeys',
    program: '@playwright/test/cli.js',
    args,
    env,
    readReport: tallyOfPlaywright,
    printsAfter,
  });
}

/** Each suite waits for other processes a third of the time, so both together keep two cores busy. */
async function runServerTestsAndJourneys(databaseUrl: string): Promise<Tally[]> {
  // Found and built once, before tests of both suites need them.
  const { executablePath: chromiumPath } = getBrowserLaunchOptions();
  await buildWeb({ log });
  const serverTests = runOrCountFailure(() => runServerTests(databaseUrl));
  const journeys = () => runJourneys({ databaseUrl, chromiumPath, printsAfter: serverTests });
  return Promise.all([serverTests, runOrCountFailure(journeys)]);
}

/** The fast tests with `--unit`, those of some folders or files, or all. */
async function runChosenTests(args: readonly string[]): Promise<Tally[]> {
  if (args.includes('--unit')) return [await runOrCountFailure(runUnitTests)];
  const postgres = await startPostgres();
  try {
    return await (args.length === 0 ? runServerTestsAndJourneys(postgres.url) : runSomeTests(postgres.url, args));
  } finally {
    await postgres.stop();
  }
}

async function runSomeTests(databaseUrl: string, files: readonly string[]): Promise<Tally[]> {
  const journeys = files.filter((file) => file.startsWith('journeys'));
  const others = files.filter((file) => !file.startsWith('journeys'));
  return [
    ...(others.length > 0 ? [await runOrCountFailure(() => runServerTests(databaseUrl, others))] : []),
    ...(journeys.length > 0 ? [await runOrCountFailure(() => runSomeJourneys(databaseUrl, journeys))] : []),
  ];
}

async function runSomeJourneys(databaseUrl: string, files: readonly string[]): Promise<Tally> {
  await buildWeb({ log });
  return runJourneys({ databaseUrl, chromiumPath: getBrowserLaunchOptions().executablePath, files });
}

async function runOrCountFailure(suite: () => Promise<Tally>): Promise<Tally> {
  return suite().catch((error: unknown) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { passed: 0, failed: 1, failures: [message] };
  });
}

mkdirSync(REPORTS, { recursive: true });
const tallies = await runChosenTests(process.argv.slice(2));
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
// Once more at the end, because the start of a long log is often cut off.
for (const failure of tallies.flatMap(({ failures }) => failures)) log(`failed: ${failure}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
