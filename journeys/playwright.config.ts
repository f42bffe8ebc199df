import { defineConfig } from '@playwright/test';
import { getBrowserLaunchOptions } from '../scripts/browser.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir: '../test-results',
  // Each worker has a house and a browser of its own; two cores do not carry more at the pace that the journeys expect.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Limits for what hangs, wide enough for a machine that is busy with other things.
  timeout: 480_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    launchOptions: getBrowserLaunchOptions(),
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
