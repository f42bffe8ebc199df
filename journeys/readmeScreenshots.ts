import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'screenshots');

/** The height of each screenshot. */
const HEIGHTS = { landing: 900, order: 1280 } as const;

/** Takes one of the README's screenshots. Does nothing unless SCREENSHOTS is set, so that tests do not change files. */
export async function takeReadmeScreenshot(page: Page, name: keyof typeof HEIGHTS): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  const originalSize = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: HEIGHTS[name] });
  await page.evaluate('scrollTo(0, 0)');
  await expect(page.getByRole('region', { name: 'Notifications' })).toHaveText('');
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  if (originalSize) await page.setViewportSize(originalSize);
}
