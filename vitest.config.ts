import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { WAIT } from './testing/waits.ts';

/** Not in `npm run test:unit`: what needs a browser, PostgreSQL or other processes, and the slowest of the rest. */
const SLOW_TESTS = [
  'promises/**',
  'city/chaos/**',
  'scripts/{start,sandbox,postgres,testReports}.test.ts',
  'sandbox/square/webSdk.test.ts',
  'server/accounts/{accounts,credentials,signIn}.test.ts',
  'server/auth/semaphore.test.ts',
  'server/db/{answerFields,listPlans,lists,nearby,schema}.test.ts',
  'server/events/events.test.ts',
  'server/http/{access,rateLimits}.test.ts',
  'server/jobs/retention.test.ts',
  'server/notifications/{outbox,recipients,send}.test.ts',
  'server/orders/randomSteps.test.ts',
  'server/payments/{ledger,paymentStress,payouts}.test.ts',
];

export default defineConfig({
  test: {
    include: ['{domain,contract,server,web,sandbox,scripts,promises,bench,city}/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, ...(process.env.TEST_SCOPE === 'unit' ? SLOW_TESTS : [])],
    globalSetup: ['scripts/vitest.setup.ts'],
    // PGlite is WebAssembly that most tests run for a few seconds: optimizing it costs more CPU than it saves.
    execArgv: ['--liftoff-only'],
    // A worker keeps its modules between files: loading them again for each file was a third of the CPU time.
    isolate: false,
    // Most tests wait for other processes half of the time, so two cores carry two workers.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Limits for tests that hang, long enough for a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: WAIT },
  },
});
