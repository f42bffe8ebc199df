import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { getBrowserLaunchOptions } from '../scripts/browser.ts';
import { createTestUser, type TestUser } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { PASSWORD, signIn } from './screens/accounts.ts';
import { expectOrderStatus, fillCard, fillOrder } from './screens/orders.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 23.1, longitude: 65.4 };

async function createPair(server: ProductServer, names: readonly [string, string]) {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: names[0], at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: names[1], at: LOCATION }),
  ]);
  return { bud, scrub };
}

/** Signs in, places an order, and sees live that the Scrub accepts it. */
async function orderAndFollow(page: Page, bud: TestUser, scrub: TestUser): Promise<void> {
  await page.goto('/#/login');
  await signIn(page, bud.email, PASSWORD);
  await expect(page).toHaveURL(/\/bud\/dashboard$/);
  await page.getByRole('link', { name: 'Place New Order' }).first().click();
  await fillOrder(page, { address: 'Default', scrub: scrub.fullname, load: 'Small (1-2 lbs)' });
  await fillCard(page);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByText('Thanks for your order!')).toBeVisible();
  const id = (await bud.api.listOrders({ query: {} })).data.items[0]?.id ?? '';
  await page.goto(`/#/bud/orders/${id}`);
  await expectOrderStatus(page, 'Requested');
  await scrub.api['accept-order']({ params: { id } });
  await expectOrderStatus(page, 'Accepted');
}

test('in a browser that blocks cookies and storage, somebody signs in, orders and follows it live, and reads what is lost', async ({
  server,
}) => {
  const { bud, scrub } = await createPair(server, ['Bea Blocked', 'Sid Still']);
  const profile = mkdtempSync(join(tmpdir(), 'rubadub-blocked-'));
  mkdirSync(join(profile, 'Default'));
  // The browser's own setting "block all cookies", which also blocks every other storage.
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(profile, {
    ...getBrowserLaunchOptions(),
    ...MAPLESS,
    baseURL: server.url,
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
    await orderAndFollow(page, bud, scrub);
    const line = page.getByText(
      'Rubadub works, but when you close or reload this page, you are signed out and what you typed and chose here is lost, and nothing opens without a network.',
    );
    await expect(line).toBeVisible();
    await expectNoScreenProblems(page, 'a page with what is lost', [320, 1280]);
    await page.goto('/#/profile');
    await expect(page.getByText('This browser cannot show notifications while Rubadub is closed.')).toBeVisible();
    await expect(line).toBeVisible();
    expect(problems).toEqual([]);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
});

/** Fills a storage to its last byte. */
const FILL = `for (const storage of [localStorage, sessionStorage]) {
  for (let size = 2 ** 23; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) storage.setItem('other' + storage.length, 'x'.repeat(size));
    } catch {}
  }
}`;

test('in a browser whose storage is full, somebody signs in, orders and follows it live, and reads what is lost', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub } = await createPair(server, ['Fay Full', 'Tom Tidy']);
  const { page } = await openVisitor(MAPLESS);
  await page.goto('/#/login');
  await page.evaluate(FILL);
  await orderAndFollow(page, bud, scrub);
  const line = page.getByText('when you close or reload this page, what you typed and chose here is lost.');
  await expect(line).toBeVisible();
  await page.reload();
  await expectOrderStatus(page, 'Accepted');
});
