import { configDefaults, defineConfig } from 'vitest/config';

/** Left out of `npm run test:unit`: what starts a browser, other processes or PostgreSQL, or takes longer than the rest. */
const SLOW_TESTS = [
  'promises/**',
  'scripts/{start,sandbox,postgres}.test.ts',
  'sandbox/{sandbox,places/page,square/webSdk}.test.ts',
];

export default defineConfig({
  test: {
    include: ['{domain,contract,server,web,sandbox,scripts,promises}/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, ...(process.env.TEST_SCOPE === 'unit' ? SLOW_TESTS : [])],
    globalSetup: ['scripts/vitest.setup.ts'],
    // PGlite is WebAssembly that most tests run for a few seconds: optimizing it costs more CPU than it saves.
    execArgv: ['--liftoff-only'],
    // Limits for tests that hang, long enough for a busy machine.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
