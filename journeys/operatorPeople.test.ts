import { openDashboard } from './accounts.ts';
import { goToPage, test } from './console.ts';
import { DESKTOP, expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { PASSWORD } from './screens/accounts.ts';
import { acceptDialog, expectToast } from './screens/pageElements.ts';

const WIDTHS = [320, 768, 1280];

test('a Scrub is suspended, her order goes to somebody else, and another operator reinstates her', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
  measure,
}) => {
  const [bud, scrub] = [
    await town.signUp('Bud', 'Bea Basket', { north: 300 }),
    await town.signUp('Scrub', 'Stella Stain', { north: 700 }),
  ];
  const { id, number } = await bud.api.placeOrder({
    body: {
      ...{ budAddressId: bud.addressId, scrubId: scrub.id, loadSize: 'Small' },
      paymentSourceId: 'cnon:card-nonce-ok',
    },
  });
  await scrub.api['accept-order']({ params: { id } });
  const phone = await openVisitor({ ...PHONE, isMapless: true });
  await openDashboard(phone, town, scrub);
  await expect(phone.page.getByRole('heading', { level: 1 })).toBeVisible();

  // Found by the beginning of her name, and suspended with a decision about her order.
  const { page } = await openConsole(await addOperator('Ada Help'), 'today');
  const dialog = page.getByRole('dialog');
  phone.allowErrors(401, 403);
  await measure('suspend a bad Scrub', async () => {
    await goToPage(page, 'People');
    await page.getByLabel('Find').fill('stella');
    await expect(page.getByRole('row')).toHaveCount(2);
    await expectNoScreenProblems(page, 'people', WIDTHS);
    await resizeWindow(page, DESKTOP.viewport);
    await page.getByRole('link', { name: 'View Details' }).click();
    await expect(page.getByRole('heading', { name: 'Stella Stain' })).toBeVisible();
    await expect(page.getByText(scrub.email)).toHaveCount(0);
    await page.getByRole('button', { name: /^Call or Write/ }).click();
    await dialog.getByLabel('Why?').fill(`I call her about ${number}`);
    await dialog.getByRole('button', { name: 'Show Contact' }).click();
    await expect(page.getByRole('link', { name: scrub.email })).toBeVisible();
    await page.getByRole('button', { name: 'Suspend…' }).click();
    await expect(dialog.getByRole('button', { name: 'Suspend' })).toBeDisabled();
    await dialog.getByLabel(`${number}, Accepted, Bea Basket`).selectOption('Give to somebody else');
    await dialog.getByLabel('What the others read (optional)').fill('Stella cannot wash this week.');
    await dialog.getByLabel('Why? Stella reads it in an email').fill('Three stains in a week.');
    await expectNoScreenProblems(page, 'suspending a person', WIDTHS);
    await acceptDialog(phone.page, 'Session expired, login again', () =>
      dialog.getByRole('button', { name: 'Suspend' }).click(),
    );
    await expectToast(page, 'Stella is suspended');
  });
  await expect(page.getByRole('region', { name: 'Suspension' })).toContainText('“Three stains in a week.”');
  await expect(page.getByText('You have suspended Stella.')).toBeVisible();
  await expectNoScreenProblems(page, 'a suspended person', WIDTHS);

  // Her phone is signed out by itself, and she reads why when she signs in.
  const her = phone.page;
  await her.getByRole('link', { name: 'Sign in', exact: true }).click();
  await her.getByLabel('Email').fill(scrub.email);
  await her.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await her.getByRole('button', { name: 'Sign In' }).click();
  await expect(her.getByText('You cannot sign in now. The reason: Three stains in a week.')).toBeVisible();

  // The Bud reads what happened.
  const theirs = await openVisitor({ ...PHONE, isMapless: true });
  await openDashboard(theirs, town, bud);
  await theirs.page.goto(`/#/bud/orders/${id}`);
  await expect(theirs.page.getByText('The town has taken your order from Stella Stain.')).toBeVisible();
  const mail = await town.testServer.waitForMail(bud.email, 'Your Scrub cannot do your order');
  expect(mail.text).toContain('The town says: Stella cannot wash this week.');

  // Another operator ends it, and each act is one row.
  const { page: other } = await openConsole(await addOperator('Grace Admin'), `people/${scrub.id}`);
  await other.getByRole('button', { name: 'Reinstate' }).click();
  await other.getByRole('dialog').getByLabel('Why?').fill('It was the machine.');
  await other.getByRole('dialog').getByRole('button', { name: 'Reinstate' }).click();
  await expectToast(other, 'Stella is no longer suspended');
  await expect(other.getByRole('region', { name: 'Suspension' })).toHaveCount(0);
  const rows = other.getByRole('list', { name: 'Audit' }).getByRole('listitem');
  await expect(rows.locator('strong')).toHaveText(['Reinstate', 'Suspend', 'Show a contact']);
  await her.getByRole('button', { name: 'Sign In' }).click();
  await expect(her.getByRole('heading', { level: 1 })).toContainText('Stella');
});
