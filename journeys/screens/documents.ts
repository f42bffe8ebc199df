import type { Page } from '@playwright/test';
import { takePhoto } from '../situations/day.ts';
import { expectToast } from './pageElements.ts';

const YEAR_MS = 365 * 24 * 60 * 60_000;

/** A day on which a document that is sent today is still valid. */
export const nextYear = () => new Date(Date.now() + YEAR_MS / 2).toISOString().slice(0, 10);

/** Sends a document on the profile. */
export async function sendDocumentOnProfile(page: Page, name: string, hasDay: boolean): Promise<void> {
  await page.getByRole('button', { name: `Send ${name}` }).click();
  const dialog = page.getByRole('dialog', { name });
  await takePhoto(page);
  if (hasDay) await dialog.getByLabel('Last day on which it is valid').fill(nextYear());
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expectToast(page, 'Document Sent');
}
