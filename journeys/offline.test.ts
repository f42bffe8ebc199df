import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { expect, PHONE, test } from './journey.ts';
import { readOfflineCache, waitUntilOfflineReady } from './offlineReady.ts';
import type { ProductServer } from './productServer.ts';
import { expectOrderStatus } from './screens/orders.ts';
import { acceptDialog, card, expectToast, goTo } from './screens/pageElements.ts';

// A quarter where nobody of the other journeys lives.
const LOCATION = { latitude: 24.3, longitude: 67.3 };
const OFFLINE_NOTICE =
  /You are offline\. This is what was last seen, \d{2}\/[A-Z][a-z]{2}\/\d{2} : \d{1,2}:\d{2} [ap]m\./;

async function createParticipants(house: ProductServer, names: readonly [bud: string, scrub: string, duber: string]) {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(house, { role: 'Bud', fullname: names[0], at: LOCATION }),
    createTestUser(house, { role: 'Scrub', fullname: names[1], at: LOCATION }),
    createTestUser(house, { role: 'Duber', fullname: names[2], at: LOCATION }),
  ]);
  return { bud, scrub, duber };
}

/** A delivery that waits for a Duber. */
async function createPendingDelivery(bud: TestUser, scrub: TestUser): Promise<{ id: string }> {
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  return { id: (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '' };
}

test('the app opens without a network to what was last seen, says so, and catches up', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub } = await createParticipants(house, ['Nell Rowan', 'Otto Finch', 'Wim Sorrel']);
  const { id } = await placeOrder(bud, scrub);
  const me = await arrive({ ...PHONE, isMapless: true });
  await openDashboard(me, house, bud);
  await expect(me.page.getByRole('heading', { name: 'Latest Orders' })).toBeVisible();
  await me.page.goto(`/#/bud/orders/${id}`);
  await expectOrderStatus(me.page, 'Requested');
  await waitUntilOfflineReady(me.page, 'Requested');

  const worker = await me.page.request.get('/sw.js');
  expect(worker.headers()['cache-control'], 'the worker itself is never kept').toBe('no-cache');
  expect(worker.headers()['content-security-policy']).toContain("worker-src 'self';");

  await me.setOffline(true);
  await me.page.reload();
  await expect(me.page.getByText(OFFLINE_NOTICE)).toBeVisible();
  await expectOrderStatus(me.page, 'Requested');
  await scrub.api['accept-order']({ params: { id } });
  // A screen that was not open since the start, and is on the device all the same.
  await goTo(me.page, 'Orders');
  await expect(me.page.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  await goTo(me.page, 'Dashboard');
  await expect(me.page.getByText(OFFLINE_NOTICE)).toBeVisible();
  await expect(me.page.getByRole('heading', { name: 'Latest Orders' })).toBeVisible();

  await me.setOffline(false);
  await expect(me.page.getByText('You are offline.')).toHaveCount(0);
  await expect(me.page.locator('[data-status="Accepted"]').first()).toBeVisible();

  await me.setOffline(true);
  await me.page.getByRole('button', { name: 'More' }).click();
  await me.page.getByRole('button', { name: 'Logout' }).click();
  await expect(me.page.getByRole('link', { name: 'I Already Have an Account' }).first()).toBeVisible();
  expect(await readOfflineCache(me.page), 'nothing is left for whoever is next').toBe('');
  await me.setOffline(false);
  await expect
    .poll(() => bud.api.session().then(() => 'alive', String), 'the server hears of it')
    .toMatch(/authenticated/);
  await me.setOffline(true);
  await me.page.reload();
  await expect(me.page.getByRole('link', { name: 'I Already Have an Account' }).first()).toBeVisible();
});

test('a page of an old build, whose files are gone, loads itself anew once', async ({ openVisitor: arrive }) => {
  const { page, allowErrors: mayBeRefused } = await arrive();
  mayBeRefused(404);
  let isSwapped = false;
  await page.route('**/assets/Privacy*', (route) => (isSwapped ? route.fulfill({ status: 404 }) : route.continue()));
  await page.goto('/#/terms');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/terms/i);
  isSwapped = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isSwapped = false;
  });
  // A route that is opened without a pointer: what is fetched ahead must not be what fails.
  const loaded = page.waitForEvent('load');
  await page.evaluate("location.hash = '#/privacy'");
  await loaded;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/privacy/i);
});

test('a session that ends takes with it what was seen, and another one opens nothing of it', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub, duber } = await createParticipants(house, ['Mara Quill', 'Abel Stone', 'Juno Firth']);
  await placeOrder(bud, scrub);
  const me = await arrive({ ...PHONE, isMapless: true });
  await openDashboard(me, house, bud);
  await waitUntilOfflineReady(me.page, 'Abel Stone');
  await me.setOffline(true);
  await me.context.addCookies([{ name: 'auth-token', value: duber.token, url: house.url }]);
  await me.page.reload();
  await expectToast(me.page, 'Network Error', 'App backend service unreachable');
  await expect(me.page.getByText('Abel Stone')).toHaveCount(0);
  expect(await readOfflineCache(me.page)).toBe('');

  await me.setOffline(false);
  await me.context.addCookies([{ name: 'auth-token', value: bud.token, url: house.url }]);
  await me.page.reload();
  await waitUntilOfflineReady(me.page, 'Abel Stone');
  me.allowErrors(401);
  // On another device: the stream here ends, and that tells.
  await acceptDialog(me.page, 'Session expired, login again', () => bud.api.logout());
  await expect.poll(() => readOfflineCache(me.page)).toBe('');
});

test('a push is shown by the worker, and one that leads elsewhere leads to the start', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud } = await createParticipants(house, ['Rhea Lowe', 'Hugo Vann', 'Tess Orme']);
  const me = await arrive({ ...PHONE, isMapless: true });
  await me.context.grantPermissions(['notifications'], { origin: house.url });
  await openDashboard(me, house, bud);
  // A worker that is there may still be getting ready, and until then a push is lost on it.
  await expect
    .poll(() => me.page.evaluate('navigator.serviceWorker.ready.then((one) => one.active?.state)'))
    .toBe('activated');
  const browser = await me.context.newCDPSession(me.page);
  const registered = new Promise<string>((resolve) =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) =>
      resolve(one?.registrationId ?? ''),
    ),
  );
  await browser.send('ServiceWorker.enable');
  const registrationId = await registered;
  const push = (data: object) =>
    browser.send('ServiceWorker.deliverPushMessage', { origin: house.url, registrationId, data: JSON.stringify(data) });
  await push({ title: 'Order accepted', body: 'Your Scrub takes care of it.', url: '/#/bud/orders', tag: 'a' });
  await push({ title: 'Win a prize', body: 'Now!', url: 'https://elsewhere.test/#/', tag: 'b' });
  const shown = () =>
    me.page.evaluate(`navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) =>
      all.map(({ title, body, data }) => [title, body, data.url]).toSorted())`);
  await expect.poll(shown).toEqual([
    ['Order accepted', 'Your Scrub takes care of it.', '/#/bud/orders'],
    ['Win a prize', 'Now!', '/'],
  ]);

  // Nobody can click outside the page here, so the worker is told of the click.
  await me.context
    .serviceWorkers()[0]
    ?.evaluate(`self.registration.getNotifications({ tag: 'a' }).then(([notification]) =>
    void self.dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
  await expect(me.page.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  await expect.poll(shown).toHaveLength(1);
});

const notSentCard = (page: Page) => card(page, 'Not sent yet');

test('a step taken without a network waits on the device, survives a reload, and is sent when back', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub, duber } = await createParticipants(house, ['Ivo Marsh', 'Lena Holt', 'Cleo Reed']);
  const params = await createPendingDelivery(bud, scrub);
  await duber.api['accept-delivery']({ params });
  const me = await arrive({ ...PHONE, isMapless: true });
  await openDashboard(me, house, duber);
  await me.page.goto(`/#/duber/deliveries/${params.id}`);
  const status = card(me.page, 'Delivery Status');
  await expect(status.locator('[data-status]')).toHaveText('Accepted');
  await waitUntilOfflineReady(me.page, params.id);

  await me.setOffline(true);
  await me.page.getByRole('button', { name: 'On The Way to Pickup' }).click();
  await expect(notSentCard(me.page)).toContainText(/Waiting to be sent: On The Way to Pickup, taken at \d{2}\//);
  await me.page.getByRole('button', { name: 'Mark as Collected' }).click();
  await expect(notSentCard(me.page).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(me.page, 'a delivery whose steps wait, without a network');
  await me.page.reload();
  await expect(notSentCard(me.page).getByRole('listitem')).toHaveCount(2);
  await expect(status.locator('[data-status]')).toHaveText('Accepted');
  await notSentCard(me.page).getByRole('button', { name: 'Take back' }).click();
  await expect(notSentCard(me.page).getByRole('listitem')).toHaveCount(1);

  await me.setOffline(false);
  await expectToast(me.page, 'Status updated: On the way to pickup.', 'Sent now, taken at');
  await expect(notSentCard(me.page)).toHaveCount(0);
  await expect(status.locator('[data-status]')).toHaveText('Way To Pick');
  await expect(status).toContainText('without a network');
  const seen = await bud.api.readDelivery({ params });
  expect(seen.statusHistory.map((step) => [step.status, step.takenAt !== null])).toEqual([
    ['Pending', false],
    ['Accepted', false],
    ['Way_To_Pick', true],
  ]);
});

test('a step that has happened meanwhile is understood, and one that can no longer be is explained', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub, duber } = await createParticipants(house, ['Ada Fenn', 'Bram Yale', 'Dora Kidd']);
  const rival = await createTestUser(house, { role: 'Duber', fullname: 'Enzo Pell', at: LOCATION });
  const [first, second] = [await createPendingDelivery(bud, scrub), await createPendingDelivery(bud, scrub)];
  await duber.api['accept-delivery']({ params: first });
  const me = await arrive({ ...PHONE, isMapless: true });
  me.allowErrors(404, 409);
  await openDashboard(me, house, duber);
  await me.page.goto(`/#/duber/deliveries/${first.id}`);
  await waitUntilOfflineReady(me.page, first.id);

  await me.setOffline(true);
  await me.page.getByRole('button', { name: 'On The Way to Pickup' }).click();
  await expect(notSentCard(me.page)).toContainText('Waiting to be sent: On The Way to Pickup');
  // On another device of the same Duber.
  for (const step of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const)
    await duber.api[step]({ params: first });
  await me.setOffline(false);
  await expect(notSentCard(me.page)).toHaveCount(0);
  await expect(card(me.page, 'Delivery Status').locator('[data-status]')).toHaveText('Delivered');

  await me.page.goto(`/#/duber/deliveries/${second.id}`);
  await waitUntilOfflineReady(me.page, second.id);
  await me.setOffline(true);
  await me.page.getByRole('button', { name: 'Accept 👍' }).click();
  await expect(notSentCard(me.page)).toContainText('Waiting to be sent: Accept 👍');
  await rival.api['accept-delivery']({ params: second });
  await me.setOffline(false);
  await goTo(me.page, 'Dashboard');
  await expect(notSentCard(me.page)).toContainText('Could not be sent: Accept 👍');
  await expect(notSentCard(me.page)).toContainText('This delivery has already been accepted.');
  await notSentCard(me.page).getByRole('button', { name: 'Understood' }).click();
  await expect(notSentCard(me.page)).toHaveCount(0);
});

test('a step that waits is sent as its own person only, whoever signs in meanwhile', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub, duber } = await createParticipants(house, ['Sten Fox', 'Vera Lund', 'Yuri Nash']);
  const other = await createTestUser(house, { role: 'Duber', fullname: 'Wilma Oak', at: LOCATION });
  const params = await createPendingDelivery(bud, scrub);
  await duber.api['accept-delivery']({ params });
  const me = await arrive({ ...PHONE, isMapless: true });
  await openDashboard(me, house, duber);
  await me.page.goto(`/#/duber/deliveries/${params.id}`);
  const button = me.page.getByRole('button', { name: 'On The Way to Pickup' });
  await expect(button).toBeVisible();
  await me.setOffline(true);
  await button.click();
  await expect(notSentCard(me.page)).toBeVisible();

  await me.context.addCookies([{ name: 'auth-token', value: other.token, url: house.url }]);
  await expect.poll(() => me.page.evaluate('document.cookie')).toContain(other.token);
  me.allowErrors(404);
  await me.setOffline(false);
  await expect(me.page.getByRole('banner').getByText('Wilma Oak')).toBeVisible();
  await expect(me.page.getByRole('heading', { name: 'Delivery Not Found' })).toBeVisible();
  await goTo(me.page, 'Dashboard');
  await expect(me.page.getByRole('heading', { name: 'Hey there, Wilma Oak!' })).toBeVisible();
  await expect(notSentCard(me.page)).toHaveCount(0);
  expect((await bud.api.readDelivery({ params })).status).toBe('Accepted');

  await me.context.addCookies([{ name: 'auth-token', value: duber.token, url: house.url }]);
  await me.page.reload();
  await expectToast(me.page, 'Status updated: On the way to pickup.');
  expect((await bud.api.readDelivery({ params })).status).toBe('Way_To_Pick');
});
