import { defineConfig } from '@playwright/test';
import { getBrowserLaunchOptions } from '../../scripts/browser.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.gallery.ts',
  outputDir: '../../test-results/gallery',
  // Each worker starts its own server with the demo data and runs one file at a time.
  workers: 2,
  fullyParallel: false,
  retries: 0,
  timeout: 200_000 * (process.env.GALLERY_WIDTHS ?? '1280,390').split(',').length,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: { browserName: 'chromium', actionTimeout: 20_000, launchOptions: getBrowserLaunchOptions() },
});
