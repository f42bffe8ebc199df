import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { expectFigures } from './screens/pageElements.ts';

// A quarter of its own.
const LOCATION = { latitude: 24.8, longitude: 67.8 };

test('a scrub and a duber see what they earned, to the cent, line by line', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(house, { role: 'Bud', fullname: 'Penny Payer', at: LOCATION }),
    createTestUser(house, { role: 'Scrub', fullname: 'Ernest Earner', at: LOCATION }),
    createTestUser(house, { role: 'Duber', fullname: 'Wanda Wheels', at: LOCATION }),
  ]);
  const theirs = await arrive(MAPLESS);
  await openDashboard(theirs, house, scrub);
  await theirs.page.getByRole('link', { name: /^Today's Earnings/ }).click();
  await expectFigures(theirs.page, { 'Owed To You': '$0.00', 'Total Earned': '$0.00', 'Paid Out': '$0.00' });
  await expect(theirs.page.getByText('No payouts yet.')).toBeVisible();

  const { id } = await placeOrder(bud, scrub);
  for (const step of ['accept-order', 'start-order', 'complete-order'] as const)
    await scrub.api[step]({ params: { id } });
  await theirs.page.getByRole('button', { name: 'Refresh' }).click();
  await expectFigures(theirs.page, { 'Owed To You': '$5.00', 'Total Earned': '$5.00', 'Paid Out': '$0.00' });
  const line = theirs.page.getByRole('table', { name: 'Waiting For The Next Payout' }).getByRole('row').last();
  await expect(line).toContainText('$5.00');
  await expectAccessible(theirs.page, 'Earnings');

  const leg = (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '';
  for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop', 'delivered'] as const) {
    await duber.api[step]({ params: { id: leg } });
  }
  const road = await arrive(MAPLESS);
  await openDashboard(road, house, duber);
  await road.page.getByRole('link', { name: /^Earnings/ }).click();
  await expectFigures(road.page, { 'Owed To You': '$5.99', 'Total Earned': '$5.99', 'Paid Out': '$0.00' });
  const [download] = await Promise.all([
    road.page.waitForEvent('download'),
    road.page.getByRole('button', { name: /CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('earnings-waiting.csv');
});
