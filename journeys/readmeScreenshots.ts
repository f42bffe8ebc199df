import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'screenshots');

/** How much of each page its picture shows. */
const HEIGHTS = { landing: 900, order: 1280 } as const;

/** Takes one of the README's pictures, only when SCREENSHOTS is set: a run of the tests leaves the tree as it is. */
export async function takeReadmeScreenshot(page: Page, name: keyof typeof HEIGHTS): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: HEIGHTS[name] });
  await page.evaluate('scrollTo(0, 0)');
  await expect(page.getByRole('region', { name: 'Notifications' })).toHaveText('');
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  if (before) await page.setViewportSize(before);
}
