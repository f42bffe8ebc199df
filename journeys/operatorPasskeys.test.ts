import type { Page } from '@playwright/test';
import { consoleIn } from './console.ts';
import { expect, PHONE } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { PASSWORD } from './screens/accounts.ts';
import { expectToast } from './screens/pageElements.ts';
import { testUnderPreset } from './situations/town.ts';

const test = consoleIn(testUnderPreset('open', { isAtLocalhost: true }));

const WIDTHS = [320, 390, 1280];

/** Gives the browser of a page an authenticator that says yes, as a laptop with a fingerprint reader does. */
async function addAuthenticator(page: Page) {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const setVerified = (isUserVerified: boolean) =>
    devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  return { setVerified };
}

test('an operator adds a passkey, signs in with it, enters it before money, and removes it', async ({
  town,
  openConsole,
  addOperator,
}) => {
  // Whether a town with one operator has orders depends on the journeys before: this one has two.
  await addOperator('Grace Admin');
  const ada = await addOperator('Ada Admin');
  const { page, allowErrors } = await openConsole(ada, 'settings');
  allowErrors(401, 403);
  const { setVerified } = await addAuthenticator(page);
  const dialog = page.getByRole('dialog');
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add Passkey…' }).click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Add the Passkey' }).click();
  };

  // Her last code is old, so she enters a new one.
  town.advanceClock(16 * 60_000);
  await page.getByRole('button', { name: 'Add Passkey…' }).click();
  await dialog.getByRole('button', { name: 'Add the Passkey' }).click();
  await expect(dialog.getByText('Give the passkey a name')).toBeVisible();
  await dialog.getByLabel('Name').fill('Work laptop');
  await dialog.getByRole('button', { name: 'Add the Passkey' }).click();
  await dialog.getByLabel('Code of your authenticator app').fill(ada.nextCode());
  await expect(dialog.getByRole('button', { name: 'Use a Passkey' })).toHaveCount(0);
  await expectNoScreenProblems(page, 'adding a passkey', WIDTHS);
  await dialog.getByRole('button', { name: 'Add the Passkey' }).click();
  await expectToast(page, 'You can sign in with it now');
  const row = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  await expect(row).toContainText('Not used yet');
  await expectNoScreenProblems(page, 'settings with a passkey', WIDTHS);

  // The device has one already.
  await add('Again');
  await expect(dialog.getByText('There is a passkey of yours on this device already.')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByLabel('Code of your authenticator app')).toBeVisible();
  await expectNoScreenProblems(page, 'signing in with a code or a passkey', WIDTHS);
  // A finger that is not hers.
  await setVerified(false);
  await page.getByRole('button', { name: 'Use a Passkey' }).click();
  await expect(page.getByRole('alert')).toHaveText('No passkey was used. You can try again.');
  await setVerified(true);
  await page.getByRole('button', { name: 'Use a Passkey' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(row).toContainText('Last used');

  // Limits of money take a second factor of the last minutes. The passkey is one.
  town.advanceClock(16 * 60_000);
  await page.getByRole('button', { name: 'Change Limits' }).click();
  await dialog.getByLabel('Of one order').fill('40');
  await dialog.getByLabel('Why?').fill('A busy week');
  await dialog.getByRole('button', { name: 'Ask for Approval' }).click();
  await expect(dialog.getByRole('button', { name: 'Use a Passkey' })).toBeVisible();
  await expectNoScreenProblems(page, 'a passkey before money', WIDTHS);
  await dialog.getByRole('button', { name: 'Use a Passkey' }).click();
  await expectToast(page, 'This waits for another operator');

  await row.getByRole('button', { name: 'Remove…' }).click();
  await expectNoScreenProblems(page, 'removing a passkey', WIDTHS);
  await dialog.getByRole('button', { name: 'Remove the Passkey' }).click();
  await expectToast(page, 'Nobody signs in with it any more');
  await expect(row).toHaveCount(0);
  await page.getByRole('link', { name: 'Audit' }).click();
  const audit = page.getByRole('list', { name: 'Audit' });
  await expect(audit.getByText('Added a passkey')).toBeVisible();
  await expect(audit.getByText('Removed a passkey')).toBeVisible();
});

test('a console that is open at an address says where its passkeys are', async ({ town, openConsole, addOperator }) => {
  const { page, context } = await openConsole(await addOperator('Alan Admin'), 'settings', PHONE);
  const atAddress = town.url.replace('localhost', '127.0.0.1');
  const [cookie] = (await context.cookies()).filter(({ name }) => name === 'rubadub-operator');
  if (cookie) await context.addCookies([{ ...cookie, domain: '127.0.0.1' }]);
  await page.goto(`${atAddress}/#/operator/settings`);
  await expect(page.getByRole('link', { name: town.url })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add Passkey…' })).toHaveCount(0);
  await expectNoScreenProblems(page, 'settings at an address', WIDTHS);
});
