import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { CODE_AGE_S } from '../domain/operators.ts';
import { reportedFrom } from '../domain/taxIds.ts';
import { insertTestPayout } from '../testing/taxIds.ts';
import { openDashboard } from './accounts.ts';
import { test } from './console.ts';
import { expect, MAPLESS, PHONE, type Visitor } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { PASSWORD } from './screens/accounts.ts';
import { expectToast } from './screens/pageElements.ts';
import type { Town } from './situations/town.ts';

const WIDTHS = [320, 390, 768, 1280];

async function give(page: Page, label: string, button: string, why: string) {
  await page.getByRole('button', { name: label }).click();
  await page.getByRole('dialog').getByLabel('Why?').fill(why);
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
}

test('a worker enters a tax number, and two operators download it with what was paid', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
}) => {
  const { db } = town.testServer.server;
  const at = town.testServer.now();
  const cents = reportedFrom(at.getUTCFullYear());
  const [tess, tom] = [
    await town.signUp('Scrub', 'Tess Taxed', { north: 300 }),
    await town.signUp('Duber', 'Tom Without', { north: 600 }),
  ];
  for (const { id } of [tess, tom]) await insertTestPayout(db, id, { cents, at });

  await checkDialogs(await openVisitor(MAPLESS), town);
  const visitor = await openVisitor(MAPLESS);
  visitor.allowErrors(400);
  const { page } = visitor;
  await openDashboard(visitor, town, tess);
  await page.goto('/#/scrub/earnings');
  await expect(page.getByText('Your work and your payouts continue either way.')).toBeVisible();
  await expectNoScreenProblems(page, 'the earnings of a worker who is asked for a tax number', WIDTHS);
  await page.getByRole('button', { name: 'Add your tax number' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tax number', { exact: true }).fill('666-22-1234');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('This is not a Social Security Number.')).toBeVisible();
  await dialog.getByLabel('Country').selectOption('Portugal');
  await expect(dialog.getByRole('radio')).toHaveCount(0);
  await dialog.getByLabel('Country').selectOption('United States');
  await dialog.getByLabel('Tax number', { exact: true }).fill('536-22-1234');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Tax Number Saved');
  await expect(page.getByText('SSN ···1234')).toBeVisible();
  await page.reload();
  await expect(page.getByText('SSN ···1234')).toBeVisible();
  await expectNoScreenProblems(page, 'the earnings of a worker with a tax number', WIDTHS);

  const ada = await addOperator('Ada Taxes', ['see', 'money']);
  const grace = await addOperator('Grace Taxes', ['see', 'money']);
  const { page: money, allowErrors } = await openConsole(ada, 'money');
  await expect(money.getByText('2 workers', { exact: true })).toBeVisible();
  await expect(money.getByText('1. The earnings page asks for it')).toBeVisible();
  await expectNoScreenProblems(money, 'how many tax numbers are missing', WIDTHS);
  await give(money, 'Ask for What Workers Were Paid', 'Ask for Approval', 'For the tax adviser');
  await expectToast(money, 'This waits for another operator');
  const { page: second } = await openConsole(grace, 'approvals', PHONE);
  await expect(second.getByText('Read what workers were paid, with tax numbers')).toBeVisible();
  await give(second, 'Approve', 'Approve', 'The year is over');
  await expect(second.getByText('Nothing waits for a decision')).toBeVisible();
  town.testServer.advanceClock(CODE_AGE_S * 1000);
  // The file needs a code of the last 15 minutes.
  allowErrors(403);
  await money.getByRole('button', { name: 'Download What Workers Were Paid' }).click();
  const confirmation = money.getByRole('dialog', { name: /^What each worker was paid in / });
  await expectNoScreenProblems(money, 'the dialog for the code of a download', WIDTHS);
  await confirmation.getByLabel('Code of your authenticator app').fill(ada.nextCode());
  const waiting = money.waitForEvent('download');
  await confirmation.getByRole('button', { name: 'Download' }).click();
  const lines = readFileSync(await (await waiting).path(), 'utf8').split('\r\n');
  expect(lines.find((line) => line.includes('Tess Taxed'))).toMatch(/,"Tess Taxed",US,SSN,"536-22-1234"$/);
  expect(lines.find((line) => line.includes('Tom Without'))).toMatch(/,,,,$/);
  for (const screen of [money, second, page]) expect(await screen.content()).not.toMatch(/536-?22-?1234/);
});

/** A worker who has not earned yet, so no rows are behind the dialogs. The one for the bank account is alike. */
async function checkDialogs(visitor: Visitor, town: Town) {
  const { page } = visitor;
  await openDashboard(visitor, town, await town.signUp('Duber', 'Una New', { north: 900 }));
  await page.goto('/#/duber/earnings');
  await expect(page.getByText('We ask for it when we need it.')).toBeVisible();
  await page.getByRole('button', { name: 'Add your tax number' }).click();
  await expectNoScreenProblems(page, 'the dialog for a tax number', WIDTHS);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Where should your money go?' });
  await dialog.getByText('A bank with an IBAN').click();
  await dialog.getByLabel('IBAN', { exact: true }).fill('DE89 3704 0044 0532 0130 00');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Bank Account Saved');
  await expect(page.getByText('IBAN ···3000')).toBeVisible();
}
