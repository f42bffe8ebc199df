import { createOperator, type TestOperator } from '../testing/operators.ts';
import { createParticipants, placeOrder } from '../testing/orderSteps.ts';
import { test as base, goToPage, pressWithCode } from './console.ts';
import { expect, PHONE } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast } from './screens/pageElements.ts';

const WIDTHS = [320, 768, 1280];

/** One operator for all journeys of this file: the town has no other. */
const test = base.extend<object, { ada: TestOperator }>({
  ada: [
    async ({ town }, use) => use(await createOperator(town.testServer, { fullname: 'Ada Alone' })),
    { scope: 'worker' },
  ],
});

test('an operator who runs the town alone sets prices and rules at once before the first order, and corrects a price after it', async ({
  town,
  openConsole,
  ada,
}) => {
  const { page, allowErrors } = await openConsole(ada, 'prices');
  allowErrors(403);
  const dialog = page.getByRole('dialog');
  const row = page.getByRole('listitem').filter({ hasText: 'Wash and fold, per pound' });
  await expect(page.getByText('A new price starts at once, until the first order is placed.')).toBeVisible();
  await row.getByRole('button', { name: 'Change…' }).click();
  await dialog.getByLabel('New price, in dollars').fill('30');
  await expect(dialog.getByLabel('From (at once, if it is empty)')).toBeVisible();
  await expect(dialog.getByText('You run the town alone, so it happens at once.')).toBeVisible();
  await dialog.getByLabel('Why?').fill('Our price');
  await expectNoScreenProblems(page, 'changing a price alone', WIDTHS);
  await dialog.getByRole('button', { name: 'Change the Price' }).click();
  await expectToast(page, 'The price is changed');
  await expect(row).toContainText('$30.00');
  await goToPage(page, 'Rules');
  await page.getByRole('button', { name: 'Set All to Careful…' }).click();
  await dialog.getByLabel('Why?').fill('Strangers order here');
  await dialog.getByRole('button', { name: 'Change All Rules' }).click();
  await expect(page.getByText('All rules are careful.')).toBeVisible();
  await page.getByRole('button', { name: 'Set All to Open…' }).click();
  await dialog.getByLabel('Why?').fill('For the test');
  await dialog.getByRole('button', { name: 'Change All Rules' }).click();
  await expect(page.getByText('All rules are open.')).toBeVisible();

  // Somebody orders before she sees that it should have been $3.
  await placeOrder(await createParticipants(town.testServer));
  await goToPage(page, 'Prices & promos');
  await page.reload();
  await expect(page.getByText('A new price starts the next day.')).toBeVisible();
  await row.getByRole('button', { name: 'Change…' }).click();
  await dialog.getByLabel('New price, in dollars').fill('3');
  await dialog.getByRole('checkbox', { name: 'Correct it at once' }).check();
  await expect(dialog.getByLabel(/^From/)).toHaveCount(0);
  await dialog.getByLabel('Why?').fill('I typed it wrong');
  await expectNoScreenProblems(page, 'correcting a price', WIDTHS);
  town.advanceClock(16 * 60_000);
  await pressWithCode(dialog, 'Change the Price', ada);
  await expectToast(page, 'The price is changed');
  town.advanceClock(60_000);
  await page.reload();
  await expect(row).toContainText('$3.00');
  const { text } = await town.testServer.waitForMail('support@rubadub.test', 'has done this: Set a price');
  expect(text).toContain('I typed it wrong');
  expect(text).toContain('To undo it: Set the price again');

  // Rights wait for a day, and the screens say until when and what shortens it.
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Invite…' }).click();
  await dialog.getByLabel('Email').fill('gustav@journeys.test');
  await expect(
    dialog.getByText(/^You run the town alone, so it happens tomorrow\s.+ A second operator can approve it before\.$/),
  ).toBeVisible();
  await dialog.getByLabel('Why?').fill('Helps on Saturdays');
  await expectNoScreenProblems(page, 'inviting an operator alone', WIDTHS);
  await dialog.getByRole('button', { name: 'Ask for Approval' }).click();
  await expectToast(page, 'This happens tomorrow');
  await goToPage(page, 'Approvals');
  await expect(
    page.getByText(/^Happens by itself tomorrow\s.+; a second operator can approve it before$/),
  ).toBeVisible();
  await expectNoScreenProblems(page, 'what waits for a day', WIDTHS);
});

test('an operator who runs the town alone ends a suspension of their own', async ({ town, openConsole, ada }) => {
  const { scrub } = await createParticipants(town.testServer);
  const { page } = await openConsole(ada, `people/${scrub.user.id}`, PHONE);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Suspend…' }).click();
  await expect(dialog.getByText('You can end it before.')).toBeVisible();
  await dialog.getByLabel('Why?').fill('Three stains in a week.');
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByRole('button', { name: 'Reinstate' }).click();
  await dialog.getByLabel('Why?').fill('It was the machine.');
  await expectNoScreenProblems(page, 'ending a suspension alone', WIDTHS);
  await dialog.getByRole('button', { name: 'Reinstate' }).click();
  await expectToast(page, 'is no longer suspended');
});
