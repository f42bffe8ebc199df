import { expect, type Page } from '@playwright/test';
import type { Role } from '../../domain/accounts.ts';
import type { Point } from '../../domain/places.ts';
import { expectAccessible } from '../accessibility.ts';
import { readSignUpCode } from '../inbox.ts';
import type { ProductServer } from '../productServer.ts';

export const PASSWORD = 'Rubadub1!';

export type NewAccount = {
  readonly role: Role;
  readonly fullname: string;
  readonly email: string;
  readonly phone?: string;
  /** Chooses the location. The form fills in its address unless `address` is given. */
  readonly placePin: (page: Page) => Promise<Point>;
  readonly address?: string;
};

/** Signs up from the landing page to the dashboard, with the code from the mail. Returns the location of the account. */
export async function signUp(page: Page, server: ProductServer, account: NewAccount): Promise<Point> {
  const { role, address, phone } = account;
  await page.goto('/');
  await page.getByRole('link', { name: 'Get Started - Create Account' }).first().click();
  await chooseRole(page, role);
  await fillAccount(page, server, account);
  await expectAccessible(page, 'Sign-up, step 3');
  const point = await account.placePin(page);
  if (address !== undefined) await page.getByRole('textbox', { name: 'Address', exact: true }).fill(address);
  if (phone !== undefined) await page.getByRole('textbox', { name: 'Phone' }).fill(phone);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page).toHaveURL(new RegExp(`/#/${role.toLowerCase()}/dashboard$`));
  return point;
}

async function chooseRole(page: Page, role: Role): Promise<void> {
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Please select your role')).toBeVisible();
  await page.getByRole('radio', { name: role, exact: true }).check();
  await expectAccessible(page, 'Sign-up, step 1');
  await page.getByRole('button', { name: 'Next' }).click();
}

async function fillAccount(page: Page, server: ProductServer, { fullname, email }: NewAccount): Promise<void> {
  const code = page.getByRole('textbox', { name: 'OTP Code' });
  const summary = page.getByRole('complementary', { name: 'Summary' });
  await expect(code).toBeDisabled();
  await expect(summary).toContainText(/Email Verified\s*Pending/);
  await page.getByRole('textbox', { name: 'Full Name' }).fill(fullname);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Send OTP' }).click();
  await expect(page.getByRole('button', { name: 'Resend OTP' })).toBeVisible();
  await expect(summary).toContainText(/Email Verified\s*Yes \(code sent\)/);
  await code.fill(await readSignUpCode(server, email));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await expectAccessible(page, 'Sign-up, step 2');
  await page.getByRole('button', { name: 'Next' }).click();
}

/** Fills in the sign-in form and submits it. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}
