import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{domain,contract,server,web,sandbox,scripts,promises}/**/*.test.{ts,tsx}'],
    globalSetup: ['scripts/vitest.setup.ts'],
    // Limits for what hangs, wide enough for a machine that is busy with other things.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
