import { expect, type Page } from '@playwright/test';
import type { Point } from '../../domain/places.ts';

const picker = (page: Page) => page.getByRole('dialog', { name: 'Select Location' });

/** Disabled while the place that was picked is loading. */
export const pickerSaveButton = (page: Page) => picker(page).getByRole('button', { name: 'Save' });

/** Opens the location picker, finds an address with the keyboard, and saves it. Returns its location. */
export async function pickBySearch(page: Page, address: string): Promise<Point> {
  await page.getByRole('button', { name: 'Select Location' }).click();
  const dialog = picker(page);
  const box = dialog.getByRole('combobox', { name: 'Search address' });
  await box.fill(address);
  const suggestions = dialog.getByRole('option');
  await expect(suggestions.first()).toContainText(address);
  expect(await suggestions.count()).toBeLessThanOrEqual(5);
  await expect(dialog.getByRole('option', { selected: true })).toHaveCount(0);
  await box.press('ArrowDown');
  await expect(suggestions.first()).toHaveAttribute('aria-selected', 'true');
  await box.press('Enter');
  await expect(suggestions).toHaveCount(0);
  return save(page);
}

/** Opens the location picker of a browser without maps and fills in the coordinates. */
export async function pickByCoordinates(page: Page, { latitude, longitude }: Point): Promise<Point> {
  await page.getByRole('button', { name: 'Select Location' }).click();
  const dialog = picker(page);
  await expect(dialog.getByText('This browser cannot show the map')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Latitude' }).fill(String(latitude));
  await dialog.getByRole('textbox', { name: 'Longitude' }).fill(String(longitude));
  return save(page);
}

async function save(page: Page): Promise<Point> {
  await pickerSaveButton(page).click();
  await expect(picker(page)).toHaveCount(0);
  const field = page.getByRole('textbox', { name: 'Location (lat, lng)' });
  await expect(field).toHaveValue(/^Location \(-?[\d.]+, -?[\d.]+\)$/);
  const [latitude = Number.NaN, longitude = Number.NaN] =
    (await field.inputValue()).match(/-?[\d.]+/g)?.map(Number) ?? [];
  return { latitude, longitude };
}
