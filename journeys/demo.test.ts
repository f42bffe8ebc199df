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
const hint = (page: Page) => page.getByRole('complementary', { name: 'About this demo' });

test('a visitor looks around as each role with one tap, and closes the hint once', async ({ openVisitor }) => {
  const { page } = await openVisitor(MAPLESS);
  await page.goto('/');
  await expect(entrance(page).getByRole('button')).toHaveCount(3);
  const reviews = page.getByRole('region', { name: 'What people write' });
  await expect(reviews).toContainText('These people are made up.');
  await expect(reviews.getByRole('figure').first()).toContainText(/\(\d\/5\).+, (Bud|Scrub), about a /);
  await expectAccessible(page, 'Landing of the demo');
  await entrance(page).getByRole('button', { name: 'Look around as Bud' }).click();
  await expect(page).toHaveURL(/#\/bud\/dashboard$/);
  await expect(hint(page)).toContainText('A Bud sends laundry, a Scrub washes it, and a Duber carries it both ways.');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page, 'Dashboard with the hint');

  // It explains itself in each role until it is closed.
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.goto('/#/login');
  await expectAccessible(page, 'Sign-in of the demo');
  await entrance(page).getByRole('button', { name: 'Look around as Scrub' }).click();
  await expect(page).toHaveURL(/#\/scrub\/dashboard$/);
  await expect(hint(page)).toContainText('You are looking around as a Scrub.');
  await hint(page).getByRole('button', { name: 'Close the hint' }).click();
  await expect(hint(page)).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();

  await page.getByRole('button', { name: 'Logout' }).click();
  await entrance(page).getByRole('button', { name: 'Look around as Duber' }).click();
  await expect(page).toHaveURL(/#\/duber\/dashboard$/);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(hint(page)).toBeHidden();
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
  await expect(entrance(page)).toContainText('Neighbours are awake');
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
