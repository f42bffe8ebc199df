import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { readUnsubscribeLink } from './inbox.ts';
import { expect, MAPLESS, PHONE, test, WITH_SERVICE_WORKER } from './journey.ts';

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
const stubPushManager = (subscription: TestSubscription) => `{
  const { endpoint, ...rest } = ${JSON.stringify(subscription)};
  let current = null;
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
  const response = await fetch(`${server.url}/sandbox/push/subscriptions`, { method: 'POST' });
  const subscription = (await response.json()) as TestSubscription;
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

  await toggle('New jobs by email').click();
  await expect(toggle('New jobs by email')).not.toBeChecked();
  await page.reload();
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
