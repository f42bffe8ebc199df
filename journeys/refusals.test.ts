import { FAILURES } from '../contract/failures.ts';
import { blockEventStream, createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, MAPLESS, PHONE, test } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { expectOrderStatus, fillCard, fillOrder, pay } from './screens/orders.ts';
import { acceptDialog, card, expectFigures, expectToast, goTo } from './screens/pageElements.ts';

const CONFIRMATION = 'Are you sure you want to perform this action?';

/** A Bud and a Scrub who live around the corner from each other. */
async function createBudAndScrub(house: ProductServer, names: { bud: string; scrub: string }) {
  const at = { latitude: 24.004, longitude: 66.995 };
  const [bud, scrub] = await Promise.all([
    createTestUser(house, { role: 'Bud', fullname: names.bud, at }),
    createTestUser(house, { role: 'Scrub', fullname: names.scrub, at: { ...at, latitude: 24.01 } }),
  ]);
  return { bud, scrub };
}

test('a declined card places nothing, and another card does', async ({ server: house, openVisitor: arrive }) => {
  const { bud, scrub } = await createBudAndScrub(house, { bud: 'Ben Ode', scrub: 'Sia Moreau' });
  const visitor = await arrive(MAPLESS);
  await openDashboard(visitor, house, bud);
  visitor.allowErrors(402);
  const { page } = visitor;
  await goTo(page, 'Place Order');
  await fillOrder(page, { address: 'Default', scrub: scrub.fullname, load: 'Small (1-2 lbs)' });
  await fillCard(page, { number: '4000000000000002' });
  const payButton = page.getByRole('button', { name: 'Pay $17.92', exact: true });
  await acceptDialog(page, /^The card was declined/, () => payButton.click());
  await expect(page.getByText('Your order was not placed. Your card was not charged.')).toBeVisible();
  expect((await bud.api.listOrders({ query: {} })).data.totalCount).toBe(0);
  await fillCard(page);
  await pay(page, '$17.92');
  await expect(page.getByRole('main').getByRole('link', { name: 'View Details' })).toHaveCount(1);
});

test('a bud cancels an order that nobody has answered, and is charged nothing', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub } = await createBudAndScrub(house, { bud: 'Bibi Nakata', scrub: 'Sven Holm' });
  const placed = await placeOrder(bud, scrub);
  const [mine, theirs] = [await arrive(MAPLESS), await arrive(MAPLESS)];
  await blockEventStream(theirs);
  // A page that hears nothing of what the other does: its stream never begins.
  await theirs.page.route('**/api/events', () => undefined);
  await openDashboard(mine, house, bud);
  await openDashboard(theirs, house, scrub);
  await mine.page.getByRole('link', { name: 'View Details' }).click();
  await theirs.page.getByRole('link', { name: 'View Details' }).click();
  await expectOrderStatus(theirs.page, 'Requested');
  await acceptDialog(mine.page, CONFIRMATION, () => mine.page.getByRole('button', { name: 'Cancel Order' }).click());
  await expectOrderStatus(mine.page, 'Cancelled');
  await expect(card(mine.page, 'Deliveries')).toContainText('No deliveries yet.');
  // The scrub's page is older than the cancelling: accepting is refused and undone.
  theirs.allowErrors(409);
  await acceptDialog(theirs.page, CONFIRMATION, () =>
    theirs.page.getByRole('button', { name: 'Accept', exact: true }).click(),
  );
  await expectToast(theirs.page, 'Unable To Accept', 'Cancelled');
  await expectOrderStatus(theirs.page, 'Cancelled');
  await expect(theirs.page.getByRole('region', { name: 'Next step' })).toHaveCount(0);
  await goTo(mine.page, 'Dashboard');
  await expectFigures(mine.page, { 'Total Orders': '1', 'Total Spent': '$0.00', 'Active Orders': '0' });
  expect((await bud.api.readOrder({ params: { id: placed.id } })).deliveries).toEqual([]);
});

test('a scrub rejects a job, and the bud reads that nothing was charged', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub } = await createBudAndScrub(house, { bud: 'Bo Farrell', scrub: 'Suki Adeyemi' });
  await placeOrder(bud, scrub);
  const visitor = await arrive(MAPLESS);
  await openDashboard(visitor, house, scrub);
  const { page } = visitor;
  await page.getByRole('link', { name: 'View Details' }).click();
  await acceptDialog(page, CONFIRMATION, () => page.getByRole('button', { name: 'Reject', exact: true }).click());
  await expectOrderStatus(page, 'Rejected');
  await expect(page.getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0);
  expect(await bud.api.totalSpending()).toEqual({ totalSpending: 0 });
  const theirs = await arrive(MAPLESS);
  await openDashboard(theirs, house, bud);
  await theirs.page.getByRole('link', { name: 'View Details' }).click();
  await expectOrderStatus(theirs.page, 'Rejected');
  await expect(theirs.page.getByText('nothing was charged')).toBeVisible();
});

test('of two dubers who want one delivery, one gets it and the other is told', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub } = await createBudAndScrub(house, { bud: 'Bram Visser', scrub: 'Sana Qureshi' });
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const at = { latitude: 24.006, longitude: 66.997 };
  const [quick, slow] = await Promise.all([
    createTestUser(house, { role: 'Duber', fullname: 'Dev Quick', at }),
    createTestUser(house, { role: 'Duber', fullname: 'Dot Slow', at }),
  ]);
  const [first, second] = [await arrive({ ...PHONE, isMapless: true }), await arrive({ ...PHONE, isMapless: true })];
  await blockEventStream(second);
  for (const [visitor, duber] of [
    [first, quick],
    [second, slow],
  ] as const) {
    await openDashboard(visitor, house, duber);
    const waiting = visitor.page.getByRole('list', { name: 'Deliveries – Waiting For You' });
    await waiting.getByRole('listitem').filter({ hasText: bud.fullname }).getByRole('link').first().click();
    await expect(visitor.page.getByRole('button', { name: 'Accept 👍' })).toBeVisible();
  }
  await first.page.getByRole('button', { name: 'Accept 👍' }).click();
  await expectToast(first.page, 'Congratulations!', 'This delivery is assigned to you');
  second.allowErrors(404, 409);
  await second.page.getByRole('button', { name: 'Accept 👍' }).click();
  await expectToast(second.page, 'Unable To Accept', FAILURES.alreadyAccepted[1]);
  await expect(second.page.getByRole('heading', { name: 'Delivery Not Found' })).toBeVisible();
  await second.page.getByRole('link', { name: 'Back to Deliveries' }).click();
  await expect(second.page.getByText('No recent deliveries available right now')).toBeVisible();
  await goTo(second.page, 'Dashboard');
  await expect(second.page.getByText('No new deliveries available at the moment')).toBeVisible();

  // An impatient thumb takes one step, not two.
  await first.page.getByRole('button', { name: 'On The Way to Pickup' }).dblclick();
  await expectToast(first.page, 'Status updated: On the way to pickup.');
  await expect(card(first.page, 'Delivery Status').locator('[data-status]')).toHaveText('Way To Pick');
});
