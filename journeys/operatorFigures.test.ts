import { readFile } from 'node:fs/promises';
import { openDashboard, placeChargedOrder, washAndCarry } from './accounts.ts';
import { goToPage, test } from './console.ts';
import { expect, MAPLESS } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';

const WIDTHS = [320, 390, 768, 1024, 1280];

test('an owner reads how the town does, by week, zone and Scrub, and a Scrub reads how their own work went', async ({
  town,
  openConsole,
  openVisitor,
  addOperator,
}) => {
  const bud = await town.signUp('Bud', 'Bea Figures', { north: 300 });
  const scrub = await town.signUp('Scrub', 'Sam Figures', { north: 600 });
  const duber = await town.signUp('Duber', 'Dan Figures', { north: 400 });
  const { id } = await placeChargedOrder(bud, scrub, 'Medium');
  await washAndCarry(id, scrub, duber);
  const { page } = await openConsole(await addOperator('Olga Figures', ['see', 'money']), 'today');
  await goToPage(page, 'Figures');
  const weeks = page.getByRole('table', { name: 'Weeks' });
  await expect(weeks.getByRole('row')).toHaveCount(14);
  // Other journeys in this town have orders too: those of this Scrub are counted below.
  await expect(weeks.getByRole('row').filter({ hasText: / %/ }).first()).toBeVisible();
  await page.getByText('What these figures say').click();
  await expectNoScreenProblems(page, 'the figures by week', WIDTHS);

  await page.getByRole('button', { name: 'By Zone' }).click();
  await expect(page.getByRole('table', { name: 'Zones' })).toContainText('Outside every zone');
  await page.getByRole('button', { name: 'By Scrub' }).click();
  const row = page.getByRole('table', { name: 'Scrubs' }).getByRole('row').filter({ hasText: 'Sam Figures' });
  await expect(row).toContainText('100 %');
  await expectNoScreenProblems(page, 'the figures by Scrub', WIDTHS);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^figures-by-scrub-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toContain('"Sam Figures",1,1,1.000,');

  const { page: without } = await openConsole(await addOperator('Grace Figures', ['see']), 'figures');
  await expect(without.getByRole('columnheader', { name: 'On time' })).toBeVisible();
  await expect(without.getByRole('columnheader', { name: 'Kept' })).toHaveCount(0);

  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, town, scrub);
  await visitor.page.goto('/#/scrub/earnings');
  await visitor.page.getByText('Your Last 13 Weeks').click();
  await expect(visitor.page.getByText('Completed orders')).toBeVisible();
  await expectNoScreenProblems(visitor.page, 'the earnings of a Scrub with their figures', WIDTHS);
});
