import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { DESKTOP, expect, test } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectOrderStatus } from './screens/orders.ts';
import { card, expectToast, openFold } from './screens/pageElements.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 23.9, longitude: 66.2 };

test('a map and a dialog whose files do not load say so, and the rest of the page works until it is reloaded', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Pia Part', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Sol Whole', at: LOCATION }),
  ]);
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const visitor = await openVisitor(DESKTOP);
  const { page } = visitor;
  visitor.allowErrors(404, 'did not load');
  const MISSING = /\/assets\/(RouteMap|CancelDialog)-[^/]*\.js$/;
  await page.route(MISSING, (route) => route.fulfill({ status: 404 }));
  await openDashboard(visitor, server, bud);
  await page.goto(`/#/bud/orders/${id}`);
  await expectOrderStatus(page, 'Accepted');

  const mapCard = card(page, 'Order Status');
  await expect(mapCard.getByRole('alert')).toHaveText(/^The map did not load\./);
  await expect(mapCard.getByRole('heading')).toBeVisible();
  await expectNoScreenProblems(page, 'an order without its map', [320, 1280]);
  const cancel = page.getByRole('button', { name: 'Cancel this order' });
  await openFold(page, 'Help');
  await cancel.click();
  await expectToast(page, 'The form did not load');
  await cancel.click();
  await expectToast(page, 'The form did not load', 'Reload the Page');

  await page.unroute(MISSING);
  await mapCard.getByRole('button', { name: 'Reload the Page' }).click();
  await expect(mapCard.locator('[aria-busy="false"] canvas')).toBeVisible();
  await openFold(page, 'Help');
  await cancel.click();
  await expect(page.getByRole('dialog')).toContainText('Cancel');
});
