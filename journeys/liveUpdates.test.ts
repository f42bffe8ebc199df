import type { Locator, Page, Route } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { expect, PHONE, test } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { expectOrderStatus, liveOrderCard } from './screens/orders.ts';
import { card, expectFigures, expectToast, goTo, openFold } from './screens/pageElements.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.09, longitude: 67.06 };

const readDeliveryId = async (bud: TestUser, orderId: string) =>
  (await bud.api.readOrder({ params: { id: orderId } })).deliveries[0]?.id ?? '';

const detailLinks = (page: Page): Locator => page.getByRole('main').getByRole('link', { name: 'View Details' });

async function createParticipants(server: ProductServer) {
  const createUser = (role: TestUser['role'], fullname: string) =>
    createTestUser(server, { role, fullname, at: LOCATION });
  const [bud, scrub, duber, rival] = await Promise.all([
    createUser('Bud', 'Lina Vale'),
    createUser('Scrub', 'Marek Soun'),
    createUser('Duber', 'Odile Park'),
    createUser('Duber', 'Rune Alder'),
  ]);
  return { bud, scrub, duber, rival };
}

test('without reloading, every participant sees the steps of the others and is notified of new work', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub, duber, rival } = await createParticipants(server);
  const [budVisitor, scrubVisitor, duberVisitor] = [await openVisitor(), await openVisitor(), await openVisitor(PHONE)];
  await Promise.all([
    openDashboard(budVisitor, server, bud),
    openDashboard(scrubVisitor, server, scrub),
    openDashboard(duberVisitor, server, duber),
  ]);
  await expect(duberVisitor.page.getByText('No new deliveries available at the moment')).toBeVisible();
  await expect(scrubVisitor.page.getByRole('heading', { name: 'Latest Jobs' })).toBeVisible();
  await expect(budVisitor.page.getByRole('heading', { name: 'Latest Orders' })).toBeVisible();

  const first = await placeOrder(bud, scrub);
  await expectToast(scrubVisitor.page, 'New job');
  await expect(scrubVisitor.page).toHaveTitle(/^\(1\) /);
  await expect(detailLinks(scrubVisitor.page)).toHaveCount(1);
  await expect(liveOrderCard(budVisitor.page)).toContainText('Marek Soun has not answered yet.');
  await detailLinks(budVisitor.page).click();
  await expectOrderStatus(budVisitor.page, 'Requested');

  // Both watched from before: a toast ends by itself.
  const told = Promise.all([
    expectToast(budVisitor.page, 'Order accepted'),
    expectToast(duberVisitor.page, 'New delivery nearby'),
  ]);
  await scrub.api['accept-order']({ params: { id: first.id } });
  await told;
  await expectOrderStatus(budVisitor.page, 'Accepted');
  await expect(scrubVisitor.page).toHaveTitle(/^(?!\()/);
  await expect(detailLinks(duberVisitor.page)).toHaveCount(1);

  const deliveryId = await readDeliveryId(bud, first.id);
  await rival.api['accept-delivery']({ params: { id: deliveryId } });
  await expectToast(duberVisitor.page, 'Delivery taken', 'Another Duber got there first.');
  await expect(duberVisitor.page.getByText('No new deliveries available at the moment')).toBeVisible();
  for (const step of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
    await rival.api[step]({ params: { id: deliveryId } });
  }
  await openFold(budVisitor.page, 'Details');
  await expect(card(budVisitor.page, 'Deliveries').getByText('Delivered', { exact: true })).toBeVisible();

  // The dashboard follows the rest of the day on its own, and the card goes when the laundry is back.
  await goTo(budVisitor.page, 'Dashboard');
  await expect(liveOrderCard(budVisitor.page)).toContainText('Your laundry is with Marek Soun, who will start soon.');
  await scrub.api['start-order']({ params: { id: first.id } });
  await expect(liveOrderCard(budVisitor.page)).toContainText('Marek Soun is doing your laundry.');
  await scrub.api['complete-order']({ params: { id: first.id } });
  const wayBack = (await bud.api.readOrder({ params: { id: first.id } })).deliveries.at(-1)?.id ?? '';
  for (const [step, words] of [
    ['accept-delivery', 'Rune will bring it back.'],
    ['way-to-pickup', 'Rune is on the way to Marek.'],
    ['collected', 'Rune has the laundry.'],
    ['way-to-drop', 'Rune is bringing the laundry to you.'],
  ] as const) {
    await rival.api[step]({ params: { id: wayBack } });
    await expect(liveOrderCard(budVisitor.page)).toContainText(words);
  }
  await rival.api.delivered({ params: { id: wayBack } });
  await expect(liveOrderCard(budVisitor.page)).toHaveCount(0);
  await expectFigures(budVisitor.page, { 'Active Orders': '0', Completed: '1' });
});

test('an event that happens while a page loads is shown once the stream is open, without needless requests', async ({
  server,
  openVisitor,
}) => {
  const createUser = (role: TestUser['role'], fullname: string) =>
    createTestUser(server, { role, fullname, at: { ...LOCATION, longitude: -67 } });
  const [bud, scrub, bystander] = await Promise.all([
    createUser('Bud', 'Ada Moss'),
    createUser('Scrub', 'Ivo Reed'),
    createUser('Bud', 'Tess Low'),
  ]);
  const [scrubVisitor, bystanderVisitor] = [await openVisitor(), await openVisitor()];
  const countScrubRequests = countDashboardRequests(scrubVisitor.page);
  const countBystanderRequests = countDashboardRequests(bystanderVisitor.page);
  const bystanderStream = bystanderVisitor.page.waitForResponse('**/api/events');
  await openDashboard(bystanderVisitor, server, bystander);
  await bystanderStream;
  let releaseStream = () => {};
  const released = new Promise<void>((resolve) => (releaseStream = resolve));
  await scrubVisitor.page.route('**/api/events', (route) => released.then(() => route.continue()));
  await openDashboard(scrubVisitor, server, scrub);
  await expect(scrubVisitor.page.getByText('No jobs available at the moment')).toBeVisible();
  await placeOrder(bud, scrub);
  releaseStream();
  await expectToast(scrubVisitor.page, 'New job');
  await expect(detailLinks(scrubVisitor.page)).toHaveCount(1);
  expect(countScrubRequests()).toBe(2);
  await expect(bystanderVisitor.page.getByRole('heading', { name: 'Latest Orders' })).toBeVisible();
  expect(countBystanderRequests()).toBe(1);
});

test('an event that happens while the first response is on its way is shown', async ({ server, openVisitor }) => {
  const createUser = (role: TestUser['role'], fullname: string) =>
    createTestUser(server, { role, fullname, at: { ...LOCATION, latitude: -24, longitude: -67 } });
  const [bud, scrub] = await Promise.all([createUser('Bud', 'Nils Grey'), createUser('Scrub', 'Olga Wren')]);
  const { page, ...visitor } = await openVisitor();
  let [onFetched, release] = [() => {}, () => {}];
  const fetched = new Promise<void>((resolve) => (onFetched = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const delayResponse = async (route: Route) => {
    const response = await route.fetch();
    onFetched();
    await released;
    await route.fulfill({ response });
  };
  await page.route(/\/api\/dashboards\/scrub/, delayResponse, { times: 1 });
  const stream = page.waitForResponse('**/api/events');
  await openDashboard({ page, ...visitor }, server, scrub);
  await fetched;
  await placeOrder(bud, scrub);
  await stream;
  release();
  await expect(detailLinks(page)).toHaveCount(1);
});

/** Counts the dashboard requests of a page from now on. */
function countDashboardRequests(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/dashboards/')) count += 1;
  });
  return () => count;
}

test('a Duber who views a delivery that another Duber accepts returns to the dashboard with a toast', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub, duber, rival] = await Promise.all(
    (['Bud', 'Scrub', 'Duber', 'Duber'] as const).map((role, index) =>
      createTestUser(server, { role, fullname: `Nearby ${index}`, at: { ...LOCATION, latitude: -24 } }),
    ),
  );
  if (!bud || !scrub || !duber || !rival) throw new Error('a user is missing');
  const order = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id: order.id } });
  const duberVisitor = await openVisitor(PHONE);
  await openDashboard(duberVisitor, server, duber);
  await detailLinks(duberVisitor.page).click();
  await expect(duberVisitor.page.getByRole('heading', { name: 'Delivery Details' })).toBeVisible();
  // Two tabs of one person share one stream, and both show the change.
  const secondTab = await duberVisitor.context.newPage();
  await secondTab.goto('/#/duber/dashboard');
  await expect(detailLinks(secondTab)).toHaveCount(1);
  await rival.api['accept-delivery']({ params: { id: await readDeliveryId(bud, order.id) } });
  await expectToast(duberVisitor.page, 'Delivery taken');
  await expect(duberVisitor.page.getByRole('heading', { name: 'Hey there,' })).toBeVisible();
  await expect(secondTab.getByText('No new deliveries available at the moment')).toBeVisible();
  await goTo(duberVisitor.page, 'Deliveries');
});

test('a Duber with an active delivery reads why they cannot accept another one, until it is delivered', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub, duber] = await Promise.all(
    (['Bud', 'Scrub', 'Duber'] as const).map((role) =>
      createTestUser(server, { role, fullname: `Busy ${role}`, at: { ...LOCATION, latitude: -25 } }),
    ),
  );
  if (!bud || !scrub || !duber) throw new Error('a user is missing');
  const openDelivery = async () => {
    const { id } = await placeOrder(bud, scrub);
    await scrub.api['accept-order']({ params: { id } });
    return readDeliveryId(bud, id);
  };
  const [active, offered] = [await openDelivery(), await openDelivery()];
  const params = { id: active };
  await duber.api['accept-delivery']({ params });
  const { page, ...visitor } = await openVisitor(PHONE);
  await openDashboard({ page, ...visitor }, server, duber);
  await page.goto(`/#/duber/deliveries/${offered}`);
  const accept = page.getByRole('button', { name: 'Accept 👍' });
  await expect(page.getByText('You already have an active delivery. Finish it first.')).toBeVisible();
  await expect(accept).toBeDisabled();
  for (const step of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const)
    await duber.api[step]({ params });
  await accept.click();
  await expectToast(page, 'Congratulations!');
});
