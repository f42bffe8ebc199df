import type { Locator } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, PHONE, test } from './journey.ts';
import { acceptDialog, card, expectToast } from './screens/pageElements.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 23.52, longitude: 66.17 };
const SMALL_PHONE = { ...PHONE, viewport: { width: 320, height: 568 } };

const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN;
const bottomOf = async (element: Locator) => {
  const { y = Number.NaN, height = Number.NaN } = (await element.boundingBox()) ?? {};
  return y + height;
};

test('a Scrub answers, starts and completes a job from the dashboard, with the confirm of the page', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Bruna Board', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Stig Board', at: LOCATION }),
  ]);
  const { id } = await placeOrder(bud, scrub, { selfDelivery: true, orderInstructions: 'Hypoallergenic soap' });
  const visitor = await openVisitor({ ...PHONE, isMapless: true });
  const { page } = visitor;
  await openDashboard(visitor, server, scrub);
  const answer = card(page, 'Answer');
  await expect(answer).toContainText('Hypoallergenic soap');
  await expect(answer).toContainText('Answer by');
  // The work comes before the history.
  expect(await topOf(answer)).toBeLessThan(await topOf(page.getByText('Active Jobs')));
  const question = 'Are you sure you want to perform this action?';
  await acceptDialog(page, question, () => answer.getByRole('button', { name: 'Accept', exact: true }).click());
  await expectToast(page, 'Best Of Luck For The New Order');
  await expect(answer).toHaveCount(0);
  await card(page, 'Arriving').getByRole('button', { name: 'Start Job' }).click();
  await expectToast(page, 'Your Job Starts Now!');
  await expect(card(page, 'Washing')).toContainText('Done by');
  await card(page, 'Washing').getByRole('button', { name: 'Complete Job' }).click();
  await expectToast(page, 'Order Completed!', 'Congratulations for completing the job');
  await expect(card(page, 'Ready')).toContainText('A Duber will');
  await card(page, 'Ready').getByRole('link', { name: 'Bruna Board' }).click();
  await expect(page).toHaveURL(new RegExp(`/#/scrub/jobs/${id}$`));
});

test('a Duber who drives sees the street, the pay, the way there and one button on the first screen of a small phone', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Bela Street', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Sara Street', at: LOCATION }),
    createTestUser(server, { role: 'Duber', fullname: 'Dara Street', at: LOCATION }),
  ]);
  await bud.api.updateProfile({ body: { phone: '+12025550123' } });
  const { id } = await placeOrder(bud, scrub, { orderInstructions: 'Ring twice' });
  await scrub.api['accept-order']({ params: { id } });
  const deliveryId = (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '';
  const visitor = await openVisitor({ ...SMALL_PHONE, isMapless: true });
  const { page } = visitor;
  await openDashboard(visitor, server, duber);
  await page
    .getByRole('list', { name: 'Deliveries – Waiting For You' })
    .getByRole('listitem')
    .filter({ hasText: bud.fullname })
    .getByRole('button', { name: 'Accept 👍' })
    .click();
  await expectToast(page, 'Congratulations!', 'This delivery is assigned to you');

  // The dashboard has the same step as the page.
  await card(page, 'Active Delivery').getByRole('button', { name: 'On The Way to Pickup' }).click();
  await expectToast(page, 'Status updated: On the way to pickup.');
  await expect(card(page, 'Active Delivery').getByRole('button', { name: 'Mark as Collected' })).toBeVisible();

  await page.goto(`/#/duber/deliveries/${deliveryId}`);
  const stop = card(page, 'Next stop');
  await expect(stop).toContainText('Next stop: Bela');
  await expect(stop).toContainText('Ring twice');
  const button = page.getByRole('region', { name: 'Next step' }).getByRole('button', { name: 'Mark as Collected' });
  const bar = await topOf(page.getByRole('region', { name: 'Next step' }));
  for (const seen of [
    stop.getByRole('heading'),
    stop.getByText('$5.99'),
    stop.getByText(/km trip$/),
    stop.getByRole('link', { name: 'Navigate' }),
    stop.getByRole('link', { name: 'Call Bela' }),
  ])
    expect(await bottomOf(seen)).toBeLessThanOrEqual(bar);
  expect(await bottomOf(button)).toBeLessThanOrEqual(568);
  await expect(stop.getByRole('link', { name: 'Call Bela' })).toHaveAttribute('href', 'tel:+12025550123');

  // "Undo" comes after a step and goes with it, and nothing moves.
  const topOfStreet = async () => (await topOf(stop.getByRole('heading'))) - (await topOf(stop));
  const street = await topOfStreet();
  await button.click();
  await expectToast(page, 'Status updated: Package collected.');
  await expect(stop).toContainText('Next stop: Sara');
  expect(await topOfStreet()).toBe(street);
  await stop.getByRole('button', { name: 'Undo' }).click();
  await expect(stop).toContainText('Next stop: Bela');
  await expect(stop.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  expect(await topOfStreet()).toBe(street);
});

test('a Duber sees the ten nearest deliveries, and all of them once they ask', async ({ server, openVisitor }) => {
  const at = { latitude: 23.72, longitude: 66.17 };
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Nia Near', at }),
    createTestUser(server, { role: 'Scrub', fullname: 'Nils Near', at }),
    createTestUser(server, { role: 'Duber', fullname: 'Nora Near', at }),
  ]);
  for (let count = 0; count < 11; count += 1) {
    const { id } = await placeOrder(bud, scrub);
    await scrub.api['accept-order']({ params: { id } });
  }
  const visitor = await openVisitor({ ...PHONE, isMapless: true });
  const { page } = visitor;
  await openDashboard(visitor, server, duber);
  const offers = page.getByRole('list', { name: 'Deliveries – Waiting For You' }).getByRole('listitem');
  await expect(offers).toHaveCount(10);
  const showAll = page.getByRole('button', { name: 'Show All Deliveries' });
  await showAll.click();
  await expect(offers).toHaveCount(11);
  await expect(showAll).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
  // They stay when the screen reads them again.
  const [answer] = await Promise.all([
    // An event may have begun to read it as well: that read ends without an answer, because this one replaces it.
    page.waitForResponse(
      async (response) => /\/api\/dashboards\/duber\?/.test(response.url()) && (await response.finished()) === null,
    ),
    page.getByRole('button', { name: 'Refresh' }).first().click(),
  ]);
  expect(((await answer.json()) as { pendingDeliveries: unknown[] }).pendingDeliveries).toHaveLength(11);
  await expect(offers).toHaveCount(11);
});
