import type { Order } from '../contract/orders.ts';
import { planWindows, windowAt } from '../testing/orderTimes.ts';
import { formatWindow } from '../texts/windows.ts';
import { openDashboard, type TestUser } from './accounts.ts';
import { consoleIn, goToPage } from './console.ts';
import { expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast, openFold } from './screens/pageElements.ts';
import { type Town, testUnderPreset } from './situations/town.ts';

const WIDTHS = [320, 390, 768, 1024, 1280];
const PHONE_WITHOUT_MAP = { ...PHONE, isMapless: true } as const;

/** A town of its own, because its windows are for everybody. */
const test = consoleIn(testUnderPreset('open'));

const startOf = ({ testServer }: Town, days: number) => windowAt(testServer.now(), days, 17).from.toISOString();
/** As people read a window. */
const textOf = ({ testServer }: Town, days: number) => formatWindow(windowAt(testServer.now(), days, 17), 'UTC');

/** An accepted order that is fetched in two days, in the evening, and is back a day later. */
async function placeWithWindows(town: Town, bud: TestUser, scrub: TestUser): Promise<Order> {
  await planWindows(town.testServer.server.db, town.testServer.now());
  const body = {
    budAddressId: bud.addressId,
    scrubId: scrub.id,
    loadSize: 'Small',
    paymentSourceId: 'cnon:card-nonce-ok',
  } as const;
  const order = await bud.api.placeOrder({
    body: { ...body, pickupFrom: startOf(town, 2), returnFrom: startOf(town, 3) },
  });
  await scrub.api['accept-order']({ params: { id: order.id } });
  return order;
}

test('a Bud moves an order on a phone, the Scrub asks for another time on theirs, and the Bud agrees', async ({
  town,
  openVisitor,
}) => {
  const bud = await town.signUp('Bud', 'Mara Moves', { north: 0 });
  const scrub = await town.signUp('Scrub', 'Pia Proposes', { north: 300 });
  const { id } = await placeWithWindows(town, bud, scrub);
  const [budsPhone, scrubsPhone] = [await openVisitor(PHONE_WITHOUT_MAP), await openVisitor(PHONE_WITHOUT_MAP)];
  const [page, job] = [budsPhone.page, scrubsPhone.page];

  await openDashboard(budsPhone, town, bud);
  await page.goto(`/#/bud/orders/${id}`);
  await openFold(page, 'Change the time');
  const button = page.getByRole('button', { name: 'Change the Time' });
  await expect(button).toBeDisabled();
  await page.getByLabel('Pickup', { exact: true }).selectOption({ label: textOf(town, 4) });
  await expect(page.getByLabel('Back', { exact: true })).toHaveValue(startOf(town, 5));
  await expectNoScreenProblems(page, 'changing the time', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await button.click();
  await expectToast(page, 'The time is moved');
  await expect(page.getByLabel('Pickup', { exact: true })).toHaveValue(startOf(town, 4));

  await openDashboard(scrubsPhone, town, scrub);
  await job.goto(`/#/scrub/jobs/${id}`);
  await job.getByRole('button', { name: 'Propose another time' }).click();
  const dialog = job.getByRole('dialog');
  await dialog.getByLabel('Back', { exact: true }).selectOption({ label: textOf(town, 7) });
  await dialog.getByLabel('My machine is broken').check();
  await expectNoScreenProblems(job, 'proposing another time', WIDTHS);
  await resizeWindow(job, PHONE.viewport);
  await dialog.getByRole('button', { name: 'Ask Mara' }).click();
  await expectToast(job, 'We have asked the customer');
  await expect(job.getByText(/You have asked Mara for another time/)).toBeVisible();
  await expectNoScreenProblems(job, 'a job whose proposal waits', WIDTHS);

  const card = page.getByRole('region', { name: 'Another time' });
  await expect(card.getByRole('heading', { name: 'Pia proposes another time' })).toBeVisible();
  await expect(card.getByText('My machine is broken')).toBeVisible();
  await expectNoScreenProblems(page, 'a proposal', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await card.getByRole('button', { name: 'Accept the New Time' }).click();
  await expectToast(page, 'The new time is agreed');
  await expect(card).toHaveCount(0);
  await expect(job.getByText(/You have asked Mara for another time/)).toHaveCount(0);
  const { times } = await bud.api.readOrder({ params: { id } });
  expect([times?.pickup.from, times?.return.from]).toEqual([startOf(town, 4), startOf(town, 7)]);
});

test('a Bud answers a proposal from the mail without signing in, once', async ({ town, openVisitor }) => {
  const bud = await town.signUp('Bud', 'Lea Letters', { north: 900 });
  const scrub = await town.signUp('Scrub', 'Max Mangle', { north: 1200 });
  const { id } = await placeWithWindows(town, bud, scrub);
  const proposal = { pickupFrom: startOf(town, 4), returnFrom: startOf(town, 5), reason: 'ill' };
  await scrub.api['propose-window']({ params: { id }, body: proposal });
  const { text } = await town.testServer.waitForMail(bud.email, 'Another time');
  const path = /\/#\/other-time\?token=\S+/.exec(text)?.[0] ?? '';
  const { page } = await openVisitor(PHONE_WITHOUT_MAP);

  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'Max proposes another time' })).toBeVisible();
  await expectNoScreenProblems(page, 'the link of a proposal', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await page.getByRole('button', { name: 'Keep the Agreed Time' }).click();
  await expect(page.getByRole('heading', { name: 'The agreed time stays' })).toBeVisible();
  await expectNoScreenProblems(page, 'an answered proposal', WIDTHS);

  await page.reload();
  await expect(page.getByRole('heading', { name: 'The agreed time stays' })).toBeVisible();
  const { times, proposal: open } = await bud.api.readOrder({ params: { id } });
  expect([times?.pickup.from, open]).toEqual([startOf(town, 2), undefined]);
});

test('a closed day says whom it touches and asks what becomes of them, and the Bud is offered the next day', async ({
  town,
  openVisitor,
  openConsole,
  addOperator,
}) => {
  const bud = await town.signUp('Bud', 'Hugo Holiday', { north: 2000 });
  const scrub = await town.signUp('Scrub', 'Wanda Washday', { north: 2300 });
  const { id, number } = await placeWithWindows(town, bud, scrub);
  const ada = await addOperator('Ada Closes');
  const { page } = await openConsole(ada, 'today', PHONE);
  const dialog = page.getByRole('dialog');
  await goToPage(page, 'Hours');
  await page.getByRole('button', { name: 'Close…' }).click();
  const day = (days: number) => `${startOf(town, days).slice(0, 10)}T00:00`;
  await dialog.getByLabel('From').fill(day(2));
  await dialog.getByLabel('Until').fill(day(3));
  await dialog.getByLabel('What people read').fill('It is a holiday.');
  const touched = dialog.getByRole('region', { name: 'Orders with a window then' });
  await expect(touched).toContainText(`${number} Hugo Holiday and Wanda Washday: pickup ${textOf(town, 2)}`);
  await dialog.getByLabel('Why?').fill('Everybody is away');
  await expectNoScreenProblems(page, 'a closure that touches orders', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await dialog.getByLabel('What becomes of the orders').selectOption('Offer the next window that is open');
  await dialog.getByRole('button', { name: 'Add the Closure' }).click();
  await expectToast(page, 'The closure is added');

  const phone = await openVisitor(PHONE_WITHOUT_MAP);
  await openDashboard(phone, town, bud);
  await phone.page.goto(`/#/bud/orders/${id}`);
  const card = phone.page.getByRole('region', { name: 'Another time' });
  await expect(card.getByRole('heading', { name: 'The town proposes another time' })).toBeVisible();
  await expect(card.getByText('It is a holiday.')).toBeVisible();
  await expectNoScreenProblems(phone.page, 'a proposal of the town', WIDTHS);
  await resizeWindow(phone.page, PHONE.viewport);
  await card.getByRole('button', { name: 'Accept the New Time' }).click();
  await expectToast(phone.page, 'The new time is agreed');
  // The town is one for all journeys of this file.
  for (const closure of (await ada.api.readHours()).closures)
    await ada.api.takeBackClosure({ params: { id: closure.id }, body: { reason: 'It rains' } });
});

test('a Scrub who is away on a phone is asked what becomes of an order then, and its Bud is asked for another time', async ({
  town,
  openVisitor,
}) => {
  const bud = await town.signUp('Bud', 'Vera Visitor', { north: 4000 });
  const scrub = await town.signUp('Scrub', 'Tom Travels', { north: 4300 });
  const { id } = await placeWithWindows(town, bud, scrub);
  const phone = await openVisitor(PHONE_WITHOUT_MAP);
  const { page } = phone;
  await openDashboard(phone, town, scrub);
  await page.goto('/#/scrub/week');
  await openFold(page, 'Away from … to …');
  await page.getByLabel('First day').fill(startOf(town, 2).slice(0, 10));
  await expect(page.getByRole('region', { name: 'Your orders then' })).toContainText('Vera Visitor: comes');
  await expect(page.getByRole('button', { name: 'Add Days Off' })).toBeDisabled();
  await page.getByLabel('Ask for the next time at which I work').check();
  await expectNoScreenProblems(page, 'days off that touch an order', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await page.getByRole('button', { name: 'Add Days Off' }).click();
  await expectToast(page, 'Days Off Added');
  const { proposal } = await bud.api.readOrder({ params: { id } });
  expect(proposal).toMatchObject({ by: 'Scrub', reason: 'away' });
});
