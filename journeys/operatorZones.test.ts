import { DAY_MS } from '../domain/durations.ts';
import { setZonePrices } from '../server/payments/prices/prices.ts';
import { createParticipants, firstAddressId, placeOrder } from '../testing/orderSteps.ts';
import { openDashboard, type TestUser } from './accounts.ts';
import { approveWaiting, goToPage, pressWithCode, testWithCity as test } from './console.ts';
import { expect, MAPLESS, PHONE } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { fillCard } from './screens/orders.ts';
import { acceptDialog, expectToast } from './screens/pageElements.ts';

const WIDTHS = [320, 1280];

test('a zone gets a price of its own, and a Bud there pays what they have seen', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
  measure,
}) => {
  // Before the first order, a zone would hold at once.
  await placeOrder(await createParticipants(town.testServer));
  const [ada, grace] = [await addOperator('Ada Zones'), await addOperator('Grace Zones')];
  const [{ page, allowErrors }, second] = [await openConsole(ada, 'today'), await openConsole(grace, 'today', PHONE)];
  // Their codes are old, and a day later their sessions have ended.
  for (const allow of [allowErrors, second.allowErrors]) allow(401, 403);
  await goToPage(page, 'Zones');
  await page.getByRole('link', { name: 'Add Zone' }).click();
  await page.getByLabel('Corners', { exact: true }).fill('24, 67\n24.1, 67.1\n24.1, 67\n24, 67.1');
  await expect(page.getByText('The edge of a zone must not cross or touch itself')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Ask for Approval' })).toBeDisabled();
  await goToPage(page, 'Today');
  const main = page.getByRole('main');
  await measure('set the prices of a zone', async () => {
    await goToPage(page, 'Zones');
    await page.getByRole('link', { name: 'Add Zone' }).click();
    await page.getByLabel('Name').fill('Riverside');
    await page.getByLabel('Circle, radius in km').fill('4');
    await main.getByRole('combobox', { name: 'Search address' }).fill('12 Heron Street');
    await main.getByRole('option').first().click();
    await expect(page.getByText(/^24 corners, \d+\.\d km²$/)).toBeVisible();
    await page.getByLabel('Pickup by a Duber, in dollars').fill('8.99');
    await expect(page.getByRole('row', { name: 'Medium $26.83 $26.83 $29.83' })).toBeVisible();
    await page.getByLabel('Why?').fill('It is beyond the river');
    await expectNoScreenProblems(page, 'adding a zone', WIDTHS);
    await pressWithCode(main, 'Ask for Approval', ada);
    await expectToast(page, 'This waits for another operator');
    await expect(page.getByText('No zones yet.')).toBeVisible();
    await approveWaiting(second.page, 'I agree', grace);
  });
  await page.reload();
  const zone = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Riverside' }) });
  await expect(zone).toContainText(/24 corners, \d+\.\d km² from/);
  await expect(zone).toContainText('Pickup by a Duber: $8.99 from');
  await zone.getByRole('link').click();
  const prices = page.getByRole('region', { name: 'Prices' });
  await prices.getByLabel('Pickup by a Duber, in dollars').fill('9.99');
  await expect(prices.getByRole('row', { name: 'Medium $26.83 $29.83 $30.83' })).toBeVisible();
  await prices.getByLabel('Why?').fill('The bridge costs toll');
  await expectNoScreenProblems(page, 'the page of a zone', WIDTHS);
  await prices.getByRole('button', { name: 'Ask for Approval' }).click();
  await expectToast(page, 'This waits for another operator');
  await approveWaiting(second.page, 'I agree');
  const acts = (await ada.api.listAudit({ query: { operatorId: ada.session.operator.id } })).items;
  expect(acts.map(({ action, approvedBy }) => [action, approvedBy?.name])).toEqual([
    ...[
      ['setZonePrices', 'Grace Zones'],
      ['ask', undefined],
    ],
    ...[
      ['addZone', 'Grace Zones'],
      ['ask', undefined],
      ['join', undefined],
    ],
  ]);

  town.advanceClock(DAY_MS);
  const { createUser, server } = town.testServer;
  const [bud, scrub] = await Promise.all([createUser('Bud', { north: 100 }), createUser('Scrub', { north: 1500 })]);
  const visitor = await openVisitor(MAPLESS);
  visitor.allowErrors(409);
  const draft = {
    ...{ addressId: firstAddressId(bud), loadSize: 'Medium', selfDelivery: false, selfPickup: false, instructions: '' },
    scrub: { id: scrub.user.id, fullname: scrub.user.fullname, distanceMeters: 1400 },
  };
  await visitor.context.addInitScript(([key, value]) => sessionStorage.setItem(key, value), [
    `rubadub-draft-${bud.user.id}`,
    JSON.stringify(draft),
  ] as const);
  await openDashboard(visitor, town, { token: bud.token, role: 'Bud' } as TestUser);
  await visitor.page.goto('/#/bud/place-order?step=4');
  await fillCard(visitor.page);
  const pay = visitor.page.getByRole('button', { name: /^Pay/ });
  await expect(pay).toHaveText('Pay $30.83');
  // It changes while the Bud looks.
  const { id } = await server.db.selectFrom('zones').select('id').executeTakeFirstOrThrow();
  await setZonePrices(server.db, id, town.testServer.now(), [{ item: 'pickup', value: 1099 }]);
  await acceptDialog(visitor.page, /The price has changed/, () => pay.click());
  await expect(pay).toHaveText('Pay $31.83');
  await expect(visitor.page.getByText('Your order was not placed. Your card was not charged.')).toBeVisible();
  await pay.click();
  await expect(visitor.page.getByRole('dialog', { name: 'Thanks for your order!' })).toBeVisible();
  const [order] = (await bud.api.listOrders({ query: {} })).data.items;
  expect(order?.price.totalPrice).toBe(31.83);
});
