import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { expect, OFFLINE_PHONE, test } from './journey.ts';
import { readOfflineCache, waitUntilOfflineReady } from './offlineReady.ts';
import type { ProductServer } from './productServer.ts';
import { expectOrderStatus } from './screens/orders.ts';
import { acceptDialog, card, expectToast, goTo } from './screens/pageElements.ts';
import { countShownNotifications, serviceWorkerOf } from './serviceWorker.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.3, longitude: 67.3 };
const OFFLINE_NOTICE = /You are offline\. Last updated \d{2}\/[A-Z][a-z]{2}\/\d{2} : \d{1,2}:\d{2} [ap]m\./;

async function createParticipants(server: ProductServer, names: readonly [bud: string, scrub: string, duber: string]) {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: names[0], at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: names[1], at: LOCATION }),
    createTestUser(server, { role: 'Duber', fullname: names[2], at: LOCATION }),
  ]);
  return { bud, scrub, duber };
}

/** Creates a delivery that no Duber has accepted yet. */
async function createPendingDelivery(bud: TestUser, scrub: TestUser): Promise<{ id: string }> {
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  return { id: (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '' };
}

test('without a network the app opens with cached data and a notice, and updates when it is back online', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub } = await createParticipants(server, ['Nell Rowan', 'Otto Finch', 'Wim Sorrel']);
  const { id } = await placeOrder(bud, scrub);
  const visitor = await openVisitor(OFFLINE_PHONE);
  await openDashboard(visitor, server, bud);
  await expect(visitor.page.getByRole('heading', { name: 'Latest Orders' })).toBeVisible();
  await visitor.page.goto(`/#/bud/orders/${id}`);
  await expectOrderStatus(visitor.page, 'Requested');
  await waitUntilOfflineReady(visitor.page, 'Requested');

  const serviceWorker = await visitor.page.request.get('/sw.js');
  expect(serviceWorker.headers()['cache-control'], 'the service worker is never cached').toBe('no-cache');
  expect(serviceWorker.headers()['content-security-policy']).toContain("worker-src 'self';");

  await visitor.setOffline(true);
  await visitor.page.reload();
  await expect(visitor.page.getByText(OFFLINE_NOTICE)).toBeVisible();
  await expectOrderStatus(visitor.page, 'Requested');
  await scrub.api['accept-order']({ params: { id } });
  // This screen has not been opened since the reload, but it is in the cache.
  await goTo(visitor.page, 'Orders');
  await expect(visitor.page.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  // The form is new here, but it misses no data.
  await goTo(visitor.page, 'Place Order');
  await expect(visitor.page.getByRole('radio', { name: 'Default' })).toBeVisible();
  await expect(visitor.page.getByText('You are offline.', { exact: true })).toBeVisible();
  await goTo(visitor.page, 'Dashboard');
  await expect(visitor.page.getByText(OFFLINE_NOTICE)).toBeVisible();
  await expect(visitor.page.getByRole('heading', { name: 'Latest Orders' })).toBeVisible();

  await visitor.setOffline(false);
  await expect(visitor.page.getByText('You are offline.')).toHaveCount(0);
  await expect(visitor.page.locator('[data-status="Accepted"]').first()).toBeVisible();

  await visitor.setOffline(true);
  await visitor.page.getByRole('button', { name: 'More' }).click();
  await visitor.page.getByRole('button', { name: 'Logout' }).click();
  await expect(visitor.page.getByRole('link', { name: 'I Already Have an Account' }).first()).toBeVisible();
  expect(await readOfflineCache(visitor.page), 'signing out clears the cache').toBe('');
  await visitor.setOffline(false);
  await expect
    .poll(() => bud.api.session().then(() => 'alive', String), 'the session is revoked once there is a network')
    .toMatch(/authenticated/);
  await visitor.setOffline(true);
  await visitor.page.reload();
  await expect(visitor.page.getByRole('link', { name: 'I Already Have an Account' }).first()).toBeVisible();
});

test('a page of an old build, whose files no longer exist, reloads once', async ({ openVisitor }) => {
  const { page, allowErrors } = await openVisitor();
  allowErrors(404);
  let isRemoved = false;
  await page.route('**/assets/Privacy*', (route) => (isRemoved ? route.fulfill({ status: 404 }) : route.continue()));
  await page.goto('/#/terms');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/terms/i);
  isRemoved = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isRemoved = false;
  });
  // Opens the route without a link, because pointing at a link would preload it.
  const loaded = page.waitForEvent('load');
  await page.evaluate("location.hash = '#/privacy'");
  await loaded;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/privacy/i);
});

test('the end of a session clears the offline cache, and another session cannot read it', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub, duber } = await createParticipants(server, ['Mara Quill', 'Abel Stone', 'Juno Firth']);
  await placeOrder(bud, scrub);
  const visitor = await openVisitor(OFFLINE_PHONE);
  await openDashboard(visitor, server, bud);
  await waitUntilOfflineReady(visitor.page, 'Abel Stone');
  await visitor.setOffline(true);
  await visitor.context.addCookies([{ name: 'auth-token', value: duber.token, url: server.url }]);
  await visitor.page.reload();
  await expectToast(visitor.page, 'Network Error', 'App backend service unreachable');
  await expect(visitor.page.getByText('Abel Stone')).toHaveCount(0);
  expect(await readOfflineCache(visitor.page)).toBe('');

  await visitor.setOffline(false);
  await visitor.context.addCookies([{ name: 'auth-token', value: bud.token, url: server.url }]);
  await visitor.page.reload();
  await waitUntilOfflineReady(visitor.page, 'Abel Stone');
  visitor.allowErrors(401);
  // The logout happens on another device. The end of the event stream shows it here.
  await acceptDialog(visitor.page, 'Session expired, login again', () => bud.api.logout());
  await expect.poll(() => readOfflineCache(visitor.page)).toBe('');
});

test('the service worker shows a push, and a link to another site opens the start page instead', async ({
  server,
  openVisitor,
}) => {
  const { bud } = await createParticipants(server, ['Rhea Lowe', 'Hugo Vann', 'Tess Orme']);
  const visitor = await openVisitor(OFFLINE_PHONE);
  await visitor.context.grantPermissions(['notifications'], { origin: server.url });
  await openDashboard(visitor, server, bud);
  // A push is lost while the service worker is still activating.
  await expect
    .poll(() => visitor.page.evaluate('navigator.serviceWorker.ready.then(({ active }) => active?.state)'))
    .toBe('activated');
  const browser = await visitor.context.newCDPSession(visitor.page);
  const registered = new Promise<string>((resolve) =>
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [registration] }) =>
      resolve(registration?.registrationId ?? ''),
    ),
  );
  await browser.send('ServiceWorker.enable');
  const registrationId = await registered;
  const push = (data: object) =>
    browser.send('ServiceWorker.deliverPushMessage', {
      origin: server.url,
      registrationId,
      data: JSON.stringify(data),
    });
  await countShownNotifications(visitor);
  await push({ title: 'Order accepted', body: 'Your Scrub will take care of it.', url: '/#/bud/orders', tag: 'a' });
  await push({ title: 'Win a prize', body: 'Now!', url: 'https://elsewhere.test/#/', tag: 'b' });
  const readNotifications = () =>
    visitor.page.evaluate(`navigator.serviceWorker.ready.then((registration) => registration.getNotifications()).then(
      (notifications) => notifications.map(({ title, body, data }) => [title, body, data.url]).toSorted())`);
  await expect.poll(() => serviceWorkerOf(visitor).evaluate('self.shownNotifications')).toBe(2);
  expect(await readNotifications()).toEqual([
    ['Order accepted', 'Your Scrub will take care of it.', '/#/bud/orders'],
    ['Win a prize', 'Now!', '/'],
  ]);

  // A test cannot click a notification, so it dispatches the event in the service worker.
  await serviceWorkerOf(visitor).evaluate(`self.registration.getNotifications({ tag: 'a' }).then(([notification]) =>
    void self.dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
  await expect(visitor.page.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  await expect.poll(readNotifications).toHaveLength(1);
});

const notSentCard = (page: Page) => card(page, 'Not sent yet');

test('a step taken offline is queued, survives a reload, and is sent when the network is back', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub, duber } = await createParticipants(server, ['Ivo Marsh', 'Lena Holt', 'Cleo Reed']);
  const params = await createPendingDelivery(bud, scrub);
  await duber.api['accept-delivery']({ params });
  const visitor = await openVisitor(OFFLINE_PHONE);
  await openDashboard(visitor, server, duber);
  await visitor.page.goto(`/#/duber/deliveries/${params.id}`);
  const status = card(visitor.page, 'Delivery Status');
  await expect(status.locator('[data-status]')).toHaveText('Accepted');
  await waitUntilOfflineReady(visitor.page, params.id);

  await visitor.setOffline(true);
  await visitor.page.getByRole('button', { name: 'On The Way to Pickup' }).click();
  await expect(notSentCard(visitor.page)).toContainText(/Waiting to be sent: On The Way to Pickup, done at \d{2}\//);
  await visitor.page.getByRole('button', { name: 'Mark as Collected' }).click();
  await expect(notSentCard(visitor.page).getByRole('listitem')).toHaveCount(2);
  await expectAccessible(visitor.page, 'Delivery, offline, with queued steps');
  await visitor.page.reload();
  await expect(notSentCard(visitor.page).getByRole('listitem')).toHaveCount(2);
  await expect(status.locator('[data-status]')).toHaveText('Collected');
  expect((await bud.api.readDelivery({ params })).status).toBe('Accepted');
  await notSentCard(visitor.page).getByRole('button', { name: 'Undo' }).click();
  await expect(notSentCard(visitor.page).getByRole('listitem')).toHaveCount(1);
  await expect(status.locator('[data-status]')).toHaveText('Way To Pick');

  await visitor.setOffline(false);
  await expectToast(visitor.page, 'Status updated: On the way to pickup.', 'Sent now, done at');
  await expect(notSentCard(visitor.page)).toHaveCount(0);
  await expect(status.locator('[data-status]')).toHaveText('Way To Pick');
  await expect(status).toContainText('while offline');
  const delivery = await bud.api.readDelivery({ params });
  expect(delivery.statusHistory.map((step) => [step.status, step.takenAt !== null])).toEqual([
    ['Pending', false],
    ['Accepted', false],
    ['Way_To_Pick', true],
  ]);
});

test('a queued step that was already taken elsewhere is dropped, and one that is no longer possible is explained', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub, duber } = await createParticipants(server, ['Ada Fenn', 'Bram Yale', 'Dora Kidd']);
  const rival = await createTestUser(server, { role: 'Duber', fullname: 'Enzo Pell', at: LOCATION });
  const [first, second] = [await createPendingDelivery(bud, scrub), await createPendingDelivery(bud, scrub)];
  const otherBud = await createTestUser(server, { role: 'Bud', fullname: 'Cleo Marsh', at: LOCATION });
  const third = await createPendingDelivery(otherBud, scrub);
  await duber.api['accept-delivery']({ params: first });
  const visitor = await openVisitor(OFFLINE_PHONE);
  visitor.allowErrors(404, 409);
  await openDashboard(visitor, server, duber);
  await visitor.page.goto(`/#/duber/deliveries/${first.id}`);
  await waitUntilOfflineReady(visitor.page, first.id);

  await visitor.setOffline(true);
  await visitor.page.getByRole('button', { name: 'On The Way to Pickup' }).click();
  await expect(notSentCard(visitor.page)).toContainText('Waiting to be sent: On The Way to Pickup');
  // The same Duber takes the steps on another device.
  for (const step of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const)
    await duber.api[step]({ params: first });
  await visitor.setOffline(false);
  await expect(notSentCard(visitor.page)).toHaveCount(0);
  await expect(card(visitor.page, 'Delivery Status').locator('[data-status]')).toHaveText('Delivered');

  await goTo(visitor.page, 'Dashboard');
  const offer = visitor.page.getByRole('listitem').filter({ hasText: `Bud ${bud.fullname}` });
  await expect(offer.getByRole('button', { name: 'Accept 👍' })).toBeVisible();
  const otherOffer = visitor.page.getByRole('listitem').filter({ hasText: `Bud ${otherBud.fullname}` });
  await expect(otherOffer.getByRole('button', { name: 'Accept 👍' })).toBeVisible();
  await visitor.setOffline(true);
  await offer.getByRole('button', { name: 'Accept 👍' }).click();
  await expect(offer.getByText('Waiting to be sent', { exact: true })).toBeVisible();
  // The button is gone: its focus is on the page. Nothing else can be accepted meanwhile.
  await expect(visitor.page.locator('#main')).toBeFocused();
  await expect(otherOffer).toBeVisible();
  await expect(otherOffer.getByRole('button', { name: 'Accept 👍' })).toHaveCount(0);
  await expect(notSentCard(visitor.page)).toContainText('Waiting to be sent: Accept 👍');
  await rival.api['accept-delivery']({ params: second });
  await visitor.setOffline(false);
  await expect(notSentCard(visitor.page)).toContainText('Could not be sent: Accept 👍');
  await expect(notSentCard(visitor.page)).toContainText('This delivery has already been accepted.');
  await notSentCard(visitor.page).getByRole('button', { name: 'Got it' }).click();
  await expect(notSentCard(visitor.page)).toHaveCount(0);
  await otherOffer.getByRole('button', { name: 'Accept 👍' }).click();
  await expect(card(visitor.page, 'Active Delivery')).toBeVisible();
  expect((await duber.api.readDelivery({ params: third })).status).toBe('Accepted');
});

test('a queued step is only sent with the session of the person who took it', async ({ server, openVisitor }) => {
  const { bud, scrub, duber } = await createParticipants(server, ['Sten Fox', 'Vera Lund', 'Yuri Nash']);
  const other = await createTestUser(server, { role: 'Duber', fullname: 'Wilma Oak', at: LOCATION });
  const params = await createPendingDelivery(bud, scrub);
  await duber.api['accept-delivery']({ params });
  const visitor = await openVisitor(OFFLINE_PHONE);
  await openDashboard(visitor, server, duber);
  await visitor.page.goto(`/#/duber/deliveries/${params.id}`);
  const button = visitor.page.getByRole('button', { name: 'On The Way to Pickup' });
  await expect(button).toBeVisible();
  // Before that, a part of the page whose code does not load replaces the page.
  await waitUntilOfflineReady(visitor.page, params.id);
  await visitor.setOffline(true);
  await button.click();
  await expect(notSentCard(visitor.page)).toBeVisible();

  await visitor.context.addCookies([{ name: 'auth-token', value: other.token, url: server.url }]);
  await expect.poll(() => visitor.page.evaluate('document.cookie')).toContain(other.token);
  await visitor.setOffline(false);
  await expect(visitor.page.getByRole('heading', { name: 'Hey there, Wilma!' })).toBeVisible();
  await expect(notSentCard(visitor.page)).toHaveCount(0);
  expect((await bud.api.readDelivery({ params })).status).toBe('Accepted');

  await visitor.context.addCookies([{ name: 'auth-token', value: duber.token, url: server.url }]);
  await visitor.page.reload();
  await expectToast(visitor.page, 'Status updated: On the way to pickup.');
  expect((await bud.api.readDelivery({ params })).status).toBe('Way_To_Pick');
});
