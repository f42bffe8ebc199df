import { defineConfig } from 'vitest/config';

/** For Stryker, whose threads refuse the options of the other configuration: the tests of pure rules, which need no database. */
export default defineConfig({ test: { include: ['domain/**/*.test.ts'], testTimeout: 300_000 } });
