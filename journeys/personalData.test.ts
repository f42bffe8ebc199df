import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { PASSWORD, signIn } from './screens/accounts.ts';
import { expectToast } from './screens/pageElements.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.71, longitude: 67.31 };

test('a Bud takes a copy of their data, deletes the account and keeps it after all', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Cora Copy', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await page.getByRole('link', { name: 'Profile' }).click();
  const data = page.getByRole('region', { name: 'Your data', exact: true });
  const dialog = page.getByRole('dialog');

  await test.step('the copy needs the password, and is downloaded once it is ready', async () => {
    await data.getByText('Your data', { exact: true }).click();
    await data.getByRole('button', { name: 'Ask for a copy' }).click();
    visitor.allowErrors(400);
    await dialog.getByLabel('Your password').fill('Wrong-Moss-41');
    await dialog.getByRole('button', { name: 'Make the Copy' }).click();
    await expect(dialog.getByText('The current password is wrong')).toBeVisible();
    await expectAccessible(page, 'Profile, a copy with a wrong password');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Make the Copy' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      data.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('my-data.zip');
    expect((await readFile(await download.path())).toString('latin1')).toMatch(/^PK.*README\.txt/s);
    await expectAccessible(page, 'Profile, a copy that is ready');
  });

  await test.step('who deletes the account is signed out, and is asked at every sign-in whether to keep it', async () => {
    await data.getByRole('button', { name: 'Delete account' }).click();
    await expectAccessible(page, 'Profile, deleting the account');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    visitor.allowErrors(401);
    await dialog.getByRole('button', { name: 'Delete My Account' }).click();
    await expectToast(page, 'Your Account Will Be Deleted');
    await expect(page.getByText('Join thousands of users')).toBeVisible();
    await page.goto('/#/login');
    await signIn(page, bud.email, PASSWORD);
    await page.getByRole('link', { name: 'Keep your account' }).click();
    await expect(data.getByRole('button', { name: 'Keep My Account' })).toBeInViewport();
    await expectAccessible(page, 'Profile, an account that is going to be deleted');
    await data.getByRole('button', { name: 'Keep My Account' }).click();
    await expectToast(page, 'Your Account Is Kept');
    await expect(page.getByRole('link', { name: 'Keep your account' })).toHaveCount(0);
    await expect(data.getByRole('button', { name: 'Delete account' })).toBeVisible();
  });
});
