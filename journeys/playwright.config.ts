import { defineConfig } from '@playwright/test';
import { browserToLaunch } from '../scripts/browser.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  outputDir: '../test-results',
  // Each worker has a house and a browser of its own; two cores do not carry more at the pace that the journeys expect.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    actionTimeout: 15_000,
    launchOptions: browserToLaunch(),
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
