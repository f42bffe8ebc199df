import { circleAround } from '../domain/zones.ts';
import { insertZone, setZoneArea } from '../server/payments/prices/prices.ts';
import { planWindows, windowAt } from '../testing/orderTimes.ts';
import { pointAt } from '../testing/testServer.ts';
import { formatWindow } from '../texts/windows.ts';
import { openDashboard, type TestUser } from './accounts.ts';
import { consoleIn, goToPage } from './console.ts';
import { expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast, openFold } from './screens/pageElements.ts';
import { type Town, testUnderPreset } from './situations/town.ts';

const WIDTHS = [320, 390, 768, 1024, 1280];
const RIVERSIDE = '0192f0c1-7a3b-7c4d-8e5f-00000000a001';

/** A town of its own, because its windows and its zone are for everybody. */
const test = consoleIn(testUnderPreset('open'));

const startOf = ({ testServer }: Town, days: number) => windowAt(testServer.now(), days, 17).from.toISOString();
const dayAt = (town: Town, days: number) => startOf(town, days).slice(0, 10);

/** Windows, and a zone around the places to the north. */
async function planZone({ testServer }: Town): Promise<void> {
  const { db } = testServer.server;
  const at = testServer.now();
  await planWindows(db, at);
  if (await db.selectFrom('zones').select('id').executeTakeFirst()) return;
  await insertZone(db, { id: RIVERSIDE, name: 'Riverside' }, at);
  const corners = circleAround(pointAt(20_000, 0), 0.5);
  await setZoneArea(db, { zoneId: RIVERSIDE, validFrom: at, corners, setBy: 'the journeys' });
}

async function book(town: Town, bud: TestUser, scrub: TestUser, [pickup, back]: readonly [number, number]) {
  const body = {
    ...{ budAddressId: bud.addressId, scrubId: scrub.id, paymentSourceId: 'cnon:card-nonce-ok' },
    loadSize: 'Small' as const,
  };
  const order = await bud.api.placeOrder({
    body: { ...body, pickupFrom: startOf(town, pickup), returnFrom: startOf(town, back) },
  });
  await scrub.api['accept-order']({ params: { id: order.id } });
  return order;
}

test('a zone is closed on a phone: its orders are listed with what cancelling costs, and offered another time', async ({
  town,
  openConsole,
  addOperator,
}) => {
  await planZone(town);
  const [bud, other] = [
    await town.signUp('Bud', 'Rita River', { north: 20_000 }),
    await town.signUp('Bud', 'Otto Outside', { north: 18_500 }),
  ];
  const scrub = await town.signUp('Scrub', 'Sina Shore', { north: 19_300 });
  const [there, elsewhere] = [await book(town, bud, scrub, [3, 4]), await book(town, other, scrub, [3, 4])];
  const ada = await addOperator('Ada Zones');
  const { page } = await openConsole(ada, 'today', PHONE);
  const dialog = page.getByRole('dialog');
  await goToPage(page, 'Hours');
  await page.getByRole('button', { name: 'Close…' }).click();
  await dialog.getByLabel('From (now, if it is empty)').fill(`${dayAt(town, 3)}T00:00`);
  await dialog.getByLabel('Until').fill(`${dayAt(town, 4)}T00:00`);
  await dialog.getByLabel('What people read').fill('The bridge is closed.');
  const orders = dialog.getByRole('region', { name: 'Orders with a window then' });
  await expect(orders.getByRole('listitem')).toHaveCount(2);
  await dialog.getByLabel('Where').selectOption('Riverside');
  await expect(orders.getByRole('listitem')).toHaveText([new RegExp(`${there.number}.*Rita River`)]);
  await expect(orders).toContainText('Cancelling ends 1 of them');
  await dialog.getByLabel('Why?').fill('The river is high');
  await dialog.getByLabel('What becomes of the orders').selectOption('Offer the next window that is open');
  await expectNoScreenProblems(page, 'closing a zone', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await dialog.getByRole('button', { name: 'Add the Closure' }).click();
  await expectToast(page, 'The closure is added');
  await expect(page.getByRole('list', { name: 'Closures' })).toContainText('Riverside');
  await expectNoScreenProblems(page, 'the closure of a zone', WIDTHS);
  expect((await bud.api.readOrder({ params: { id: there.id } })).proposal).toBeDefined();
  expect((await other.api.readOrder({ params: { id: elsewhere.id } })).proposal).toBeUndefined();
});

test('Today says on a phone what is taken and promised in each zone, leads to those orders, and pauses a zone for tonight', async ({
  town,
  openConsole,
  addOperator,
}) => {
  await planZone(town);
  const bud = await town.signUp('Bud', 'Tina Today', { north: 20_100 });
  const scrub = await town.signUp('Scrub', 'Tom Tonight', { north: 19_400 });
  const order = await book(town, bud, scrub, [1, 2]);
  const ada = await addOperator('Ada Today');
  const { page } = await openConsole(ada, 'today', PHONE);
  const dialog = page.getByRole('dialog');
  const windows = page.getByRole('region', { name: 'Windows' });
  await expect(windows.getByRole('heading', { name: 'Riverside' })).toBeVisible();
  const pickups = windows.getByRole('link', { name: /^1 of \d+$/ });
  await expectNoScreenProblems(page, 'Today with windows', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await pickups.click();
  await expect(page.getByText(/^Pickups by Dubers, .*, in Riverside\./)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Orders' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Orders' })).toContainText(order.number);
  await expectNoScreenProblems(page, 'the orders of a window', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await page.getByRole('link', { name: 'All Orders' }).click();
  await expect(page.getByText(/^Pickups by Dubers/)).toHaveCount(0);

  await goToPage(page, 'Today');
  await windows.getByRole('button', { name: 'Pause Tonight… Riverside' }).click();
  await expect(dialog.getByRole('heading', { name: 'Pause Riverside?' })).toBeVisible();
  await dialog.getByLabel('What people read').fill('The river is high. We come again tomorrow.');
  await dialog.getByLabel('Until').fill(`${dayAt(town, 2)}T00:00`);
  await expect(dialog.getByRole('region', { name: 'Orders with a window then' })).toContainText(order.number);
  await dialog.getByLabel('What becomes of the orders').selectOption('Offer the next window that is open');
  await dialog.getByLabel('Why?').fill('The river is high');
  await expectNoScreenProblems(page, 'pausing a zone', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await dialog.getByRole('button', { name: 'Take No New Orders' }).click();
  await expectToast(page, 'Riverside takes no new orders');
  await expect(windows.getByText(/^Closed until/)).toBeVisible();
  await expectNoScreenProblems(page, 'a zone that is paused', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await windows.getByRole('button', { name: 'Open… Riverside' }).click();
  await dialog.getByLabel('Why?').fill('The water has gone');
  await dialog.getByRole('button', { name: 'Take Orders Again' }).click();
  await expectToast(page, 'Riverside takes orders again');
  await expect(windows.getByText(/^Closed until/)).toHaveCount(0);
});

test('a Scrub reads on a phone which orders their days off touch, and gives them to another Scrub', async ({
  town,
  openVisitor,
}) => {
  await planZone(town);
  const bud = await town.signUp('Bud', 'Wim Waits', { north: 40_000 });
  const scrub = await town.signUp('Scrub', 'Ava Away', { north: 40_300 });
  const order = await book(town, bud, scrub, [4, 6]);
  const phone = await openVisitor({ ...PHONE, isMapless: true });
  const { page } = phone;
  await openDashboard(phone, town, scrub);
  await page.goto('/#/scrub/week');
  await openFold(page, 'Away from … to …');
  await page.getByLabel('First day').fill(dayAt(town, 3));
  await page.getByLabel('Last day').fill(dayAt(town, 4));
  const orders = page.getByRole('region', { name: 'Your orders then' });
  await expect(orders).toContainText(`${order.number} Wim Waits: comes`);
  await expect(orders).toContainText(formatWindow(windowAt(town.testServer.now(), 4, 17), 'UTC'));
  const add = page.getByRole('button', { name: 'Add Days Off' });
  await expect(add).toBeDisabled();
  await page.getByRole('radio', { name: 'Give them to another Scrub' }).check();
  await expectNoScreenProblems(page, 'days off that touch orders', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await add.click();
  await expectToast(page, 'Days Off Added');
  expect(await bud.api.readOrder({ params: { id: order.id } })).toMatchObject({ status: 'Requested', round: 2 });
});
