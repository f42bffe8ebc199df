import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PROMISES, type SuiteDefinition } from './promises.ts';
import { readStoredFigures, storeFigures, writePage } from './promisesPage.ts';

const ROOT = join(import.meta.dirname, '..');

type Step = {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
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

/** Other tests that can go on for longer than CI has time for. */
const EXTRA_STEPS: readonly Step[] = [
  vitestStep('payouts: another seed', 'server/payments/payouts.test.ts', { STORM_SEED: String(Date.now() % 1e9) }),
  vitestStep('events: another seed', 'server/events/load.test.ts', { STORM_SEED: String(Date.now() % 1e9) }),
  vitestStep('lists against a naive program, 300 runs', 'server/db/lists.test.ts', { FAST_CHECK_RUNS: '300' }),
  vitestStep('random steps by anybody, 150 runs', 'server/orders/randomSteps.test.ts', { FAST_CHECK_RUNS: '150' }),
  {
    name: 'every screen in every state, and what axe says of it',
    args: [join(ROOT, 'scripts', 'gallery.ts')],
    env: { AXE: 'on' },
  },
];

type StepResult = { readonly name: string; readonly code: number; readonly seconds: number };

async function runStep({ name, args, env }: Step): Promise<StepResult> {
  console.log(`\n— ${name}`);
  const began = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: ROOT,
    env: { ...process.env, PROMISES: 'night', ...env },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return { name, code: code ?? 1, seconds: Math.round((performance.now() - began) / 1000) };
}

/** What a step's suites counted, or that they left nothing. */
function describeCounts(name: string): string {
  const kept = readStoredFigures();
  const ids = allSuites.filter(({ file }) => file === name).map(({ id }) => id);
  return ids
    .flatMap((id) => kept[`${id}, night`] ?? [])
    .map(({ ran, stated, suite }) => `${suite} ${ran} of ${stated}`)
    .join(', ');
}

// npm run night: everything; with words, the steps whose names hold one of them; with --page, only the page anew.
async function run(args: readonly string[]): Promise<void> {
  const words = args.filter((arg) => !arg.startsWith('--'));
  const all = [
    ...files.map((file) => (file.startsWith('journeys/') ? journeyStep(file, file) : vitestStep(file, file))),
    ...EXTRA_STEPS,
  ];
  const wanted = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  const outcomes: StepResult[] = [];
  for (const step of args.includes('--page') ? [] : wanted) {
    outcomes.push(await runStep(step));
    // After each one, so that a night that is cut short has not run for nothing.
    storeFigures();
    writePage();
  }
  if (args.includes('--page')) writePage();
  console.log('');
  for (const { name, code, seconds } of outcomes) {
    console.log(`${code === 0 ? '✓' : '✗'} ${String(seconds).padStart(6)} s  ${name}  ${describeCounts(name)}`);
  }
  process.exitCode = outcomes.every(({ code }) => code === 0) ? 0 : 1;
}

await run(process.argv.slice(2));
