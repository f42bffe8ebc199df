import type { Page } from '@playwright/test';
import { errorBody } from '../contract/failures.ts';
import { expectAccessible } from './accessibility.ts';
import { createTestUser } from './accounts.ts';
import { test as base, expect, MAPLESS } from './journey.ts';
import { openProductServer } from './productServer.ts';

// With the demo's people, on this machine only.
const test = base.extend<object, object>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const server = await openProductServer({ demo: 'on' });
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 480_000 },
  ],
});

const entrance = (page: Page) => page.getByRole('region', { name: 'Just curious?' });
const bar = (page: Page) => page.getByRole('complementary', { name: 'The demo' });

test('a visitor looks around as each role with one tap, without signing out, and closes the bar once', async ({
  openVisitor,
}) => {
  const { page, context } = await openVisitor(MAPLESS);
  await page.goto('/');
  await expect(entrance(page).getByRole('button')).toHaveCount(3);
  const reviews = page.getByRole('region', { name: 'What people write' });
  await expect(reviews).toContainText('These people are made up.');
  await expect(reviews.getByRole('figure').first()).toContainText(/\(\d\/5\).+, (Bud|Scrub), about a /);
  await expectAccessible(page, 'Landing of the demo');
  await entrance(page).getByRole('button', { name: 'Look around as Bud' }).click();
  await expect(page).toHaveURL(/#\/bud\/dashboard$/);
  await expect(bar(page)).toContainText('Place an order, or follow one that is on its way.');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page, 'Dashboard with the bar of the demo');

  const inbox = bar(page).getByRole('link', { name: 'Inbox' });
  await expect(inbox).toHaveAttribute('href', '/sandbox/mail?to=bud%40rubadub.test');
  const session = (await context.cookies()).find(({ name }) => name === 'auth-token');
  await bar(page).getByRole('button', { name: 'Scrub' }).click();
  await expect(page).toHaveURL(/#\/scrub\/dashboard$/);
  await expect(bar(page).getByRole('button', { name: 'Scrub' })).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  // The session of the person before has ended.
  const headers = { authorization: `Bearer ${decodeURIComponent(session?.value ?? '')}` };
  await expect.poll(async () => (await page.request.get('/api/auth/session', { headers })).status()).toBe(401);

  const toggle = page.getByRole('button', { name: 'Demo · no real money' });
  await toggle.click();
  await expect(bar(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  await toggle.click();
  await bar(page).getByRole('button', { name: 'Town' }).click();
  await expect(page.getByRole('button', { name: 'Look around the demo' })).toBeVisible();

  await page.goto('/#/scrub/dashboard');
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.goto('/#/login');
  await expectAccessible(page, 'Sign-in of the demo');
  await entrance(page).getByRole('button', { name: 'Look around as Duber' }).click();
  await expect(page).toHaveURL(/#\/duber\/dashboard$/);
});

test('something waits on each page of the demo’s console, and a colleague has asked for it', async ({
  openVisitor,
}) => {
  const { page } = await openVisitor(MAPLESS);
  await page.goto('/#/operator');
  await page.getByRole('button', { name: 'Look around the demo' }).click();
  const main = page.getByRole('main');
  await expect(main).toContainText('Asked for by Ruben Adler');
  await expect(bar(page).getByRole('button', { name: 'Town' })).toHaveAttribute('aria-current', 'true');
  for (const [path, text] of [
    ['cases', 'Jonah Weiss about Otis Fairweather'],
    ['chargebacks', 'They say that they got nothing'],
    ['approvals', 'Ruben Adler'],
    ['audit', 'The river is high'],
    ['messages', 'Heron Bridge is closed'],
  ]) {
    await page.goto(`/#/operator/${path}`);
    await expect(main).toContainText(text ?? '');
  }
  await bar(page).getByRole('button', { name: 'Duber' }).click();
  await expect(page).toHaveURL(/#\/duber\/dashboard$/);
});

test('three people are signed in side by side, each on a phone of their own', async ({ openVisitor }) => {
  const { page } = await openVisitor(MAPLESS);
  await page.goto('/#/demo');
  const phone = (role: string) => page.frameLocator(`iframe[name="demo-${role}"]`);
  await expect(phone('Bud').getByRole('heading', { name: /^Welcome, / })).toBeVisible();
  await expect(phone('Scrub').getByRole('heading', { name: /^Hello, / })).toBeVisible();
  await expect(phone('Duber').getByRole('heading', { name: /^Hey there, / })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  await expectAccessible(page, 'The demo on three phones');

  // Signing out on one phone leaves the others as they are, also when they load again.
  await phone('Scrub').getByRole('button', { name: 'More' }).click();
  await phone('Scrub').getByRole('button', { name: 'Logout' }).click();
  await expect(phone('Scrub').getByRole('button', { name: 'Look around as Scrub' })).toBeVisible();
  await page.reload();
  for (const role of ['Bud', 'Scrub', 'Duber'])
    await expect(phone(role).getByRole('navigation', { name: 'Main' })).toBeVisible();
});

test('while a first start adds the demo, the landing page says so, and then offers it without a reload', async ({
  server,
  openVisitor,
}) => {
  const { page, context, allowErrors } = await openVisitor(MAPLESS);
  let isPreparing = true;
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch();
    const { demoAccounts, ...config } = await response.json();
    await route.fulfill({
      response,
      json: { ...config, isDemoLive: true, ...(isPreparing ? { isDemoPreparing: true } : { demoAccounts }) },
    });
  });
  await page.goto('/');
  const status = entrance(page).getByRole('status');
  await expect(status).toHaveText('We are preparing the demo. It will be ready soon.');
  await expect(entrance(page).getByRole('button')).toHaveCount(0);
  await expectAccessible(page, 'Landing while the demo is prepared');
  isPreparing = false;
  await expect(entrance(page).getByRole('button')).toHaveCount(3);
  await expect(status).toHaveText('The demo is ready.');
  await expectAccessible(page, 'Landing of a live demo');

  // A visitor with an old session sees the same message instead of a network error, and is signed in afterwards.
  const { token } = await createTestUser(server, {
    role: 'Bud',
    fullname: 'Early Bird',
    at: { latitude: 24, longitude: 67 },
  });
  await context.addCookies([{ name: 'auth-token', value: token, url: server.url }]);
  allowErrors(503);
  await page.route('**/api/auth/session', (route) =>
    isPreparing ? route.fulfill({ status: 503, json: errorBody('notReady') }) : route.continue(),
  );
  isPreparing = true;
  await page.reload();
  await expect(status).toHaveText('We are preparing the demo. It will be ready soon.');
  await expect(page.getByText('Network Error')).toHaveCount(0);
  isPreparing = false;
  await expect(page.getByRole('heading', { name: 'Welcome, Early!' })).toBeVisible();
});
