import type { Page } from '@playwright/test';
import type { TaxIdAnswer } from '../../contract/taxIds.ts';
import { takeScreenshots, test } from './screenshots.ts';
import { heading, watchRequests } from './states.ts';

const BUD = 'bud@rubadub.test';
const SCRUB = 'scrub@rubadub.test';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialogOf = (page: Page) => page.getByRole('dialog');

test('the tax number and the bank account of a worker', async ({ signIn }) => {
  const scrub = await signIn(SCRUB);
  const page = await scrub.newPage();
  await page.goto('/#/scrub/earnings');
  await press(page, 'Add your tax number');
  await dialogOf(page).waitFor();
  await takeScreenshots(page, 'tax number', 'empty');
  await dialogOf(page).getByLabel('Tax number', { exact: true }).fill('666-22-1234');
  await dialogOf(page).getByLabel('Your password').fill('not the password');
  await dialogOf(page).getByRole('button', { name: 'Save' }).click();
  await dialogOf(page).getByText('This is not a Social Security Number.').waitFor();
  await takeScreenshots(page, 'tax number', 'errors');
  await dialogOf(page).getByLabel('Country').selectOption('Portugal');
  await takeScreenshots(page, 'tax number', 'of another country');
  await page.keyboard.press('Escape');
  await press(page, 'Add');
  await dialogOf(page).waitFor();
  await takeScreenshots(page, 'bank account', 'in the USA');
  await dialogOf(page).getByText('A bank with an IBAN').click();
  await takeScreenshots(page, 'bank account', 'with an IBAN');
  await page.close();

  const askedFor: TaxIdAnswer = { taxId: null, askedFor: { year: 2026, from: 2000 } };
  const stored = { kind: 'ssn', country: 'US', last4: '1234', changedAt: '2026-11-02T09:00:00.000Z' } as const;
  const states = { 'asked for': askedFor, stored: { taxId: stored, askedFor: null } satisfies TaxIdAnswer };
  for (const [state, json] of Object.entries(states)) {
    const earnings = await scrub.newPage();
    await earnings.route('**/api/earnings/tax-id', (route) => route.fulfill({ json }));
    await earnings.goto('/#/scrub/earnings');
    await earnings.getByText(/Your work and your payouts continue either way|SSN ···1234/).waitFor();
    await takeScreenshots(earnings, 'tax number', state);
    await earnings.close();
  }
});

test('a promo code at the checkout', async ({ signIn }) => {
  const page = await (await signIn(BUD)).newPage();
  const next = page.getByRole('button', { name: 'Next' });
  await page.goto('/#/bud/place-order');
  await page.getByRole('radio').first().check();
  await next.click();
  await page.getByRole('radio', { name: /\w/ }).first().check();
  await next.click();
  await page.getByRole('radio', { name: 'Medium (3-5 lbs)' }).check();
  await press(page, 'Place Order');
  await press(page, 'Have a promo code?');
  const field = page.getByRole('textbox', { name: 'Promo code' });
  await field.fill('welcom-5');
  await press(page, 'Apply');
  await page.getByText('There is no such code. Please check it').waitFor();
  await takeScreenshots(page, 'place order', '4 checkout, wrong code');
  const quote = { code: 'WELCOME-5', discount: 5, total: 21.83 };
  await page.route('**/api/promos/check', (route) => route.fulfill({ json: quote }));
  await field.fill('welcome-5');
  await press(page, 'Apply');
  await page.getByText('WELCOME-5 takes $5.00 off.').waitFor();
  await takeScreenshots(page, 'place order', '4 checkout, promo code');
});

test('a problem with an order, and the tags of its bags', async ({ signIn }) => {
  const bud = await signIn(BUD);
  const { items } = (await bud.api.listOrders({ query: { pageSize: '100' } })).data;
  const idOf = (status: string) => items.find((order) => order.status === status)?.id;
  const screens = [
    ['report a problem', 'empty', `/bud/orders/${idOf('Completed')}/problem`],
    ['bag tags', 'full', `/bud/orders/${idOf('Accepted')}/tags`],
    ['problems', 'empty', '/bud/problems'],
  ] as const;
  for (const [screen, state, path] of screens) {
    const page = await bud.newPage();
    const waitUntilLoaded = watchRequests(page);
    await page.goto(`/#${path}`);
    await heading(/./)(page).waitFor();
    await waitUntilLoaded();
    await takeScreenshots(page, screen, state);
    await page.close();
  }
});
