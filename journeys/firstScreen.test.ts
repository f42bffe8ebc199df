import type { Page } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, PHONE, REQUEST_FAILED, test } from './journey.ts';
import { liveOrderCard } from './screens/orders.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 23.31, longitude: 66.42 };

/** The page has its font and nothing more to do: what waits for that has begun. */
const waitUntilIdle = (page: Page) =>
  page.evaluate(`document.fonts.ready.then(
    () => new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve))),
  )`);

/** Where the figures begin. The page is not scrolled. */
async function topOfFigures(page: Page): Promise<number> {
  const { y = Number.NaN } = (await page.getByText('Total Orders').boundingBox()) ?? {};
  return Math.round(y);
}

test('on a phone the dashboard shows a live order without the map library, keeps its place, and loads the map when it is used', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Wanda Field', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Imre Toth', at: LOCATION }),
  ]);
  await placeOrder(bud, scrub);
  const visitor = await openVisitor(PHONE);
  const { page } = visitor;
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await openDashboard(visitor, server, bud);
  await expect(liveOrderCard(page).getByText('Imre Toth has not answered yet.')).toBeVisible();
  await waitUntilIdle(page);
  expect(scripts.filter((path) => /MapStyle|RouteMap|schemas/.test(path))).toEqual([]);
  const top = await topOfFigures(page);

  // The next visit meets a server that takes longer than the page waits for it.
  let answer: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/dashboards/bud*', async (route) => {
    await isAsked;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Welcome, Wanda!' })).toBeVisible();
  await expect(liveOrderCard(page)).toHaveCount(0);
  await waitUntilIdle(page);
  expect(await topOfFigures(page)).toBe(top);
  answer();
  await expect(liveOrderCard(page)).toBeVisible();
  await waitUntilIdle(page);
  expect(await topOfFigures(page)).toBe(top);

  await page.mouse.wheel(0, 200);
  await expect(liveOrderCard(page).locator('canvas')).toBeVisible();
});

test('the code of a dashboard comes before the font and the event stream, which would keep it waiting', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Fenna Early', at: LOCATION });
  const visitor = await openVisitor(PHONE);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  // The font of this visit is loaded before those of the next one are counted.
  await expect(page.locator('link[as=font]')).toHaveCount(1);
  await waitUntilIdle(page);
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.route('**/assets/signed-in-*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('link[rel=modulepreload][href*="/signed-in-"]')).toHaveCount(1);
  await expect(page.locator('link[as=font]')).toHaveCount(0);
  // What looks up the fonts of the device does not load ours.
  await expect(page.locator('[data-prerendered=letters]')).toHaveCSS('position', 'absolute');
  expect(requested.filter((path) => path.endsWith('.woff2'))).toEqual([]);
  expect(requested.filter((path) => path.includes('/live-'))).toEqual([]);
  release();
  await expect(page.getByRole('heading', { name: 'Welcome, Fenna!' })).toBeVisible();
  await expect(page.locator('link[as=font]')).toHaveCount(1);
  await expect(page.locator('[data-prerendered=letters]')).toHaveCount(0);
});

test('the sign-in is there before the app, and takes input as soon as the app is', async ({ openVisitor }) => {
  const { page, allowErrors } = await openVisitor(PHONE);
  allowErrors(REQUEST_FAILED);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/#/login');
  await expect(page.getByRole('heading', { name: 'Welcome to Rubadub' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.locator('form[inert] input[type=password]')).not.toBeEditable();

  await page.unroute('**/assets/*.js');
  await page.reload();
  await page.getByLabel('Email').fill('nobody');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(
    page.getByText('Password must be at least 6 characters').or(page.getByText('Password is required')),
  ).toBeVisible();
});
