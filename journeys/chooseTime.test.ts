import type { Page } from '@playwright/test';
import { TEST_PLAN, windowAt } from '../testing/orderTimes.ts';
import { formatWindowSoon, nameOfDay } from '../texts/windows.ts';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { test as base, expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { openProductServer, type ProductServer } from './productServer.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { fillCard, fillOrder, liveOrderCard, pay } from './screens/orders.ts';
import { acceptDialog } from './screens/pageElements.ts';

const WIDTHS = [320, 390, 768, 1024, 1280];
const SMALL_PHONE = { ...PHONE, viewport: { width: 320, height: 640 }, isMapless: true } as const;
const at = (latitude: number) => ({ latitude, longitude: 67 });

// A town of its own, whose windows take one order each: the windows would change the other journeys.
const test = base.extend<object, { server: ProductServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const server = await openProductServer({ windows: { ...TEST_PLAN, places: 1 } });
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

const when = (page: Page) => page.getByRole('group', { name: 'When should we come?' });
const timeChip = (page: Page, kind: 'Pickup' | 'Back', name: string) =>
  page.getByRole('group', { name: `${kind}: what time?` }).getByRole('radio', { name });
const dayChip = (page: Page, kind: 'Pickup' | 'Back', days: number) =>
  page
    .getByRole('group', { name: `${kind}: which day?` })
    .getByRole('radio', { name: nameOfDay(evening(days).from, 'UTC', new Date()), exact: true });
const evening = (days: number) => windowAt(new Date(), days, 17);
const textOf = (days: number) => formatWindowSoon(evening(days), 'UTC', new Date());

/** Step 1, with a pickup in the evening of a day and the return in that of another. */
async function chooseEvenings(page: Page, pickup: number, back: number): Promise<void> {
  await page.getByRole('radio', { name: 'Default', exact: true }).check();
  await when(page).getByRole('radio', { name: 'At a time I choose' }).check();
  await dayChip(page, 'Pickup', pickup).check();
  await timeChip(page, 'Pickup', '5–7').check();
  await dayChip(page, 'Back', back).check();
}

/** The other steps until the card. */
async function goToCheckout(page: Page, scrub: string): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: scrub, exact: true }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: 'Small (1-2 lbs)', exact: true }).check();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await fillCard(page);
}

test('a Bud with a small phone chooses when somebody comes, and both people of the order read the agreed times', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Wilma Window', at: at(20) }),
    createTestUser(server, { role: 'Scrub', fullname: 'Walt Window', at: at(20.002) }),
  ]);
  const [budsPhone, scrubsPhone] = [await openVisitor(SMALL_PHONE), await openVisitor(SMALL_PHONE)];
  const [page, job] = [budsPhone.page, scrubsPhone.page];
  const agreed = `Pickup ${textOf(2)}. Back ${textOf(4)}`;

  await openDashboard(budsPhone, server, bud);
  await page.goto('/#/bud/place-order');
  await chooseEvenings(page, 2, 4);
  await expect(timeChip(page, 'Back', '5–7')).toBeChecked();
  await expectNoScreenProblems(page, 'choosing when somebody comes', WIDTHS);
  await resizeWindow(page, SMALL_PHONE.viewport);
  await goToCheckout(page, scrub.fullname);
  await page.getByText('Order Summary').click();
  await expect(page.getByText(`${textOf(2)}, back ${textOf(4)}`)).toBeVisible();
  await expectNoScreenProblems(page, 'paying for an order with times', WIDTHS);
  await resizeWindow(page, SMALL_PHONE.viewport);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page
    .getByRole('dialog', { name: 'Thanks for your order!' })
    .getByRole('button', { name: 'Track order' })
    .click();
  await expect(page.getByText(agreed)).toBeVisible();
  await expectNoScreenProblems(page, 'an order with times', WIDTHS);
  await resizeWindow(page, SMALL_PHONE.viewport);
  await page.goto('/#/bud/dashboard');
  await expect(liveOrderCard(page).getByText(agreed)).toBeVisible();

  await openDashboard(scrubsPhone, server, scrub);
  await expect(job.getByText(agreed)).toBeVisible();
  await expectNoScreenProblems(job, 'a board with times', WIDTHS);
  await resizeWindow(job, SMALL_PHONE.viewport);
  await job.getByRole('link', { name: 'View Details' }).first().click();
  await expect(job.getByText(agreed)).toBeVisible();
  await expectNoScreenProblems(job, 'a job with times', WIDTHS);
});

test('as soon as possible takes no more presses than in a town without windows', async ({ server, openVisitor }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Sven Soon', at: at(30) }),
    createTestUser(server, { role: 'Scrub', fullname: 'Sina Soon', at: at(30.002) }),
  ]);
  const visitor = await openVisitor(SMALL_PHONE);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await page.goto('/#/bud/place-order');
  await expect(when(page).getByRole('radio', { name: 'As soon as possible' })).toBeChecked();
  await fillOrder(page, { address: 'Default', scrub: scrub.fullname, load: 'Medium (3-5 lbs)' });
  await fillCard(page);
  await pay(page, '$26.83');
  const { items } = (await bud.api.listOrders({ query: { fields: ['times'] } })).data;
  expect(items.map(({ times }) => times)).toEqual([undefined]);
});

/** Counts how often a finger goes down on this page. Returns the presses since the last question. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.evaluate("globalThis.presses = 0; addEventListener('pointerdown', () => { presses += 1 }, true)");
  return () => page.evaluate<number>('[presses, presses = 0][0]');
}

test('a time takes one press more than as soon as possible, and another day one more', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Tessa Taps', at: at(50) }),
    createTestUser(server, { role: 'Scrub', fullname: 'Timo Taps', at: at(50.002) }),
  ]);
  const visitor = await openVisitor(SMALL_PHONE);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await page.goto('/#/bud/place-order');
  const pressed = await countPresses(page);
  const order = async (choose: () => Promise<void>) => {
    await page.goto('/#/bud/place-order');
    await expect(when(page)).toBeVisible();
    await pressed();
    await choose();
    await goToCheckout(page, scrub.fullname);
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    const thanks = page.getByRole('dialog', { name: 'Thanks for your order!' });
    await expect(thanks).toBeVisible();
    const count = await pressed();
    await thanks.getByRole('button', { name: 'My Orders' }).click();
    await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible();
    return count;
  };
  const choose = () => when(page).getByRole('radio', { name: 'At a time I choose' }).check();
  const soon = await order(async () => undefined);
  const first = await order(choose);
  const another = await order(async () => {
    await choose();
    await dayChip(page, 'Pickup', 13).check();
  });
  expect([first - soon, another - soon]).toEqual([1, 2]);
});

test('a chosen time stays in sight while the times do not load, and its Bud can load them again', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Ulla Unloaded', at: at(60) });
  const visitor = await openVisitor(SMALL_PHONE);
  visitor.allowErrors(503);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  const url = '**/api/windows?*';
  const fail = () => page.route(url, (route) => route.fulfill({ status: 503, json: { message: 'Away' } }));
  await fail();
  await page.goto('/#/bud/place-order');
  await expect(page.getByText('Without them we come as soon as possible.')).toBeVisible();
  await expectNoScreenProblems(page, 'times that do not load', WIDTHS);
  await resizeWindow(page, SMALL_PHONE.viewport);
  await page.unroute(url);
  await page.getByRole('button', { name: 'Load the Times' }).click();
  await chooseEvenings(page, 11, 14);

  await fail();
  await page.reload();
  await expect(when(page).getByRole('radio', { name: 'At a time I choose' })).toBeChecked();
  await expect(page.getByText(`${textOf(11)}, back ${textOf(14)}`).filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Load the Times' })).toBeVisible();
  await expectNoScreenProblems(page, 'a chosen time that cannot be checked', WIDTHS);
  await resizeWindow(page, SMALL_PHONE.viewport);
  await page.unroute(url);
  await page.getByRole('button', { name: 'Load the Times' }).click();
  await expect(timeChip(page, 'Back', '5–7')).toBeChecked();
});

test('a Bud whose two orders wait for an answer can go to them, or order as soon as possible', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Willi Waits', at: at(70) }),
    createTestUser(server, { role: 'Scrub', fullname: 'Wilhelmine Waits', at: at(70.002) }),
  ]);
  const timesOf = (days: number) => ({
    ...{ pickupFrom: evening(days).from.toISOString(), returnFrom: evening(days + 2).from.toISOString() },
  });
  await placeOrder(bud, scrub, timesOf(9));
  await placeOrder(bud, scrub, timesOf(10));
  const visitor = await openVisitor(SMALL_PHONE);
  visitor.allowErrors(409);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await page.goto('/#/bud/place-order');
  await chooseEvenings(page, 7, 9);
  await goToCheckout(page, scrub.fullname);
  const pressPay = () => page.getByRole('button', { name: /^Pay \$/ }).click();
  await acceptDialog(page, /Two of your orders wait for a Scrub/, pressPay);
  const refused = page.getByRole('alert').filter({ hasText: 'Your order was not placed' });
  await expect(refused.getByRole('link', { name: 'Orders That Wait' })).toHaveAttribute('href', /status=Requested/);
  await expectNoScreenProblems(page, 'too many orders that wait', WIDTHS);
  await resizeWindow(page, SMALL_PHONE.viewport);
  await refused.getByRole('button', { name: 'As Soon as Possible' }).click();
  await expect(refused.getByRole('button')).toHaveCount(0);
  await pressPay();
  await expect(page.getByRole('dialog', { name: 'Thanks for your order!' })).toBeVisible();
  const { items } = (await bud.api.listOrders({ query: { fields: ['times'] } })).data;
  expect(items.map(({ times }) => times === undefined)).toEqual([true, false, false]);
});

test('a time that somebody else takes before the payment leads back to step 1, and everything else stays', async ({
  server,
  openVisitor,
}) => {
  const [bud, other, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Lotte Late', at: at(40) }),
    createTestUser(server, { role: 'Bud', fullname: 'Quinn Quick', at: at(40.001) }),
    createTestUser(server, { role: 'Scrub', fullname: 'Lars Late', at: at(40.002) }),
  ]);
  const visitor = await openVisitor(SMALL_PHONE);
  visitor.allowErrors(409);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await page.goto('/#/bud/place-order');
  await chooseEvenings(page, 3, 5);
  await goToCheckout(page, scrub.fullname);
  const times = { pickupFrom: evening(3).from.toISOString(), returnFrom: evening(5).from.toISOString() };
  await placeOrder(other, scrub, times);

  const pressPay = () => page.getByRole('button', { name: /^Pay \$/ }).click();
  await acceptDialog(page, /Somebody else has just taken the last place/, pressPay);
  await expect(page.getByRole('alert').filter({ hasText: 'no longer offered' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  await expectNoScreenProblems(page, 'a time that is lost', WIDTHS);
  await resizeWindow(page, SMALL_PHONE.viewport);

  await chooseEvenings(page, 6, 8);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('radio', { name: scrub.fullname, exact: true })).toBeChecked();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('radio', { name: 'Small (1-2 lbs)', exact: true })).toBeChecked();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await fillCard(page);
  await pressPay();
  await expect(page.getByRole('dialog', { name: 'Thanks for your order!' })).toBeVisible();
});
