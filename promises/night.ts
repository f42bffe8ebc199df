import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describeLastRuns, keepLastRun, readLastRuns } from './lastNight.ts';
import { runParts } from './nightParts.ts';
import { PROMISES, type SuiteDefinition } from './promises.ts';
import { readStoredFigures, storeFigures, writePage } from './promisesPage.ts';

const ROOT = join(import.meta.dirname, '..');
const NO_WARNING = '--disable-warning=ExperimentalWarning';

type Step = {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A suite that runs in parts. */
  readonly inParts?: SuiteDefinition | undefined;
};

const vitestStep = (name: string, file: string, env: Record<string, string> = {}): Step => ({
  name,
  args: [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', file],
  env,
});

const journeyStep = (name: string, file: string): Step => ({
  name,
  args: [
    join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js'),
    'test',
    '--config=journeys/playwright.config.ts',
    file,
  ],
});

const allSuites: readonly SuiteDefinition[] = PROMISES.flatMap(({ suites }): readonly SuiteDefinition[] => suites);
const files = [...new Set(allSuites.map(({ file }) => file))];
const suiteInParts = (name: string) =>
  allSuites.find(({ file, nightParts }) => file === name && nightParts !== undefined);

/** Other tests in a longer form than CI has time for. */
const EXTRA_STEPS: readonly Step[] = [
  vitestStep('every rule on both databases', 'server/', { TEST_DATABASES: 'all' }),
  vitestStep('payouts: another seed', 'server/payments/payouts/payouts.test.ts', {
    STORM_SEED: String(Date.now() % 1e9),
  }),
  vitestStep('events: another seed', 'server/events/load.test.ts', { STORM_SEED: String(Date.now() % 1e9) }),
  vitestStep('sign-ins during a password reset, 1,000 races', 'server/accounts/signIn.test.ts', { RACES: '1000' }),
  vitestStep('lists compared with a reference model, 300 runs', 'server/db/lists.test.ts', { FAST_CHECK_RUNS: '300' }),
  vitestStep('every nasty string in every text', 'server/http/storedTexts.test.ts'),
  vitestStep('random steps by anyone, 150 runs', 'server/orders/randomSteps.test.ts', { FAST_CHECK_RUNS: '150' }),
  vitestStep('random times of orders, 2,000 lives', 'server/orders/randomTimes.test.ts', { FAST_CHECK_RUNS: '2000' }),
  vitestStep('random documents and decisions about them, 40 runs', 'server/admissions/randomAdmissions.test.ts', {
    FAST_CHECK_RUNS: '40',
  }),
  vitestStep('made-up values in a backup, 3,000 rows', 'server/db/backup/backupValues.test.ts', {
    FAST_CHECK_RUNS: '3000',
  }),
  vitestStep('a day of a city in a backup', 'promises/restoredCity.test.ts'),
  vitestStep('the image step by step, and the restore of a backup', 'promises/deploy/'),
  journeyStep('the whole order in Firefox and WebKit', 'journeys/otherBrowsers/mainJourney.test.ts'),
  journeyStep('every situation of a bad day, in an open town', 'journeys/situations/open.test.ts'),
  journeyStep('every situation of a bad day, in a careful town', 'journeys/situations/careful.test.ts'),
  journeyStep('the twenty situations of an operator', 'journeys/(operator|promoCodes)'),
  {
    name: 'Stryker changes the money rules of domain/',
    args: [
      join(ROOT, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js'),
      'run',
      'promises/stryker.config.json',
    ],
  },
  {
    name: 'the table of the twenty situations',
    args: [join(ROOT, 'journeys', 'twentySituations', 'writePage.ts')],
  },
  {
    name: 'every screen in every state, checked with axe',
    args: [join(ROOT, 'scripts', 'gallery.ts')],
    env: { AXE: 'on' },
  },
];

type StepResult = { readonly name: string; readonly code: number; readonly seconds: number };

async function runStep({ name, args, env, inParts }: Step): Promise<StepResult> {
  console.log(`\n— ${name}`);
  const startedAt = performance.now();
  const resultOf = (code: number) => ({ name, code, seconds: Math.round((performance.now() - startedAt) / 1000) });
  if (inParts) return resultOf(await runParts(inParts, { args: [NO_WARNING, ...args], cwd: ROOT }));
  const child = spawn(process.execPath, [NO_WARNING, ...args], {
    cwd: ROOT,
    env: { ...process.env, PROMISES: 'night', ...env },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return resultOf(code ?? 1);
}

/** How many cases the suites of a step ran. */
function describeCounts(name: string): string {
  const stored = readStoredFigures();
  const ids = allSuites.filter(({ file }) => file === name).map(({ id }) => id);
  return ids
    .flatMap((id) => stored[`${id}, night`] ?? [])
    .map(({ ran, stated, suite }) => `${suite} ${ran} of ${stated}`)
    .join(', ');
}

// `npm run night` runs all steps, `npm run night -- word` those whose names contain a word, and `--page` only writes the page.
async function run(args: readonly string[]): Promise<void> {
  const words = args.filter((arg) => !arg.startsWith('--'));
  const steps = [
    ...files.map((file) =>
      file.startsWith('journeys/')
        ? journeyStep(file, file)
        : { ...vitestStep(file, file), inParts: suiteInParts(file) },
    ),
    ...EXTRA_STEPS,
  ];
  const chosen = steps.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const names = steps.map(({ name }) => name);
  console.log(describeLastRuns(names, readLastRuns()));
  const outcomes: StepResult[] = [];
  for (const step of args.includes('--page') ? [] : chosen) {
    const outcome = await runStep(step);
    outcomes.push(outcome);
    const date = new Date().toISOString().slice(0, 10);
    keepLastRun(outcome.name, { date, seconds: outcome.seconds, passed: outcome.code === 0 });
    // After each step, so that an interrupted night keeps its results.
    storeFigures();
    writePage();
  }
  if (args.includes('--page')) writePage();
  console.log('');
  for (const { name, code, seconds } of outcomes) {
    console.log(`${code === 0 ? '✓' : '✗'} ${String(seconds).padStart(6)} s  ${name}  ${describeCounts(name)}`);
  }
  console.log(`\n${describeLastRuns(names, readLastRuns())}`);
  process.exitCode = outcomes.every(({ code }) => code === 0) ? 0 : 1;
}

await run(process.argv.slice(2));
