import { TEST_PLAN } from '../testing/orderTimes.ts';
import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { test as base, expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { openProductServer, type ProductServer } from './productServer.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { card, expectToast } from './screens/pageElements.ts';

const WIDTHS = [320, 390, 768, 1024, 1280];
const LOCATION = { latitude: 24, longitude: 67 };

// A town of its own: the windows would change the other journeys.
const test = base.extend<object, { server: ProductServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const server = await openProductServer({ windows: TEST_PLAN });
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

/** An accepted order, and its delivery to the Scrub: for the third pickup window that is offered, or for as soon as possible. */
async function openDelivery(bud: TestUser, scrub: TestUser, when: 'window' | 'now'): Promise<string> {
  const { pickup, return: back } = await bud.api.listWindows({ query: { budAddressId: bud.addressId } });
  const from = pickup[2]?.from ?? '';
  const times = { pickupFrom: from, returnFrom: back.find((window) => window.from > from)?.from ?? '' };
  const { id } = await placeOrder(bud, scrub, when === 'window' ? times : {});
  await scrub.api['accept-order']({ params: { id } });
  return (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '';
}

test('a Duber accepts two deliveries ahead for their window, the second one while a delivery is under way, and drives one after the other', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Bea Ahead', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Sam Ahead', at: LOCATION }),
    createTestUser(server, { role: 'Duber', fullname: 'Dot Ahead', at: LOCATION }),
  ]);
  const [first, second] = [await openDelivery(bud, scrub, 'window'), await openDelivery(bud, scrub, 'window')];
  const now = await openDelivery(bud, scrub, 'now');
  const atDuber = await openVisitor({ ...PHONE, isMapless: true });
  const { page } = atDuber;
  await openDashboard(atDuber, server, duber);
  const group = page.getByRole('region', { name: /\d\s[ap]m$/ });
  const ahead = page.getByRole('region', { name: 'Ahead' });

  await expect(group.getByRole('heading')).toContainText('2 nearby');
  await expect(page.getByRole('heading', { name: 'As soon as possible' })).toBeVisible();
  await expectNoScreenProblems(page, 'offers for a window', WIDTHS);

  await resizeWindow(page, PHONE.viewport);
  await group.getByRole('button', { name: 'Accept 👍' }).first().click();
  await expectToast(page, 'Congratulations!');
  await expect(ahead.getByRole('listitem')).toHaveCount(1);
  await expect(group.getByRole('heading')).toContainText('1 nearby');

  await duber.api['accept-delivery']({ params: { id: now } });
  await expect(card(page, 'Active Delivery')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'As soon as possible' })).toHaveCount(0);
  await expectNoScreenProblems(page, 'a delivery under way and others ahead', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await group.getByRole('button', { name: 'Accept 👍' }).click();
  await expect(ahead.getByRole('listitem')).toHaveCount(2);
  await expect(group).toHaveCount(0);

  await ahead.getByRole('link', { name: 'View Details' }).first().click();
  const setOut = page.getByRole('button', { name: 'On The Way to Pickup' });
  await expect(setOut).toBeDisabled();
  await expect(page.getByText('You already have an active delivery. Finish it first.')).toBeVisible();
  await expectNoScreenProblems(page, 'a delivery that was accepted ahead', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  for (const step of ['way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const)
    await duber.api[step]({ params: { id: now } });
  await expect(setOut).toBeEnabled();
  await setOut.click();
  await expectToast(page, 'Status updated: On the way to pickup.');
  await expect(card(page, 'Next stop')).toContainText(/\d–\d+\s[ap]m/);

  const waiting = page.url().endsWith(first) ? second : first;
  const atBud = await openVisitor({ ...PHONE, isMapless: true });
  await openDashboard(atBud, server, bud);
  await atBud.page.goto(`/#/bud/deliveries/${waiting}`);
  await expect(atBud.page.getByText('A Duber has accepted it for the agreed time.')).toBeVisible();
});
