import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../accessibility.ts';
import { takeReadmeScreenshot } from '../readmeScreenshots.ts';

/** Opens the landing page and reads its words. */
export async function readLanding(page: Page): Promise<void> {
  await page.goto('/');
  await expect(page.getByText('complete laundry service platform')).toBeVisible();
  await expect(page.getByText('Join thousands of users who trust Rubadub for their laundry needs')).toBeVisible();
  await expect(page.getByRole('link', { name: 'I Already Have an Account' }).first()).toBeVisible();
  for (const role of ['Bud', 'Scrub', 'Duber']) await expect(page.getByRole('heading', { name: role })).toBeVisible();
  await expect(page.getByText('$2.50').first()).toBeVisible();
  await expectAccessible(page, 'Landing');
  await takeReadmeScreenshot(page, 'landing');
}
