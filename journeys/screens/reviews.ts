import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible } from '../accessibility.ts';
import { card, expectToast } from './pageElements.ts';

export type ReviewInput = { readonly rating: number; readonly message: string };

/** Opens the review dialog, submits it with each kind of invalid input, and then submits a valid review. */
export async function submitReview(page: Page, button: string, { rating, message }: ReviewInput): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  const submit = dialog.getByRole('button', { name: 'Submit Review' });
  const textbox = dialog.getByRole('textbox', { name: 'Review' });
  await submit.click();
  await expect(dialog.getByText('Please select a rating')).toBeVisible();
  await expect(dialog.getByText('Please provide a review message')).toBeVisible();
  await expectAccessible(page, 'Review dialog');
  await dialog.getByRole('radio', { name: rating === 1 ? '1 star' : `${rating} stars`, exact: true }).check();
  await expect(dialog.getByText('Please select a rating')).toHaveCount(0);
  await textbox.fill('Too short');
  await submit.click();
  await expect(dialog.getByText('Review message must be at least 10 characters')).toBeVisible();
  await textbox.fill(message);
  await submit.click();
  await expect(dialog).toHaveCount(0);
  await expectToast(page, 'Review submitted successfully!');
  await expectReview(page, 'Your Review', { rating, message });
  await expect(page.getByRole('button', { name: button, exact: true })).toHaveCount(0);
}

/** The stars that a Bud can give a person on the page of an order whose laundry is home. */
export const starsFor = (page: Page, person: string): Locator =>
  page.getByRole('group', { name: `Stars for ${person}` });

/** Gives stars with one tap, and says the words that are asked for after it. */
export async function giveStars(page: Page, person: string, { rating, message }: ReviewInput): Promise<void> {
  const stars = rating === 1 ? '1 star' : `${rating} stars`;
  await starsFor(page, person).getByRole('button', { name: stars, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio', { name: stars, exact: true })).toBeChecked();
  await dialog.getByRole('textbox', { name: 'Review' }).fill(message);
  await dialog.getByRole('button', { name: 'Submit Review' }).click();
  await expect(dialog).toHaveCount(0);
  await expectToast(page, 'Review submitted successfully!');
  await expect(starsFor(page, person)).toHaveCount(0);
}

/** Checks the review on the card with this title. */
export async function expectReview(page: Page, title: string, { rating, message }: ReviewInput): Promise<void> {
  await expect(card(page, title)).toContainText(`(${rating}/5)`);
  await expect(card(page, title)).toContainText(message);
}
