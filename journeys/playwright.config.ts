import { defineConfig } from '@playwright/test';
import { getBrowserLaunchOptions } from '../scripts/browser.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.test.ts',
  // Firefox and WebKit, and all journeys in which something goes wrong, take minutes: `npm run night` runs them.
  testIgnore: process.env.PROMISES === 'night' ? [] : ['otherBrowsers/**', 'situations/**'],
  outputDir: '../test-results',
  // Each worker starts its own server and browser. Two of them beside the server tests keep two cores busy.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  // Limits for tests that hang, long enough for a busy machine.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    actionTimeout: 60_000,
    navigationTimeout: 120_000,
    launchOptions: getBrowserLaunchOptions(),
    // Recording traces takes a third of the CPU time. Debug a failure with `--trace=on`.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
