import { defineConfig } from '@playwright/test';
import { getBrowserLaunchOptions } from '../../scripts/browser.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.gallery.ts',
  outputDir: '../../test-results/gallery',
  // Each has a house with the demo of its own, and takes a file after the other.
  workers: 2,
  fullyParallel: false,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: { browserName: 'chromium', actionTimeout: 20_000, launchOptions: getBrowserLaunchOptions() },
});
