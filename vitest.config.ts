import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { TestOrder } from './scripts/testOrder.ts';
import { wrapTexts } from './scripts/vite/textElements.ts';
import { WAIT } from './testing/waits.ts';

/**
 * What `npm run test:unit` runs: rules, contract, screens and tools. No server, no database, no browser, so it takes seconds
 * and needs nothing prepared. `npm test -- server/orders` runs the tests of one folder.
 */
const UNIT_TESTS = [
  '{domain,contract,texts,web,sandbox,bench,city}/**/*',
  'promises/mutants/*',
  'scripts/*',
  'server/config/*',
  'server/db/{connectionQueue,dataDir,sharedColumns}',
  'server/files/{photoQueue,photoReencoder,photoSizes,s3}',
  'server/events/streamHub',
  'server/http/{duplicateKeys,reply,waits}',
  'server/operator/sharedRead',
].map((files) => `${files}.test.{ts,tsx}`);
/** They start other processes or a browser, or install packages. */
const NOT_UNIT_TESTS = [
  'city/chaos/**',
  'web/earnings/workRecord.test.ts',
  'sandbox/square/webSdk.test.ts',
  'scripts/{convertBackup,installPackages,postgres,sandbox,start,testReports}.test.ts',
];

const isUnit = process.env.TEST_SCOPE === 'unit';

export default defineConfig({
  plugins: [wrapTexts()],
  test: {
    include: isUnit
      ? UNIT_TESTS
      : ['{domain,contract,texts,server,web,sandbox,scripts,promises,bench,city}/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, ...(isUnit ? NOT_UNIT_TESTS : [])],
    globalSetup: ['scripts/vitest.setup.ts'],
    // PGlite is WebAssembly that most tests run for a few seconds: optimizing it costs more CPU than it saves.
    execArgv: ['--liftoff-only'],
    // A worker keeps its modules between files: loading them again for each file was a third of the CPU time.
    isolate: false,
    // Most tests wait for other processes half of the time, so two cores carry two workers.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: TestOrder },
    // Limits for tests that hang, long enough for a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: WAIT },
  },
});
