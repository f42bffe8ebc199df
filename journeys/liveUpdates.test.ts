import type { Locator, Page, Route } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { expect, PHONE, test } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { expectOrderStatus } from './screens/orders.ts';
import { card, expectToast, goTo } from './screens/pageElements.ts';

// A quarter where nobody of the other journeys lives.
const LOCATION = { latitude: 24.09, longitude: 67.06 };

const readDeliveryId = async (bud: TestUser, orderId: string) =>
  (await bud.api.readOrder({ params: { id: orderId } })).deliveries[0]?.id ?? '';

const detailLinks = (page: Page): Locator => page.getByRole('main').getByRole('link', { name: 'View Details' });

async function createParticipants(house: ProductServer) {
  const make = (role: TestUser['role'], fullname: string) => createTestUser(house, { role, fullname, at: LOCATION });
  const [bud, scrub, duber, rival] = await Promise.all([
    make('Bud', 'Lina Vale'),
    make('Scrub', 'Marek Soun'),
    make('Duber', 'Odile Park'),
    make('Duber', 'Rune Alder'),
  ]);
  return { bud, scrub, duber, rival };
}

test('nobody presses refresh: each sees the next step of the others, and hears of new work', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub, duber, rival } = await createParticipants(house);
  const [mine, theirs, road] = [await arrive(), await arrive(), await arrive(PHONE)];
  await Promise.all([
    openDashboard(mine, house, bud),
    openDashboard(theirs, house, scrub),
    openDashboard(road, house, duber),
  ]);
  await expect(road.page.getByText('No new deliveries available at the moment')).toBeVisible();
  await expect(theirs.page.getByRole('heading', { name: 'Latest Jobs' })).toBeVisible();
  await expect(mine.page.getByRole('heading', { name: 'Latest Orders' })).toBeVisible();

  const first = await placeOrder(bud, scrub);
  await expectToast(theirs.page, 'New job');
  await expect(theirs.page).toHaveTitle(/^\(1\) /);
  await expect(detailLinks(theirs.page)).toHaveCount(1);
  await detailLinks(mine.page).click();
  await expectOrderStatus(mine.page, 'Requested');

  await scrub.api['accept-order']({ params: { id: first.id } });
  await expectOrderStatus(mine.page, 'Accepted');
  await expectToast(mine.page, 'Order accepted');
  await expect(theirs.page).toHaveTitle(/^(?!\()/);
  await expectToast(road.page, 'New delivery nearby');
  await expect(detailLinks(road.page)).toHaveCount(1);

  const trip = await readDeliveryId(bud, first.id);
  await rival.api['accept-delivery']({ params: { id: trip } });
  await expectToast(road.page, 'Delivery taken', 'Another Duber was faster.');
  await expect(road.page.getByText('No new deliveries available at the moment')).toBeVisible();
  for (const step of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
    await rival.api[step]({ params: { id: trip } });
  }
  await expect(card(mine.page, 'Deliveries').getByText('Delivered', { exact: true })).toBeVisible();
});

test('what happens while a page opens is told once it listens, and nobody is asked twice for it', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const make = (role: TestUser['role'], fullname: string) =>
    createTestUser(house, { role, fullname, at: { ...LOCATION, longitude: -67 } });
  const [bud, scrub, bystander] = await Promise.all([
    make('Bud', 'Ada Moss'),
    make('Scrub', 'Ivo Reed'),
    make('Bud', 'Tess Low'),
  ]);
  const [theirs, quiet] = [await arrive(), await arrive()];
  const [jobs, nothing] = [countDashboardRequests(theirs.page), countDashboardRequests(quiet.page)];
  const listens = quiet.page.waitForResponse('**/api/events');
  await openDashboard(quiet, house, bystander);
  await listens;
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await theirs.page.route('**/api/events', (route) => opened.then(() => route.continue()));
  await openDashboard(theirs, house, scrub);
  await expect(theirs.page.getByText('No jobs available at the moment')).toBeVisible();
  await placeOrder(bud, scrub);
  open();
  await expectToast(theirs.page, 'New job');
  await expect(detailLinks(theirs.page)).toHaveCount(1);
  expect(jobs()).toBe(2);
  await expect(quiet.page.getByRole('heading', { name: 'Latest Orders' })).toBeVisible();
  expect(nothing()).toBe(1);
});

test('what happens while a first answer is on its way is shown as well', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const make = (role: TestUser['role'], fullname: string) =>
    createTestUser(house, { role, fullname, at: { ...LOCATION, latitude: -24, longitude: -67 } });
  const [bud, scrub] = await Promise.all([make('Bud', 'Nils Grey'), make('Scrub', 'Olga Wren')]);
  const { page, ...visitor } = await arrive();
  let [isAnswered, letGo] = [() => {}, () => {}];
  const answered = new Promise<void>((resolve) => (isAnswered = resolve));
  const released = new Promise<void>((resolve) => (letGo = resolve));
  const hold = async (route: Route) => {
    const response = await route.fetch();
    isAnswered();
    await released;
    await route.fulfill({ response });
  };
  await page.route('**/api/dashboards/scrub', hold, { times: 1 });
  const listens = page.waitForResponse('**/api/events');
  await openDashboard({ page, ...visitor }, house, scrub);
  await answered;
  await placeOrder(bud, scrub);
  await listens;
  letGo();
  await expect(detailLinks(page)).toHaveCount(1);
});

/** How often a page has asked for a dashboard so far. */
function countDashboardRequests(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/dashboards/')) count += 1;
  });
  return () => count;
}

test('whoever looks at a delivery that is taken meanwhile is brought back, with a word', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const [bud, scrub, duber, rival] = await Promise.all(
    (['Bud', 'Scrub', 'Duber', 'Duber'] as const).map((role, index) =>
      createTestUser(house, { role, fullname: `Nearby ${index}`, at: { ...LOCATION, latitude: -24 } }),
    ),
  );
  if (!bud || !scrub || !duber || !rival) throw new Error('somebody is missing');
  const placed = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id: placed.id } });
  const road = await arrive(PHONE);
  await openDashboard(road, house, duber);
  await detailLinks(road.page).click();
  await expect(road.page.getByRole('heading', { name: 'Delivery Details' })).toBeVisible();
  // Two tabs of one person share one stream, and both are told.
  const second = await road.context.newPage();
  await second.goto('/#/duber/dashboard');
  await expect(detailLinks(second)).toHaveCount(1);
  await rival.api['accept-delivery']({ params: { id: await readDeliveryId(bud, placed.id) } });
  await expectToast(road.page, 'Delivery taken');
  await expect(road.page.getByRole('heading', { name: 'Hey there,' })).toBeVisible();
  await expect(second.getByText('No new deliveries available at the moment')).toBeVisible();
  await goTo(road.page, 'Deliveries');
});
