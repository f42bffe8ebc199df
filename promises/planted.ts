import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startPostgres } from '../scripts/postgres.ts';
import { PLANTED_BUGS } from './plantedBugs/all.ts';
import { editsOf, type PlantedBug } from './plantedBugs/plantedBug.ts';

const ROOT = join(import.meta.dirname, '..');
const MAX_MINUTES = 10;

const MAX_REASON_LENGTH = 160;

type Color = 'red' | 'green' | 'did not run';
type Verdict = { readonly color: Color; readonly reason: string };
type Report = {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly success: boolean;
  readonly testResults: readonly { assertionResults: readonly { failureMessages: readonly string[] }[] }[];
};

/** Copies the working tree; the copy uses the same node_modules. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-planted-'));
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of list
    .split('\n')
    .filter((name) => name !== '' && name !== 'node_modules' && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // Shares downloads and templates, but not reports and figures.
  mkdirSync(join(folder, '.cache'));
  const cached = existsSync(join(ROOT, '.cache')) ? readdirSync(join(ROOT, '.cache')) : [];
  for (const name of cached.filter((one) => one !== 'promises' && one !== 'reports')) {
    symlinkSync(join(ROOT, '.cache', name), join(folder, '.cache', name));
  }
  return folder;
}

async function runSuite(
  folder: string,
  databaseUrl: string,
  { suite, cases }: Pick<PlantedBug, 'suite' | 'cases'>,
): Promise<Verdict> {
  const report = join(folder, '.cache', 'planted.json');
  rmSync(report, { force: true });
  const args = ['run', '--bail=1', '--reporter=json', `--outputFile=${report}`, suite];
  const env = { ...process.env, TEST_DATABASE_URL: databaseUrl, ...(cases ? { PROMISE_CASES: String(cases) } : {}) };
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  // Not spawnSync: PostgreSQL's output has to be read meanwhile, because a full pipe would block it.
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd: folder,
    env,
    stdio: 'ignore',
    timeout: MAX_MINUTES * 60_000,
  });
  await once(child, 'exit');
  if (!existsSync(report)) return { color: 'did not run', reason: '' };
  const { numFailedTests, numPassedTests, success, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const [message] = testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap((one) => one.failureMessages),
  );
  if (numFailedTests > 0) return { color: 'red', reason: message?.split('\n')[0]?.slice(0, MAX_REASON_LENGTH) ?? '' };
  return { color: success && numPassedTests > 0 ? 'green' : 'did not run', reason: '' };
}

/** Returns a function that removes the bug; undefined when a text does not occur exactly once. */
function plantBug(folder: string, bug: PlantedBug): (() => void) | undefined {
  const before = new Map<string, string>();
  const undo = () => {
    for (const [path, text] of before) writeFileSync(path, text);
  };
  for (const { file, find, replace } of editsOf(bug)) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(find).length !== 2) {
      undo();
      return undefined;
    }
    if (!before.has(path)) before.set(path, text);
    writeFileSync(
      path,
      text.replace(find, () => replace),
    );
  }
  return undo;
}

function printVerdict({ color, reason }: Verdict, expected: Color, title: string): boolean {
  console.log(`${color === expected ? '✓' : '✗'} ${color.padEnd(12)} ${title}${reason && `\n    ${reason}`}`);
  return color === expected;
}

// `npm run planted` plants all bugs, `npm run planted -- text` those whose description or suite contains the text.
async function run(filter: string): Promise<void> {
  const chosen = PLANTED_BUGS.filter(({ bug, suite }) => `${bug} ${suite}`.includes(filter));
  const folder = copyTree();
  const postgres = await startPostgres();
  let problems = 0;
  try {
    for (const suite of new Set(chosen.map(({ suite }) => suite))) {
      const bugs = chosen.filter((bug) => bug.suite === suite);
      const cases = Math.min(...bugs.map((bug) => bug.cases ?? Number.POSITIVE_INFINITY));
      const without = await runSuite(folder, postgres.url, Number.isFinite(cases) ? { suite, cases } : { suite });
      if (!printVerdict(without, 'green', `${suite} without a bug`)) problems += 1;
      for (const bug of bugs) {
        const undo = plantBug(folder, bug);
        const notFound: Verdict = { color: 'did not run', reason: 'its text does not occur exactly once' };
        const verdict = undo ? await runSuite(folder, postgres.url, bug) : notFound;
        undo?.();
        if (!printVerdict(verdict, 'red', `  ${bug.bug} (${bug.file})`)) problems += 1;
      }
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    problems === 0 ? `all ${chosen.length} planted bugs were found` : `${problems} suites did not turn out as expected`,
  );
  process.exitCode = problems === 0 && chosen.length > 0 ? 0 : 1;
}

await run(process.argv.slice(2).join(' '));
