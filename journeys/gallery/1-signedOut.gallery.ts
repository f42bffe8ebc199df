import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { DEMO_PASSWORD } from '../../scripts/demo/people.ts';
import { readUnsubscribeLink } from '../inbox.ts';
import { takeScreenshots, test } from './screenshots.ts';

const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const pressButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('public pages', async ({ openSignedOutPage }) => {
  const page = await openSignedOutPage();
  for (const [screen, path] of [
    ['landing', '/'],
    ['help', '/help'],
    ['terms', '/terms'],
    ['check of a record', '/verify'],
    ['privacy', '/privacy'],
  ] as const) {
    await page.goto(`/#${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await takeScreenshots(page, screen, 'full');
  }
});

test('sign in', async ({ openSignedOutPage }) => {
  const page = await openSignedOutPage();
  await page.goto('/#/login');
  await textbox(page, 'Email').waitFor();
  await takeScreenshots(page, 'sign-in', 'empty');
  await pressButton(page, 'Sign In');
  await page.getByText('Email is required').waitFor();
  await takeScreenshots(page, 'sign-in', 'errors');
  await textbox(page, 'Email').fill('nobody@rubadub.test');
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await pressButton(page, 'Sign In');
  await page.getByText('Invalid email or password').waitFor();
  await takeScreenshots(page, 'sign-in', 'refused');
});

test('sign up', async ({ openSignedOutPage }) => {
  const page = await openSignedOutPage();
  await page.goto('/#/signup');
  await page.getByRole('radio', { name: 'Bud', exact: true }).waitFor();
  await takeScreenshots(page, 'sign-up', '1 role');
  await pressButton(page, 'Next');
  await takeScreenshots(page, 'sign-up', '1 role, errors');
  await page.getByRole('radio', { name: 'Bud', exact: true }).check();
  await pressButton(page, 'Next');
  await textbox(page, 'Full Name').waitFor();
  await takeScreenshots(page, 'sign-up', '2 account');
  await pressButton(page, 'Next');
  await page.getByText('Full Name is required').waitFor();
  await takeScreenshots(page, 'sign-up', '2 account, errors');
  await textbox(page, 'Full Name').fill('Nova Gallery');
  await textbox(page, 'Email').fill('nova.gallery@rubadub.test');
  await pressButton(page, 'Send OTP');
  await textbox(page, 'OTP Code').fill('123456');
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByLabel('Confirm Password').fill(DEMO_PASSWORD);
  await takeScreenshots(page, 'sign-up', '2 account, filled');
  await pressButton(page, 'Next');
  await textbox(page, 'Address').waitFor();
  await takeScreenshots(page, 'sign-up', '3 more');
  await pressButton(page, 'Create Account');
  await page.getByText('Please select location on map').waitFor();
  await takeScreenshots(page, 'sign-up', '3 more, errors');
  await pressButton(page, 'Select Location');
  await page.locator('canvas.maplibregl-canvas').waitFor();
  await takeScreenshots(page, 'location picker', 'open');
  await page.getByRole('combobox', { name: 'Search address' }).fill('Heron');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await takeScreenshots(page, 'location picker', 'suggestions');
});

test('forgot and reset password', async ({ openSignedOutPage }) => {
  const page = await openSignedOutPage();
  await page.goto('/#/auth/forgot-password');
  await textbox(page, 'Email').waitFor();
  await takeScreenshots(page, 'forgot password', 'empty');
  await pressButton(page, 'Send Reset Link');
  await page.getByText('Email is required').waitFor();
  await takeScreenshots(page, 'forgot password', 'errors');
  await textbox(page, 'Email').fill('nobody@rubadub.test');
  await pressButton(page, 'Send Reset Link');
  await page.getByText('expires in 1 hour').waitFor();
  await takeScreenshots(page, 'forgot password', 'sent');
  await page.goto(`/#/auth/reset-password?token=${randomUUID()}`);
  await page.getByLabel('New Password').waitFor();
  await takeScreenshots(page, 'reset password', 'empty');
  await pressButton(page, 'Reset Password');
  await page.getByText('Password is required').waitFor();
  await takeScreenshots(page, 'reset password', 'errors');
  await page.getByLabel('New Password').fill(DEMO_PASSWORD);
  await page.getByLabel('Confirm Password').fill(DEMO_PASSWORD);
  // The success page does not depend on the link.
  await page.route('**/api/auth/reset-password', (route) => route.fulfill({ json: {} }));
  await pressButton(page, 'Reset Password');
  await page.getByRole('link', { name: 'Continue to Login' }).waitFor();
  await takeScreenshots(page, 'reset password', 'done');
  await page.goto('/#/auth/reset-password');
  await page.getByText('Invalid or missing reset token').waitFor();
  await takeScreenshots(page, 'reset password', 'invalid link');
});

test('unsubscribe link of a mail', async ({ server, openSignedOutPage }) => {
  const page = await openSignedOutPage();
  await page.goto(await readUnsubscribeLink(server, 'bud@rubadub.test'));
  const button = page.getByRole('button', { name: 'Unsubscribe' });
  await button.waitFor();
  await takeScreenshots(page, 'unsubscribe', 'asked');
  await button.click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await takeScreenshots(page, 'unsubscribe', 'done');
  await page.goto('/#/unsubscribe?token=nonsense');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await takeScreenshots(page, 'unsubscribe', 'invalid');
});
