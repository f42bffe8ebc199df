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
import { errorMessageOf } from '../server/commands/commandError.ts';
import { MUTANTS } from './mutants/all.ts';
import { applyEdit } from './mutants/edits.ts';
import { changesOf, type Mutant } from './mutants/mutant.ts';

const ROOT = join(import.meta.dirname, '..');
const MAX_MINUTES = 10;

const MAX_REASON_LENGTH = 160;

type Color = 'red' | 'green' | 'did not run' | 'did not apply';
type Verdict = { readonly color: Color; readonly reason: string };
type Report = {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly success: boolean;
  readonly testResults: readonly { assertionResults: readonly { failureMessages: readonly string[] }[] }[];
};

/** Copies the working tree; the copy uses the same node_modules. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubadub-mutants-'));
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
  { suite, cases }: Pick<Mutant, 'suite' | 'cases'>,
): Promise<Verdict> {
  const report = join(folder, '.cache', 'mutants.json');
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

type ChangedFiles = Map<string, { readonly original: string; readonly changed: string }>;

/** The files of a mutant, before and after; or why it does not apply. */
function applyMutant(folder: string, mutant: Mutant): ChangedFiles | string {
  try {
    return existsSync(join(folder, mutant.suite)) ? applyChanges(folder, mutant) : `there is no ${mutant.suite}`;
  } catch (error) {
    return errorMessageOf(error);
  }
}

function applyChanges(folder: string, mutant: Mutant): ChangedFiles {
  const files: ChangedFiles = new Map();
  for (const change of changesOf(mutant)) {
    const [file = '', symbol] = change.at.split('#');
    const path = join(folder, file);
    const original = files.get(path)?.original ?? readFileSync(path, 'utf8');
    const text = files.get(path)?.changed ?? original;
    files.set(path, { original, changed: applyEdit({ file, text }, symbol, change) });
  }
  return files;
}

function printVerdict({ color, reason }: Verdict, expected: Color, title: string): boolean {
  console.log(`${color === expected ? '✓' : '✗'} ${color.padEnd(13)} ${title}${reason && `\n    ${reason}`}`);
  return color === expected;
}

/** Only applies the mutants, and lists those that do not apply any more. Returns how many. */
function listProblems(mutants: readonly Mutant[]): number {
  const problems = mutants.flatMap((mutant) => {
    const applied = applyMutant(ROOT, mutant);
    return typeof applied === 'string' ? [`✗ did not apply: ${applied}\n    ${mutant.mutant} (${mutant.at})`] : [];
  });
  for (const problem of problems) console.log(problem);
  return problems.length;
}

async function runMutant(folder: string, databaseUrl: string, mutant: Mutant): Promise<Verdict> {
  const files = applyMutant(folder, mutant);
  if (typeof files === 'string') return { color: 'did not apply', reason: files };
  for (const [path, { changed }] of files) writeFileSync(path, changed);
  const verdict = await runSuite(folder, databaseUrl, mutant);
  for (const [path, { original }] of files) writeFileSync(path, original);
  return verdict;
}

/** Runs each suite without a mutant, and then with each of its mutants. Returns how many did not end as expected. */
async function runAll(mutants: readonly Mutant[]): Promise<number> {
  const folder = copyTree();
  const postgres = await startPostgres();
  let problems = 0;
  try {
    for (const suite of new Set(mutants.map((mutant) => mutant.suite))) {
      const ofSuite = mutants.filter((mutant) => mutant.suite === suite);
      const cases = Math.min(...ofSuite.map((mutant) => mutant.cases ?? Number.POSITIVE_INFINITY));
      const without = await runSuite(folder, postgres.url, Number.isFinite(cases) ? { suite, cases } : { suite });
      if (!printVerdict(without, 'green', `${suite} without a mutant`)) problems += 1;
      for (const mutant of ofSuite) {
        const verdict = await runMutant(folder, postgres.url, mutant);
        if (!printVerdict(verdict, 'red', `  ${mutant.mutant} (${mutant.at})`)) problems += 1;
      }
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return problems;
}

// `npm run mutants` runs all mutants, `npm run mutants -- text` those whose sentence, symbol or suite contains one of the texts.
const args = process.argv.slice(2);
const isDry = args.includes('--dry');
const texts = args.filter((arg) => arg !== '--dry');
const chosen = MUTANTS.filter(
  ({ mutant, at, suite }) =>
    texts.length === 0 || texts.some((text) => [mutant, at, suite].some((words) => words.includes(text))),
);
const problems = isDry ? listProblems(chosen) : await runAll(chosen);
const [good, bad] = isDry
  ? [`all ${chosen.length} mutants apply`, `${problems} of ${chosen.length} mutants do not apply`]
  : [`all ${chosen.length} mutants were found`, `${problems} runs did not end as expected`];
console.log(problems === 0 ? good : bad);
process.exitCode = problems === 0 && chosen.length > 0 ? 0 : 1;
