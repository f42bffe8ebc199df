import { circleAround } from '../domain/zones.ts';
import { setZonePrices } from '../server/payments/prices.ts';
import type { TestOperator } from '../testing/operators.ts';
import { firstAddressId } from '../testing/orderSteps.ts';
import { pointAt } from '../testing/testServer.ts';
import { openDashboard, type TestUser } from './accounts.ts';
import { test } from './console.ts';
import { expect, MAPLESS } from './journey.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { fillCard } from './screens/orders.ts';
import { acceptDialog, expectToast } from './screens/pageElements.ts';

const WIDTHS = [320, 1280];
const DAY_MS = 24 * 60 * 60_000;

async function sayYes({ api }: TestOperator): Promise<void> {
  const waiting = (await api.listApprovals({ query: {} })).items.filter(({ state }) => state === 'waiting');
  expect(waiting).toHaveLength(1);
  await api.approve({ params: { id: waiting[0]?.id ?? '' }, body: { reason: 'I agree' } });
}

test('a zone gets a price of its own, and a Bud there pays what they have seen', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
}) => {
  const [ada, grace] = [await addOperator('Ada Zones'), await addOperator('Grace Zones')];
  const { page } = await openConsole(ada, 'prices');
  await page.getByRole('button', { name: 'Add…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Riverside');
  const corners = dialog.getByLabel('Corners', { exact: true });
  await corners.fill('24, 67\n24.1, 67.1\n24.1, 67\n24, 67.1');
  await expect(dialog.getByText('The edge of a zone must not cross or touch itself')).toBeVisible();
  await corners.fill(
    circleAround(pointAt(0, 0), 1)
      .map(({ latitude, longitude }) => `${latitude}, ${longitude}`)
      .join('\n'),
  );
  await expect(dialog.getByText('24 corners, 3.1 km²')).toBeVisible();
  await dialog.getByLabel('Why?').fill('It is beyond the river');
  await expectNoScreenProblems(page, 'adding a zone', WIDTHS);
  await dialog.getByRole('button', { name: 'Ask for a Second Yes' }).click();
  await expectToast(page, 'This waits for another operator');
  await sayYes(grace);
  await page.reload();
  const zone = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Riverside' }) });
  await expect(zone).toContainText('24 corners, 3.1 km² from');

  await zone.getByRole('button', { name: 'Prices…' }).click();
  await dialog.getByLabel('Pickup by a Duber, in dollars').fill('9.99');
  await expect(dialog.getByRole('row', { name: 'Medium $26.83 $26.83 $30.83' })).toBeVisible();
  await dialog.getByLabel('Why?').fill('The bridge costs toll');
  await expectNoScreenProblems(page, 'the prices of a zone', WIDTHS);
  await dialog.getByRole('button', { name: 'Ask for a Second Yes' }).click();
  await expectToast(page, 'This waits for another operator');
  await sayYes(grace);
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
