import { readFileSync } from 'node:fs';
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

  // They take their record along, and whoever they show it to checks it.
  const { page } = duberVisitor;
  const [record] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(record.suggestedFilename()).toBe('work-record.jwt');
  const signed = readFileSync(await record.path(), 'utf8');
  const stranger = await openVisitor(MAPLESS);
  await stranger.page.goto('/#/verify');
  const chooser = stranger.page.waitForEvent('filechooser');
  await stranger.page.getByRole('button', { name: 'Choose the File' }).click();
  await (await chooser).setFiles(await record.path());
  const result = stranger.page.getByRole('status', { name: 'Result' });
  await expect(result.getByRole('heading', { name: 'Genuine' })).toBeVisible();
  await expect(result).toContainText('Wanda Wheels');
  await expect(result).toContainText('$5.99');
  await expectAccessible(stranger.page, 'A checked record');
  await stranger.page.getByLabel('Or Paste Its Text').fill(signed.replace(/.{4}$/, 'AAAA'));
  await expect(result.getByRole('heading', { name: 'Not Genuine' })).toBeVisible();
});
