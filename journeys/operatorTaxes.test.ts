import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { DAY_MS } from '../domain/durations.ts';
import { localDate } from '../domain/localDays.ts';
import { SETTING_DEFAULTS } from '../domain/settings.ts';
import type { TestOperator } from '../testing/operators.ts';
import { placeChargedOrder, washAndCarry } from './accounts.ts';
import { approveWaiting, goToPage, pressWithCode, test } from './console.ts';
import { expect, PHONE } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast } from './screens/pageElements.ts';

const MONTH_LENGTH = 'YYYY-MM'.length;

/** Presses a button that saves a file. Returns its rows. */
async function download(page: Page, button: string, name: string): Promise<string[][]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  expect(file.suggestedFilename()).toBe(name);
  return rowsOf(await readFile(await file.path(), 'utf8'));
}

const rowsOf = (csv: string): string[][] =>
  csv
    .replace(/^\uFEFF/, '')
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(','));

/** What everybody is owed goes to the bank. */
async function payEveryone(ada: TestOperator, grace: TestOperator) {
  const body = { reason: 'The first week' };
  await ada.api.runPayouts({ body });
  const { due } = await ada.api.listPayouts({ query: {} });
  const { approvalId } = await ada.api.sendPayouts({ body: { ...body, amount: due.amount } });
  await grace.api.approve({ params: { id: approvalId ?? '' }, body });
  return (await ada.api.listPayouts({ query: {} })).items;
}

test('an operator saves the sales tax of a year, and what workers were paid once another one agrees', async ({
  town,
  openConsole,
  addOperator,
  measure,
}) => {
  const [bud, scrub, duber] = [
    await town.signUp('Bud', 'Bea Tax', { north: 300 }),
    await town.signUp('Scrub', 'Sam Tax', { north: 600 }),
    await town.signUp('Duber', 'Dan Tax', { north: 400 }),
  ];
  await washAndCarry((await placeChargedOrder(bud, scrub, 'Medium')).id, scrub, duber);
  town.advanceClock(8 * DAY_MS);
  const caps = ['see', 'money'] as const;
  const [ada, grace] = [await addOperator('Ada Tax', caps), await addOperator('Grace Tax', caps)];
  const paid = (await payEveryone(ada, grace)).find(({ person }) => person.name === 'Dan Tax');

  const now = town.testServer.now();
  const month = localDate(now, SETTING_DEFAULTS.timeZone).slice(0, MONTH_LENGTH);
  const [year = ''] = month.split('-');
  const monthsBefore = rowsOf((await ada.api.readSalesTax({ query: { year } })).text);
  const { id, price } = await placeChargedOrder(bud, scrub, 'Large');
  await washAndCarry(id, scrub, duber);

  const [{ page, allowErrors }, second] = [await openConsole(ada, 'today'), await openConsole(grace, 'today', PHONE)];
  await page.clock.setFixedTime(now);
  allowErrors(403, 409);
  second.allowErrors(403);
  await goToPage(page, 'Overview');
  await page.getByRole('button', { name: 'Download What Workers Were Paid' }).click();
  await expectToast(page, 'Ask for approval first. Then it can be read for 24 hours');
  await goToPage(page, 'Today');

  const files: { months: string[][]; workers: string[][] } = { months: [], workers: [] };
  await measure('export the taxes of a year', async () => {
    await goToPage(page, 'Overview');
    await page.getByLabel('Year').selectOption(year);
    files.months = await download(page, 'Download Sales Tax', `sales-tax-${year}.csv`);
    await page.getByRole('button', { name: 'Ask for What Workers Were Paid' }).click();
    const dialog = page.getByRole('dialog', { name: `What was each worker paid in ${year}?` });
    await dialog.getByLabel('Why?').fill('For the tax adviser');
    await expectNoScreenProblems(page, 'asking for what workers were paid', [320, 1280]);
    await pressWithCode(dialog, 'Ask for Approval', ada);
    await expectToast(page, 'This waits for another operator');
    await approveWaiting(second.page, 'I know the adviser', grace);
    files.workers = await download(page, 'Download What Workers Were Paid', `workers-${year}.csv`);
  });

  expect(files.months[0]).toEqual(['month', 'collected', 'given back', 'net', 'rate in percent']);
  const sumsOf = (rows: string[][]) =>
    (rows.find(([name]) => name === month) ?? [month, '0', '0', '0']).slice(1).map(Number);
  const [collected = 0, givenBack = 0, net = 0] = sumsOf(monthsBefore);
  const expected = [collected + price.taxes, givenBack, net + price.taxes].map((dollars) => dollars.toFixed(2));
  expect(files.months).toContainEqual([month, ...expected, '8']);
  const columns = ['person', 'name', 'email', 'role', 'payouts', 'paid in USD'];
  const taxColumns = ['name on the tax return', 'country', 'kind', 'tax number'];
  expect(files.workers[0]).toEqual([...columns, ...taxColumns]);
  const row = files.workers.find(([person]) => person === duber.id);
  expect(row).toEqual([
    duber.id,
    '"Dan Tax"',
    `"${duber.email}"`,
    'Duber',
    '1',
    paid?.amount.toFixed(2),
    ...taxColumns.map(() => ''),
  ]);
});
