import type { BrowserContext } from '@playwright/test';
import { codeAt } from '../testing/operators.ts';
import { goToPage, test } from './console.ts';
import { expect, PHONE } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { PASSWORD } from './screens/accounts.ts';
import { expectToast } from './screens/pageElements.ts';

const WIDTHS = [320, 768, 1280];

test('a person becomes an operator, another one is invited with an approval, and everything is in the audit', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
  measure,
  watchHands,
}) => {
  const link = await town.testServer.server.inviteOperator({
    email: 'olga@journeys.test',
    caps: ['see', 'admin', 'dispatch'],
  });
  const visitor = await openVisitor();
  const { page } = visitor;
  await watchHands(visitor);
  await page.goto(link.slice(link.indexOf('/#')));
  await expect(page.getByRole('heading', { name: 'Become an operator' })).toBeVisible();
  await page.getByLabel('Full name').fill('Olga Operator');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const secret =
    (await page.getByRole('region', { name: 'Authenticator app' }).locator('p').last().textContent()) ?? '';
  await expectNoScreenProblems(page, 'becoming an operator', WIDTHS);
  await page
    .getByLabel('Code of your authenticator app')
    .fill(codeAt(secret.replaceAll(' ', ''), town.testServer.now()));
  await page.getByRole('button', { name: 'Become an Operator' }).click();

  // She asks to invite somebody, and there is another operator.
  const ada = await addOperator('Ada Admin');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Invite…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill('gustav@journeys.test');
  await dialog.getByRole('checkbox', { name: 'Help' }).check();
  await dialog.getByRole('button', { name: 'Ask for Approval' }).click();
  await expect(dialog.getByText('Say why')).toBeVisible();
  await dialog.getByLabel('Why?').fill('Helps on Saturdays');
  await expectNoScreenProblems(page, 'inviting an operator', WIDTHS);
  await dialog.getByRole('button', { name: 'Ask for Approval' }).click();
  await expectToast(page, 'This waits for another operator');

  // She cannot approve it herself. Another one does, with a phone.
  await page.getByRole('link', { name: 'Approvals' }).click();
  await expect(page.getByText('“Helps on Saturdays”')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  const { page: other } = await openConsole(ada, 'approvals', PHONE);
  await expect(other.getByText('Olga Operator')).toBeVisible();
  await expectNoScreenProblems(other, 'approvals', WIDTHS);
  await other.getByRole('button', { name: 'Approve' }).click();
  await other.getByRole('dialog').getByLabel('Why?').fill('I know him');
  await other.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await expect(other.getByText('Nothing waits for a decision')).toBeVisible();
  const mail = await town.testServer.waitForMail('gustav@journeys.test');
  expect(mail.subject).toBe('Run the town on Rubadub');

  await measure('read who did what', async () => {
    await goToPage(page, 'Audit');
    await page.getByLabel('Find').fill('on saturdays');
    const rows = page.getByRole('list', { name: 'Audit' }).getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(rows.filter({ hasText: 'gustav@journeys.test' })).toHaveCount(2);
    await expect(rows.first()).toContainText('Olga Operator and Ada Admin: “Helps on Saturdays”');
    await page.getByRole('button', { name: 'Check Every Row' }).click();
    await expect(page.getByText(/\d+ rows, none changed or removed/)).toBeVisible();
  });
  await expectNoScreenProblems(page, 'the audit', WIDTHS);
});

test('a session of the console ends with what it shows, and nothing of the console is in the files of other pages', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
}) => {
  const ada = await addOperator('Alan Admin');
  const visitor = await openConsole(ada, 'settings');
  await expect(visitor.page.getByRole('heading', { name: 'Operators', exact: true })).toBeVisible();
  await expectNoScreenProblems(visitor.page, 'settings', WIDTHS);
  await ada.api.operatorSignOut({ body: {} });
  visitor.allowErrors(401);
  await visitor.page.getByRole('link', { name: 'Audit' }).click();
  await expect(visitor.page.getByText('Your session has ended. Please sign in again.')).toBeVisible();
  await expectNoScreenProblems(visitor.page, 'signing in to the console', WIDTHS);
  await visitor.page.getByLabel('Email').fill(ada.email);
  await visitor.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await visitor.page.getByRole('button', { name: 'Sign In' }).click();
  await visitor.page.getByLabel('Code of your authenticator app').fill(ada.nextCode());
  await visitor.page.getByRole('button', { name: 'Sign In' }).click();
  await expect(visitor.page.getByRole('heading', { name: 'Audit' })).toBeVisible();

  // Without the network, the session is ended when the console is opened again.
  await visitor.setOffline(true);
  await visitor.page.getByRole('button', { name: 'Sign out' }).click();
  await expect(visitor.page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  expect(await sessionsIn(visitor.context)).toBe(1);
  await visitor.setOffline(false);
  await visitor.page.reload();
  await expect.poll(() => sessionsIn(visitor.context)).toBe(0);

  const files: string[] = [];
  const { page } = await openVisitor();
  page.on('request', (request) => files.push(request.url()));
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  await expect(page.getByRole('heading', { name: 'Welcome to Rubadub' })).toBeVisible();
  expect(files.filter((url) => /OperatorApp/i.test(url))).toEqual([]);
  const precached = await (await fetch(`${town.url}/sw.js`)).text();
  expect(precached).not.toContain('OperatorApp');
});

/** How many cookies of the console a browser has. */
const sessionsIn = async (context: BrowserContext) =>
  (await context.cookies()).filter(({ name }) => name === 'rubadub-operator').length;
