import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'screenshots');

/** Takes one of the README's pictures, only when SCREENSHOTS is set: a run of the tests leaves the tree as it is. */
export async function takeScreenshot(page: Page, name: 'landing' | 'order'): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  await page.evaluate('scrollTo(0, 0)');
  await expect(page.getByRole('region', { name: 'Notifications' })).toHaveText('');
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}
