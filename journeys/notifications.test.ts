import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { readUnsubscribeLink } from './inbox.ts';
import { expect, MAPLESS, PHONE, test, WITH_SERVICE_WORKER } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { openFold } from './screens/pageElements.ts';
import { serviceWorkerOf } from './serviceWorker.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.13, longitude: 67.02 };

type TestSubscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

/**
 * Makes the browser subscribe to the stand-in's push service. The real one needs a vendor's server and does not work in a
 * private window.
 */
const stubPushManager = (subscription: TestSubscription, isSubscribed = false) => `{
  const { endpoint, ...rest } = ${JSON.stringify(subscription)};
  let current = ${isSubscribed} ? { endpoint, toJSON: () => ({ endpoint, ...rest }) } : null;
  const toBytes = (key) =>
    Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)).buffer;
  PushManager.prototype.getSubscription = async () => current;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const options = { applicationServerKey: toBytes(applicationServerKey) };
    const unsubscribe = async () => { current = null; return true; };
    current = { endpoint, options, toJSON: () => ({ endpoint, ...rest }), unsubscribe };
    return current;
  };
}`;

test('a Scrub chooses notifications and devices on the profile and gets a push', async ({ server, openVisitor }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Nora Bell', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Piet Horn', at: LOCATION }),
  ]);
  const subscription = await createSubscription(server);
  const visitor = await openVisitor({ ...PHONE, ...WITH_SERVICE_WORKER });
  const { page } = visitor;
  await page.addInitScript(stubPushManager(subscription));
  await visitor.context.grantPermissions(['notifications'], { origin: server.url });
  await openDashboard(visitor, server, scrub);
  await page.goto('/#/profile');
  const toggle = (name: string) => page.getByRole('switch', { name, exact: true });
  await expect(toggle('Notify me on this device')).toBeEnabled();
  await expect(toggle('Notify me on this device')).not.toBeChecked();
  await expectAccessible(page, 'Profile, notifications');
  await toggle('Notify me on this device').click();
  await expect(page.getByRole('button', { name: /^Remove Chrome/ })).toBeVisible();
  await expect(toggle('Notify me on this device')).toBeChecked();

  await openFold(page, 'What we tell you about');
  await toggle('New jobs by email').click();
  await expect(toggle('New jobs by email')).not.toBeChecked();
  // The stand-in forgets the subscription with the page, so the browser subscribes again.
  const renewed = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/api/notifications/devices'),
  );
  await page.reload();
  await renewed;
  await openFold(page, 'What we tell you about');
  await expect(toggle('New jobs by push')).toBeChecked();
  await expect(toggle('New jobs by email')).not.toBeChecked();

  const { id } = await placeOrder(bud, scrub);
  const fetchPushes = async () => {
    const messagesUrl = `${server.url}/sandbox/push/messages?to=${encodeURIComponent(subscription.endpoint)}`;
    const messages = (await (await fetch(messagesUrl)).json()) as { text: string }[];
    return messages.map(({ text }) => JSON.parse(text) as object);
  };
  await expect
    .poll(fetchPushes, { intervals: [100] })
    .toMatchObject([{ title: 'You have a new job', url: `/#/scrub/jobs/${id}` }]);
  await page.getByRole('button', { name: /^Remove Chrome/ }).click();
  await expect(page.getByText('None of your devices get push notifications yet')).toBeVisible();
});

const createSubscription = async ({ url }: ProductServer) =>
  (await (await fetch(`${url}/sandbox/push/subscriptions`, { method: 'POST' })).json()) as TestSubscription;

test('a subscription that the browser renews replaces the one before: at the next visit, and while no page is asked', async ({
  server,
  openVisitor,
}) => {
  const scrub = await createTestUser(server, { role: 'Scrub', fullname: 'Rena Newell', at: LOCATION });
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => createSubscription(server)));
  if (!first || !second || !third) throw new Error('the sandbox makes no subscriptions');
  const readEndpoints = async () => (await scrub.api.notifications()).devices.map(({ endpoint }) => endpoint);
  const visitor = await openVisitor({ ...PHONE, ...WITH_SERVICE_WORKER });
  const { page } = visitor;
  const firstVisit = await page.addInitScript(stubPushManager(first));
  await visitor.context.grantPermissions(['notifications'], { origin: server.url });
  await openDashboard(visitor, server, scrub);
  await page.goto('/#/profile');
  const toggle = page.getByRole('switch', { name: 'Notify me on this device', exact: true });
  await expect(toggle).toBeEnabled();
  await toggle.click();
  await expect.poll(readEndpoints).toEqual([first.endpoint]);
  // The page has the answer.
  await expect(page.getByRole('button', { name: /^Remove Chrome/ })).toBeVisible();

  await firstVisit.dispose();
  await page.addInitScript(stubPushManager(second, true));
  await page.reload();
  await expect.poll(readEndpoints).toEqual([second.endpoint]);
  await expect(toggle).toBeChecked();

  await serviceWorkerOf(visitor).evaluate(`{
    const toSubscription = (one) => ({ ...one, options: {}, toJSON: () => one });
    const [oldSubscription, newSubscription] = ${JSON.stringify([second, third])}.map(toSubscription);
    const change = new ExtendableEvent('pushsubscriptionchange');
    self.dispatchEvent(Object.assign(change, { oldSubscription, newSubscription }));
  }`);
  await expect.poll(readEndpoints).toEqual([third.endpoint]);
});

test('the unsubscribe link of a mail works without signing in and can be undone', async ({ server, openVisitor }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Iris Quay', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Otto Lenz', at: LOCATION }),
  ]);
  await placeOrder(bud, scrub);
  const { page } = await openVisitor(MAPLESS);
  await page.goto(await readUnsubscribeLink(server, bud.email, 'is placed'));
  const wantsReceipts = async () => (await bud.api.notifications()).choices.find(({ kind }) => kind === 'placed')?.mail;
  await expect(page.getByText('Order receipts')).toBeVisible();
  expect(await wantsReceipts(), 'opening the link changes nothing').toBe(true);
  await expectAccessible(page, 'Unsubscribe');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
  expect(await wantsReceipts()).toBe(false);
  await expectAccessible(page, 'Unsubscribed');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'You are subscribed again' })).toBeVisible();
  expect(await wantsReceipts()).toBe(true);
});
