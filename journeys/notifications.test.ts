import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { readUnsubscribeLink } from './inbox.ts';
import { expect, MAPLESS, PHONE, test } from './journey.ts';

// A quarter where nobody of the other journeys lives.
const LOCATION = { latitude: 24.13, longitude: 67.02 };

type TestSubscription = {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
};

/** A browser whose push service is the stand-in: the real one asks a vendor, and not in a private window. */
const stubPushManager = (made: TestSubscription) => `{
  const made = ${JSON.stringify(made)};
  let kept = null;
  const bytes = (key) =>
    Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)).buffer;
  PushManager.prototype.getSubscription = async () => kept;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const unsubscribe = async () => { kept = null; return true; };
    kept = { endpoint: made.endpoint, options: { applicationServerKey: bytes(applicationServerKey) }, toJSON: () => made, unsubscribe };
    return kept;
  };
}`;

test('a Scrub chooses on the profile what to hear of and where, and gets a push on this device', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(house, { role: 'Bud', fullname: 'Nora Bell', at: LOCATION }),
    createTestUser(house, { role: 'Scrub', fullname: 'Piet Horn', at: LOCATION }),
  ]);
  const made = (await (
    await fetch(`${house.url}/sandbox/push/subscriptions`, { method: 'POST' })
  ).json()) as TestSubscription;
  const visitor = await arrive(PHONE);
  const { page } = visitor;
  await page.addInitScript(stubPushManager(made));
  await visitor.context.grantPermissions(['notifications'], { origin: house.url });
  await openDashboard(visitor, house, scrub);
  await page.goto('/#/profile');
  const toggle = (name: string) => page.getByRole('switch', { name, exact: true });
  await expect(toggle('Notify me on this device')).toBeEnabled();
  await expect(toggle('Notify me on this device')).not.toBeChecked();
  await expectAccessible(page, 'Profile, notifications');
  await toggle('Notify me on this device').click();
  await expect(page.getByRole('button', { name: /^Remove Chrome/ })).toBeVisible();
  await expect(toggle('Notify me on this device')).toBeChecked();

  await toggle('New jobs by mail').click();
  await expect(toggle('New jobs by mail')).not.toBeChecked();
  await page.reload();
  await expect(toggle('New jobs by push')).toBeChecked();
  await expect(toggle('New jobs by mail')).not.toBeChecked();

  const { id } = await placeOrder(bud, scrub);
  const pushed = async () => {
    const answer = await fetch(`${house.url}/sandbox/push/messages?to=${encodeURIComponent(made.endpoint)}`);
    return ((await answer.json()) as { text: string }[]).map(({ text }) => JSON.parse(text) as object);
  };
  await expect
    .poll(pushed, { intervals: [100] })
    .toMatchObject([{ title: 'New job from Nora Bell', url: `/#/scrub/jobs/${id}` }]);
  await page.getByRole('button', { name: /^Remove Chrome/ }).click();
  await expect(page.getByText('No device of yours gets pushes yet')).toBeVisible();
});

test('the link of a mail ends its kind of mails without signing in, and takes it back', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(house, { role: 'Bud', fullname: 'Iris Quay', at: LOCATION }),
    createTestUser(house, { role: 'Scrub', fullname: 'Otto Lenz', at: LOCATION }),
  ]);
  await placeOrder(bud, scrub);
  const { page } = await arrive(MAPLESS);
  await page.goto(await readUnsubscribeLink(house, bud.email, 'is placed'));
  const receipts = async () => (await bud.api.notifications()).choices.find(({ kind }) => kind === 'placed')?.mail;
  await expect(page.getByText('Order receipts')).toBeVisible();
  expect(await receipts(), 'looking changes nothing').toBe(true);
  await expectAccessible(page, 'Unsubscribe');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible();
  expect(await receipts()).toBe(false);
  await expectAccessible(page, 'Unsubscribed');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'You get them again' })).toBeVisible();
  expect(await receipts()).toBe(true);
});
