import type { Page } from '@playwright/test';
import { FAILURES } from '../contract/failures.ts';
import { blockEventStream, createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { expect, MAPLESS, PHONE, test } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { expectOrderStatus, fillCard, fillOrder, pay, readReceipt } from './screens/orders.ts';
import { acceptDialog, card, expectFigures, expectToast, goTo, openFold } from './screens/pageElements.ts';

const CONFIRMATION = 'Are you sure you want to perform this action?';

/** A Bud and a Scrub who live close to each other. */
async function createBudAndScrub(server: ProductServer, names: { bud: string; scrub: string }) {
  const at = { latitude: 24.004, longitude: 66.995 };
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: names.bud, at }),
    createTestUser(server, { role: 'Scrub', fullname: names.scrub, at: { ...at, latitude: 24.01 } }),
  ]);
  return { bud, scrub };
}

test('a declined card places no order, and another card does', async ({ server, openVisitor }) => {
  const { bud, scrub } = await createBudAndScrub(server, { bud: 'Ben Ode', scrub: 'Sia Moreau' });
  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, server, bud);
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

test('a Bud cancels an order before it is accepted and is not charged, and a stale page cannot accept it', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub } = await createBudAndScrub(server, { bud: 'Bibi Nakata', scrub: 'Sven Holm' });
  const order = await placeOrder(bud, scrub);
  const [budVisitor, scrubVisitor] = [await openVisitor(MAPLESS), await openVisitor(MAPLESS)];
  await blockEventStream(scrubVisitor);
  await openDashboard(budVisitor, server, bud);
  await openDashboard(scrubVisitor, server, scrub);
  await budVisitor.page.getByRole('link', { name: 'View Details' }).click();
  await scrubVisitor.page.getByRole('link', { name: 'View Details' }).click();
  await expectOrderStatus(scrubVisitor.page, 'Requested');
  await acceptDialog(budVisitor.page, CONFIRMATION, () =>
    budVisitor.page.getByRole('button', { name: 'Cancel Order' }).click(),
  );
  await expectOrderStatus(budVisitor.page, 'Cancelled');
  await openFold(budVisitor.page, 'Details');
  await expect(card(budVisitor.page, 'Deliveries')).toContainText('This order has no deliveries.');
  await openFold(budVisitor.page, 'Money');
  await expect(card(budVisitor.page, 'Price Breakdown')).toContainText('Released, not charged');
  // The Scrub's page is stale: accepting is refused, and the page shows the new status.
  scrubVisitor.allowErrors(409);
  await acceptDialog(scrubVisitor.page, CONFIRMATION, () =>
    scrubVisitor.page.getByRole('button', { name: 'Accept', exact: true }).click(),
  );
  await expectToast(scrubVisitor.page, 'Unable To Accept', 'Cancelled');
  await expectOrderStatus(scrubVisitor.page, 'Cancelled');
  await expect(scrubVisitor.page.getByRole('region', { name: 'Next step' })).toHaveCount(0);
  await goTo(budVisitor.page, 'Dashboard');
  await expectFigures(budVisitor.page, { 'Total Orders': '1', 'Total Spent': '$0.00', 'Active Orders': '0' });
  expect((await bud.api.readOrder({ params: { id: order.id } })).deliveries).toEqual([]);
});

test('a Scrub rejects a job, and the Bud sees that nothing was charged', async ({ server, openVisitor }) => {
  const { bud, scrub } = await createBudAndScrub(server, { bud: 'Bo Farrell', scrub: 'Suki Adeyemi' });
  await placeOrder(bud, scrub);
  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, server, scrub);
  const { page } = visitor;
  await page.getByRole('link', { name: 'View Details' }).click();
  await acceptDialog(page, CONFIRMATION, () => page.getByRole('button', { name: 'Reject', exact: true }).click());
  await expectOrderStatus(page, 'Rejected');
  await expect(page.getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0);
  expect(await bud.api.totalSpending()).toEqual({ totalSpending: 0 });
  const scrubVisitor = await openVisitor(MAPLESS);
  await openDashboard(scrubVisitor, server, bud);
  await scrubVisitor.page.getByRole('link', { name: 'View Details' }).click();
  await expectOrderStatus(scrubVisitor.page, 'Rejected');
  await expect(scrubVisitor.page.getByText('You were not charged')).toBeVisible();
  await readReceiptAndOrderAgain(scrubVisitor.page, scrub);
});

/** From a rejected order: its receipt, and the same order again with a Scrub who takes no orders any more. */
async function readReceiptAndOrderAgain(page: Page, scrub: TestUser): Promise<void> {
  await readReceipt(page, 'You were not charged.', [/^Held on your card/, /^Released/]);
  await scrub.api.changeVisibility({ body: { isActive: false } });
  await page.getByRole('button', { name: 'Order again' }).click();
  await expectToast(page, 'Choose another Scrub', `${scrub.fullname} is not among the Scrubs near this address now.`);
  await expect(page.getByRole('heading', { name: 'Select Scrubber' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
}

test('of two Dubers who accept the same delivery, one gets it and the other sees why not', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub } = await createBudAndScrub(server, { bud: 'Bram Visser', scrub: 'Sana Qureshi' });
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const at = { latitude: 24.006, longitude: 66.997 };
  const [quick, slow, slower] = await Promise.all(
    ['Dev Quick', 'Dot Slow', 'Dan Slower'].map((fullname) => createTestUser(server, { role: 'Duber', fullname, at })),
  );
  if (!quick || !slow || !slower) throw new Error('a Duber is missing');
  const openOffer = async (duber: TestUser) => {
    const visitor = await openVisitor({ ...PHONE, isMapless: true });
    if (duber !== quick) await blockEventStream(visitor);
    await openDashboard(visitor, server, duber);
    const pending = visitor.page.getByRole('list', { name: 'Deliveries – Waiting For You' });
    return { ...visitor, offer: pending.getByRole('listitem').filter({ hasText: `Bud ${bud.fullname}` }) };
  };
  const [first, second, third] = [await openOffer(quick), await openOffer(slow), await openOffer(slower)];
  // Not its link alone, but the whole card leads to the details.
  await second.offer.click({ position: { x: 8, y: 8 } });
  const nextStep = card(second.page, 'Next step');
  await expect(nextStep.getByRole('button', { name: 'Accept 👍' })).toBeVisible();
  await expect(third.offer.getByText(/^\d\.\d\d km away$/)).toBeVisible();

  // A double tap accepts once.
  await first.offer.getByRole('button', { name: 'Accept 👍' }).dblclick();
  await expectToast(first.page, 'Congratulations!', 'This delivery is assigned to you');
  await card(first.page, 'Active Delivery').getByRole('link', { name: 'View Details' }).click();
  third.allowErrors(409);
  await third.offer.getByRole('button', { name: 'Accept 👍' }).click();
  await expectToast(third.page, 'Unable To Accept', FAILURES.alreadyAccepted[1]);
  await expect(third.page.getByText('No new deliveries available at the moment')).toBeVisible();
  second.allowErrors(404, 409);
  await nextStep.getByRole('button', { name: 'Accept 👍' }).click();
  await expectToast(second.page, 'Unable To Accept', FAILURES.alreadyAccepted[1]);
  await expect(second.page.getByRole('heading', { name: 'Delivery Not Found' })).toBeVisible();
  await second.page.getByRole('link', { name: 'Back to Deliveries' }).click();
  await expect(second.page.getByText('No recent deliveries available right now')).toBeVisible();
  await goTo(second.page, 'Dashboard');
  await expect(second.page.getByText('No new deliveries available at the moment')).toBeVisible();

  // A double tap takes one step, not two.
  await first.page.getByRole('button', { name: 'On The Way to Pickup' }).dblclick();
  await expectToast(first.page, 'Status updated: On the way to pickup.');
  await expect(card(first.page, 'Delivery Status').locator('[data-status]')).toHaveText('Way To Pick');
});
