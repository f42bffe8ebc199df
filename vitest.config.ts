import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{domain,contract,server,web,sandbox,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: ['scripts/vitest.setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
