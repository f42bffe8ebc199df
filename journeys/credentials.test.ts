import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard } from './accounts.ts';
import { readEmailChangeCode } from './inbox.ts';
import { expect, MAPLESS, PHONE, test } from './journey.ts';
import { PASSWORD, signIn } from './screens/accounts.ts';
import { acceptDialog, agreeInSheet, expectToast } from './screens/pageElements.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.65, longitude: 67.65 };
const SESSION_EXPIRED = 'Session expired, login again';

const pressButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a Bud changes the password and the e-mail address, and signs another device out', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Dora Devices', at: LOCATION });
  const [visitor, other] = [await openVisitor(MAPLESS), await openVisitor({ ...PHONE, isMapless: true })];
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await page.getByRole('link', { name: 'Profile' }).click();
  const devices = page.getByRole('region', { name: 'Devices', exact: true });
  await expect(devices.getByRole('listitem')).toHaveCount(1);

  await test.step('a common password gets a warning, and can be used', async () => {
    await pressButton(page, 'Change Password');
    await page.getByLabel('Current Password').fill('Wrong-Moss-41');
    await page.getByLabel('New Password').fill('Password1!');
    await expect(page.getByText('This password is easy to guess.')).toBeVisible();
    await page.getByLabel('Confirm Password').fill('Password1!');
    visitor.allowErrors(400);
    await pressButton(page, 'Change Password');
    await expect(page.getByText('The current password is wrong')).toBeVisible();
    await expectAccessible(page, 'Profile, change of password with an error and a warning');
    await page.getByLabel('Current Password').fill(PASSWORD);
    await pressButton(page, 'Change Password');
    await expectToast(page, 'Password Changed');
  });

  await test.step('signing the other device out takes its open page to the start', async () => {
    other.allowErrors(401);
    await other.page.goto('/#/login');
    await signIn(other.page, bud.email, 'Password1!');
    await expect(other.page.getByText('No orders yet. Place your first order!')).toBeVisible();
    await page.reload();
    await expect(devices.getByRole('listitem')).toHaveCount(2);
    await expect(devices.getByText('This device')).toHaveCount(1);
    await expectAccessible(page, 'Profile, devices');
    const elsewhere = devices.getByRole('listitem').filter({ hasNotText: 'This device' });
    await acceptDialog(other.page, SESSION_EXPIRED, () =>
      agreeInSheet(page, /^Sign out /, 'Sign Out', () => elsewhere.getByRole('button', { name: 'Sign out' }).click()),
    );
    await expect(other.page.getByText('Join thousands of users')).toBeVisible();
    await expect(devices.getByRole('listitem')).toHaveCount(1);
  });

  await test.step('the address changes with a code from each inbox', async () => {
    const newEmail = 'dora.moved@journeys.test';
    await pressButton(page, 'Change Email');
    await page.getByLabel('New Email').fill(newEmail);
    await page.getByLabel('Current Password').fill('Password1!');
    await pressButton(page, 'Send Codes');
    await expect(page.getByText('We sent a code to each address')).toBeVisible();
    await expectAccessible(page, 'Profile, codes for a new e-mail address');
    await page.getByLabel('Code From Your Current Email').fill(await readEmailChangeCode(server, bud.email));
    await page.getByLabel('Code From Your New Email').fill(await readEmailChangeCode(server, newEmail));
    await pressButton(page, 'Change Email');
    await expectToast(page, 'Email Changed');
    await expect(page.getByText(newEmail).first()).toBeVisible();
    await expect(page.getByText(bud.email)).toHaveCount(0);
  });

  await test.step('signing this device out in the list is a sign-out', async () => {
    await devices.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByText('Join thousands of users')).toBeVisible();
  });
});
