import type { Route } from '@playwright/test';
import { createParticipants, type Participants, placeOrder } from '../testing/orderSteps.ts';
import { openDashboard, type TestUser } from './accounts.ts';
import { test as base, goToPage } from './console.ts';
import { expect, MAPLESS, PHONE, REQUEST_FAILED } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast } from './screens/pageElements.ts';

const WIDTHS = [320, 768, 1280];

const test = base.extend<object, { people: Participants }>({
  people: [async ({ town }, use) => use(await createParticipants(town.testServer)), { scope: 'worker' }],
});

test('the town is closed for the afternoon, a Bud reads why and until when, and it opens again', async ({
  town,
  people,
  openVisitor,
  openConsole,
  addOperator,
  measure,
}) => {
  const ada = await addOperator('Ada Hours');
  const { page } = await openConsole(ada, 'today', PHONE);
  const dialog = page.getByRole('dialog');
  await measure('change the hours', async () => {
    await goToPage(page, 'Hours');
    await expect(page.getByText('Always open').first()).toBeVisible();
    const week = page.locator('section').filter({ hasText: 'Every week' });
    await week.getByRole('button', { name: 'Change…' }).click();
    await dialog.getByRole('button', { name: 'Add times on Monday' }).click();
    await dialog.getByLabel('Monday, opens').fill('00:00');
    await dialog.getByLabel('Monday, closes').fill('00:00');
    await dialog.getByRole('button', { name: 'Every Day like Monday' }).click();
    await expect(dialog.getByText('With this the town is open now.')).toBeVisible();
    await dialog.getByLabel('Why?').fill('We are up all night');
    await expectNoScreenProblems(page, 'changing the hours', WIDTHS);
    await dialog.getByRole('button', { name: 'Change the Hours' }).click();
    await expectToast(page, 'The hours are changed');
    await expect(page.getByText('All day')).toHaveCount(7);

    await page.getByRole('button', { name: 'Close…' }).click();
    await dialog.getByLabel('What people read').fill('We are at the town fair');
    await expect(dialog.getByText(/Buds read: “We are at the town fair. We take orders again on/)).toBeVisible();
    await dialog.getByLabel('Why?').fill('All of us want to go');
    await dialog.getByRole('button', { name: 'Add the Closure' }).click();
    await expectToast(page, 'The closure is added');
  });
  await expectNoScreenProblems(page, 'a closed town', WIDTHS);

  const bud = await openVisitor(MAPLESS);
  await openDashboard(bud, town, { token: people.bud.token, role: 'Bud' } as TestUser);
  const notice = bud.page.getByText(/^We are at the town fair\. We take orders again on .* at 12:00 am\.$/);
  await expect(notice).toBeVisible();
  await expect(placeOrder(people)).rejects.toThrow('We are at the town fair. We take orders again on');

  await page.getByRole('button', { name: 'Open…' }).click();
  await dialog.getByLabel('Why?').fill('It rains');
  await dialog.getByRole('button', { name: 'Take Orders Again' }).click();
  await expectToast(page, 'The closure has ended');
  await expect(page.getByRole('list', { name: 'Past closures' })).toContainText('taken back by Ada Hours');
  await placeOrder(people);
  await bud.page.reload();
  await expect(bud.page.getByRole('link', { name: 'Place New Order' }).first()).toBeVisible();
  await expect(notice).toHaveCount(0);
  const acts = (await ada.api.listAudit({ query: { operatorId: ada.session.operator.id } })).items;
  expect(acts.map(({ action }) => action)).toEqual(['takeBackClosure', 'addClosure', 'setHours', 'join']);
});

test('an act whose answer was lost says so when the operator changes the form, and is not done twice', async ({
  openConsole,
  addOperator,
}) => {
  const ada = await addOperator('Ada Lost');
  const { page, allowErrors } = await openConsole(ada, 'today');
  const dialog = page.getByRole('dialog');
  allowErrors(REQUEST_FAILED, 409);
  await goToPage(page, 'Hours');
  await page.getByRole('button', { name: 'Close…' }).click();
  await dialog.getByLabel('What people read').fill('A short break');
  await dialog.getByLabel('Why?').fill('Lunch');
  const loseAnswer = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route('**/api/operator/closures/add', loseAnswer, { times: 1 });
  const close = dialog.getByRole('button', { name: 'Add the Closure' });
  await close.click();
  await expect(dialog.getByText(/The server did not answer/)).toBeVisible();
  await dialog.getByLabel('Why?').fill('Lunch for all of us');
  await close.click();
  await expect(dialog.getByText(/It was done the first time you pressed/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close dialog' }).click();
  await page.getByRole('button', { name: 'Open…' }).click();
  await dialog.getByLabel('Why?').fill('Lunch is over');
  await dialog.getByRole('button', { name: 'Take Orders Again' }).click();
  await expectToast(page, 'The closure has ended');
  const acts = (await ada.api.listAudit({ query: { operatorId: ada.session.operator.id } })).items;
  expect(acts.map(({ action }) => action)).toEqual(['takeBackClosure', 'addClosure', 'join']);
});
