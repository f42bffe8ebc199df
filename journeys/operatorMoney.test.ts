import type { Page } from '@playwright/test';
import { DAY_MS } from '../domain/durations.ts';
import type { TestOperator } from '../testing/operators.ts';
import { kindsOf, openDashboard, placeChargedOrder, washAndCarry } from './accounts.ts';
import { approveWaiting, goToPage, pressWithCode, test } from './console.ts';
import { expect, MAPLESS, PHONE } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast } from './screens/pageElements.ts';
import type { Town } from './situations/town.ts';

const WIDTHS = [320, 768, 1280];
const SOON = { timeout: 100_000 };

const peopleOf = async (town: Town, name: string) => ({
  bud: await town.signUp('Bud', `Bea ${name}`, { north: 300 }),
  scrub: await town.signUp('Scrub', `Sam ${name}`, { north: 600 }),
});

async function openRefundDialog(page: Page, orderNumber: string) {
  await page.getByLabel('Order', { exact: true }).fill(orderNumber);
  await page.getByRole('button', { name: 'Give Money Back' }).click();
}

const auditOf = async (api: Awaited<ReturnType<typeof adminOf>>, subjectId: string) =>
  (await api.listAudit({ query: { subjectId } })).items.map(({ action, by, approvedBy, amount }) => [
    action,
    [by.name, ...(approvedBy ? [approvedBy.name] : [])].join(' and '),
    amount,
  ]);
const adminOf = async (
  add: (name: string) => Promise<{ api: import('../contract/operator/client.ts').OperatorClient }>,
) => (await add('Olga Owner')).api;

test('half of an order goes back at once, and a larger sum when another operator approves', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
  measure,
}) => {
  const { bud, scrub } = await peopleOf(town, 'Back');
  const [small, large] = [await placeChargedOrder(bud, scrub, 'Medium'), await placeChargedOrder(bud, scrub, 'Large')];
  const ada = await addOperator('Ada Money', ['see', 'money']);
  const { page, allowErrors } = await openConsole(ada, 'today');
  const dialog = page.getByRole('dialog');
  allowErrors(403);
  await measure('give half of an order back', async () => {
    await goToPage(page, 'Ledger');
    await openRefundDialog(page, small.number);
    await dialog.getByLabel('How much, in dollars').fill('13,41');
    await expect(dialog.getByText(/Visa ···\d{4} gets \$13\.41/)).toBeVisible();
    await expect(dialog.getByRole('row', { name: 'Not earned yet' })).toContainText('$13.41');
    await dialog.getByLabel('Why?').fill('It came back a day late');
    await expectNoScreenProblems(page, 'giving money back', WIDTHS);
    await pressWithCode(dialog, 'Refund', ada);
    await expectToast(page, 'The money goes back to the card');
  });
  await expect.poll(() => kindsOf(bud, small.id)).toContain('refunded');

  // Above what one of two operators may give back alone.
  const grace = await addOperator('Grace Money', ['see', 'money']);
  await openRefundDialog(page, large.number);
  await dialog.getByLabel('How much, in dollars').fill('30.01');
  await dialog.getByLabel('Why?').fill('Everything was ruined');
  await dialog.getByRole('button', { name: 'Ask for Approval' }).click();
  await expectToast(page, 'This waits for another operator');
  await page.getByRole('link', { name: 'Approvals' }).click();
  await expect(page.getByText('“Everything was ruined”')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  const { page: other } = await openConsole(grace, 'today', PHONE);
  await approveWaiting(other, 'I have seen the photos');
  await expect.poll(() => kindsOf(bud, large.id)).toContain('refunded');

  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, town, bud);
  await visitor.page.goto(`/#/bud/orders/${small.id}/receipt`);
  await expect(visitor.page.getByText('$13.41').first()).toBeVisible();
  const olga = await adminOf((name) => addOperator(name));
  expect(await auditOf(olga, small.id)).toEqual([['refundOrder', 'Ada Money', 13.41]]);
  expect(await auditOf(olga, large.id)).toEqual([
    ['refundOrder', 'Ada Money and Grace Money', 30.01],
    ['ask', 'Ada Money', 30.01],
  ]);
});

test('a refund whose answer was lost is made once, and pressing again makes the other one', async ({
  town,
  openConsole,
  addOperator,
}) => {
  const { bud, scrub } = await peopleOf(town, 'Lost');
  const order = await placeChargedOrder(bud, scrub, 'Medium');
  const ada = await addOperator('Ada Lost', ['see', 'money']);
  const { page, allowErrors } = await openConsole(ada, 'today');
  allowErrors(409, 'ERR_FAILED');
  await goToPage(page, 'Ledger');
  await openRefundDialog(page, order.number);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('How much, in dollars').fill('5');
  await dialog.getByLabel('Why?').fill('It came back a day late');
  let isAnswerLost = false;
  await page.route('**/operator/orders/*/refund', async (route) => {
    const response = await route.fetch();
    if (!response.ok() || isAnswerLost) return route.fulfill({ response });
    isAnswerLost = true;
    return route.abort();
  });
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await expect(dialog.getByRole('alert')).toContainText('You can press again: it does not happen twice.');
  await dialog.getByLabel('Why?').fill('It came back two days late');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await expect(dialog.getByRole('alert')).toContainText('It was done the first time you pressed');
  await dialog.getByRole('button', { name: 'Refund' }).click();
  await expectToast(page, 'The money goes back to the card');
  const olga = await adminOf(() => addOperator('Olga Lost'));
  expect(await auditOf(olga, order.id)).toEqual([
    ['refundOrder', 'Ada Lost', 5],
    ['refundOrder', 'Ada Lost', 5],
  ]);
});

test('the weeks show what was charged and earned, and two operators send the payouts', async ({
  town,
  openConsole,
  addOperator,
  measure,
}) => {
  // Other journeys in this town have orders of the week before.
  town.advanceClock(8 * DAY_MS);
  const { bud, scrub } = await peopleOf(town, 'Week');
  const duber = await town.signUp('Duber', 'Dan Week', { north: 400 });
  const { id } = await placeChargedOrder(bud, scrub, 'Medium');
  await washAndCarry(id, scrub, duber);
  town.advanceClock(8 * DAY_MS);
  const ada = await addOperator('Ada Week', ['see', 'money']);
  const grace = await addOperator('Grace Week', ['see', 'money']);
  const { page } = await openConsole(ada, 'today');
  await measure('read the revenue by week', async () => {
    await goToPage(page, 'Overview');
    const weeks = page.getByRole('table', { name: 'Weeks' }).getByRole('row').filter({ hasText: '$12.50' });
    await expect(weeks.first()).toContainText('$11.98');
  });
  await page
    .getByRole('button', { name: /^Week of .*: \$/ })
    .first()
    .click();
  await expectNoScreenProblems(page, 'the money of the town', WIDTHS);
  await compareOldestDay(page, ada);
  await goToPage(page, 'Payouts');
  await page.getByRole('button', { name: 'Make Payouts' }).click();
  await page.getByRole('dialog').getByLabel('Why?').fill('The first week');
  await page.getByRole('dialog').getByRole('button', { name: 'Make Payouts' }).click();
  await expectToast(page, 'The payouts are made');
  await expect(page.getByRole('table', { name: 'Payouts' })).toContainText('Dan Week');
  await expectNoScreenProblems(page, 'the payouts of the town', WIDTHS);
  await page.getByRole('button', { name: /^Send \$/ }).click();
  await page.getByRole('dialog').getByLabel('Why?').fill('The payouts of Monday');
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for Approval' }).click();
  await expectToast(page, 'This waits for another operator');
  const { page: other } = await openConsole(grace, 'today', PHONE);
  await approveWaiting(other, 'The sums are right');
  await page.reload();
  await expect(page.getByRole('table', { name: 'Payouts' })).toContainText(/Sent .+\s[ap]m/);
  await page.getByRole('button', { name: 'Download…' }).first().click();
  await page.getByRole('dialog').getByLabel('Why?').fill('For the bank');
  const download = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Download the File' }).click();
  expect((await download).suggestedFilename()).toMatch(/^payouts-.*\.csv$/);

  const ofDan = page.getByRole('table', { name: 'Payouts' }).getByRole('row').filter({ hasText: 'Dan Week' });
  await ofDan.getByRole('button', { name: 'Returned…' }).click();
  await page.getByRole('dialog').getByLabel('Why?').fill('His account is closed');
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for Approval' }).click();
  await expectToast(page, 'This waits for another operator');
  await approveWaiting(other, 'The bank says so');
  await page.reload();
  await expect(ofDan).toContainText(/Returned .+\s[ap]m/);
});

/** Has the first day with charges compared with the card network again. */
async function compareOldestDay(page: Page, { api }: TestOperator) {
  const states = async () => (await api.listReconciledDays({ query: {} })).items.map(({ state }) => state);
  await expect.poll(async () => (await states()).length > 0 && !(await states()).includes(null), SOON).toBe(true);
  await goToPage(page, 'Reconciliation');
  await expect(page.getByRole('table', { name: 'Days' })).toContainText('Equal');
  await expectNoScreenProblems(page, 'the days at the card network', WIDTHS);
  await page.getByRole('link', { name: 'View Details' }).last().click();
  await page.getByRole('button', { name: 'Check Again…' }).click();
  await page.getByRole('dialog').getByLabel('Why?').fill('To be sure');
  await page.getByRole('dialog').getByRole('button', { name: 'Check Again' }).click();
  await expectToast(page, 'It is compared within seconds');
  await expect(page.getByText('Every payment is the same on both sides.')).toBeVisible(SOON);
  await expectNoScreenProblems(page, 'a day at the card network', WIDTHS);
}
