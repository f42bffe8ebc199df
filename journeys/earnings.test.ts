import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { expectFigures } from './screens/pageElements.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.8, longitude: 67.8 };

test('a Scrub and a Duber see their earnings to the cent, line by line', async ({ server, openVisitor }) => {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Penny Payer', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Ernest Earner', at: LOCATION }),
    createTestUser(server, { role: 'Duber', fullname: 'Wanda Wheels', at: LOCATION }),
  ]);
  const scrubVisitor = await openVisitor(MAPLESS);
  await openDashboard(scrubVisitor, server, scrub);
  await scrubVisitor.page.getByRole('link', { name: /^Today's Earnings/ }).click();
  await expectFigures(scrubVisitor.page, { 'Owed To You': '$0.00', 'Total Earned': '$0.00', 'Paid Out': '$0.00' });
  await expect(scrubVisitor.page.getByText('No payouts yet.')).toBeVisible();

  const { id } = await placeOrder(bud, scrub);
  for (const step of ['accept-order', 'start-order', 'complete-order'] as const)
    await scrub.api[step]({ params: { id } });
  // The page changes by itself.
  await expectFigures(scrubVisitor.page, { 'Owed To You': '$5.00', 'Total Earned': '$5.00', 'Paid Out': '$0.00' });
  const line = scrubVisitor.page.getByRole('table', { name: 'Waiting For The Next Payout' }).getByRole('row').last();
  await expect(line).toContainText('$5.00');
  await expectAccessible(scrubVisitor.page, 'Earnings');

  const duberVisitor = await openVisitor(MAPLESS);
  await openDashboard(duberVisitor, server, duber);
  await duberVisitor.page
    .getByRole('main')
    .getByRole('link', { name: /^Earnings/ })
    .click();
  await expectFigures(duberVisitor.page, { 'Owed To You': '$0.00', 'Total Earned': '$0.00', 'Paid Out': '$0.00' });
  const deliveryId = (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '';
  for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
    await duber.api[step]({ params: { id: deliveryId } });
  }
  await expectFigures(duberVisitor.page, { 'Owed To You': '$5.99', 'Total Earned': '$5.99', 'Paid Out': '$0.00' });
  const [download] = await Promise.all([
    duberVisitor.page.waitForEvent('download'),
    duberVisitor.page.getByRole('button', { name: /CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('earnings-waiting.csv');
});
