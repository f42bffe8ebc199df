import type { Page } from '@playwright/test';
import { MINUTE_MS } from '../domain/durations.ts';
import { DOOR_WAIT_MS } from '../domain/needs.ts';
import { sendPhoto } from '../testing/sentPhotos.ts';
import { pointAt } from '../testing/testServer.ts';
import { openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { test } from './console.ts';
import { DESKTOP, expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { watchCalls } from './quietPage.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast } from './screens/pageElements.ts';
import type { Town } from './situations/town.ts';

const WIDTHS = [320, 768, 1280];
const TO_PICKUP = ['accept-delivery', 'way-to-pickup'] as const;

type People = { bud: TestUser; scrub: TestUser; dubers: readonly [TestUser, TestUser] };

/** People of a neighbourhood of their own. */
async function addPeople({ signUp }: Town, north: number): Promise<People> {
  const at = { north };
  return {
    bud: await signUp('Bud', 'Cara Caller', at),
    scrub: await signUp('Scrub', 'Sam Soap', at),
    dubers: [await signUp('Duber', 'Dora First', at), await signUp('Duber', 'Dan Second', at)],
  };
}

async function placeAccepted({ bud, scrub }: People) {
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const { number, deliveries } = await bud.api.readOrder({ params: { id } });
  return { id, number, params: { id: deliveries[0]?.id ?? '' } };
}

const queueRow = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Needs you now' }).getByRole('listitem').filter({ hasText: text });

type Answer = { readonly why: string; readonly wayHome?: string; readonly words?: string; readonly button: string };

/** Opens the dialog of an act, fills it and sends it. */
async function act(page: Page, label: string, { why, wayHome, words, button }: Answer): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What happened?').selectOption({ label: why });
  if (wayHome) await dialog.getByLabel('How does the laundry get home?').selectOption({ label: wayHome });
  if (words) await dialog.getByLabel(/What the people of the order read/).fill(words);
  await dialog.getByLabel('Note for the audit').fill('They have telephoned');
  await dialog.getByRole('button', { name: button }).click();
  await expect(dialog).toHaveCount(0);
}

/** Opens the order of a caller, from wherever the operator is. */
async function findOrder(page: Page, number: string): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Search the town' });
  await box.fill(number);
  await expect(page.getByRole('option')).toContainText([number]);
  await box.press('Enter');
  await expect(page.getByRole('heading', { name: number })).toBeVisible();
}

/** A Duber waits at the door of the pickup, and leaves. */
async function nobodyComes({ advanceClock }: Town, duber: TestUser, params: { id: string }, north: number) {
  await duber.api['arrived-at-pickup']({ params, body: { place: pointAt(north, 0) } });
  advanceClock(DOOR_WAIT_MS);
  const body = { reason: 'nobody-home', fileIds: [await sendPhoto(duber)] };
  await duber.api['pickup-failed']({ params, body });
}

const auditRows = (page: Page) => page.getByRole('list', { name: 'Audit' }).getByRole('listitem');

test('a caller names an order: its silent Duber is taken off, the next one breaks down, the third loses the bag', async ({
  town,
  addOperator,
  openConsole,
  openVisitor,
  measure,
}) => {
  const people = await addPeople(town, 20_000);
  const [first, second] = people.dubers;
  const { id, number, params } = await placeAccepted(people);
  await first.api['accept-delivery']({ params });
  town.advanceClock(21 * MINUTE_MS);
  const { page } = await openConsole(await addOperator('Ada Dispatch', ['see', 'dispatch']), 'today');
  await expect(queueRow(page, number)).toContainText('Duber is silent');
  await expectNoScreenProblems(page, 'today', WIDTHS);
  await resizeWindow(page, DESKTOP.viewport);

  await measure('find the order of a caller', async () => findOrder(page, number));
  await page.goBack();
  const box = page.getByRole('combobox', { name: 'Search the town' });
  await box.fill(number);
  await expect(page.getByRole('option')).toContainText([number]);
  await expectNoScreenProblems(page, 'what was found', [320]);
  await resizeWindow(page, DESKTOP.viewport);
  await box.press('Escape');

  // The reason is one of a list, and there is a note for the audit.
  const dialog = page.getByRole('dialog');
  await measure('free a stuck delivery', async () => {
    await queueRow(page, number).getByRole('link').click();
    await page.getByRole('button', { name: 'Take Duber Off' }).click();
    await expect(dialog.getByRole('button', { name: 'Take the Duber Off' })).toBeDisabled();
    await dialog.getByLabel('What happened?').selectOption({ label: 'The Duber does not answer' });
    await expectNoScreenProblems(page, 'taking a Duber off', [320]);
    await resizeWindow(page, DESKTOP.viewport);
    await dialog.getByLabel('Note for the audit').fill('Called three times');
    await dialog.getByRole('button', { name: 'Take the Duber Off' }).click();
    await expectToast(page, 'The delivery is offered again');
  });
  const now = page.getByRole('region', { name: 'Now' });
  const happened = page.getByRole('list', { name: 'What happened', exact: true });
  await expect(now).toContainText('no Duber has accepted the delivery yet');
  await expect(now).toContainText('Waits for a Duber nearby, since');
  await expect(happened.getByRole('listitem').first()).toContainText(
    'Duber taken off the delivery · Ada Dispatch (Operator)',
  );
  await expect(now.getByRole('button', { name: 'Call Off' })).toBeVisible();

  // The page follows what happens.
  for (const step of [...TO_PICKUP, 'collected'] as const) await second.api[step]({ params });
  await expect(now).toContainText('Dan Second is bringing the laundry to Sam Soap.');
  await expect(page.getByRole('region', { name: 'Where the laundry is' })).toContainText('With Dan Second');
  await now.getByText('Other actions').click();
  await expect(now.getByText('Cancel Order: The Duber still has the laundry')).toBeVisible();
  const relay = { kind: 'relay', deliveryId: params.id, words: 'The chain broke', place: pointAt(20_300, 0) } as const;
  const { id: caseId } = await second.api.createCase({ body: relay });
  const place = `Location (${relay.place.latitude}, ${relay.place.longitude})`;
  await findOrder(page, number);
  await page.getByRole('button', { name: 'Show Places' }).click();
  await dialog.getByLabel('Why?').fill('The next Duber asks where it is');
  await dialog.getByRole('button', { name: 'Show Places' }).click();
  await expectToast(page, 'You can see them for 15 minutes');
  await page.goto(`/#/operator/cases/${caseId}`);
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText(place);
  await expectNoScreenProblems(page, 'a Duber who cannot go on', [320]);
  await resizeWindow(page, DESKTOP.viewport);
  await measure('deal with a breakdown', async () => {
    await findOrder(page, number);
    await act(page, 'Hand On to Another Duber', { why: 'The vehicle broke down', button: 'Hand It On' });
  });
  await expect(now).toContainText('keeps the laundry until another Duber takes over');
  await page.getByText('Laundry and deliveries').click();
  await expect(page.getByText(/^Pending, no Duber, .*, attempt 3/)).toBeVisible();

  await first.api['accept-delivery']({ params });
  expect((await first.api.readDelivery({ params })).pickup).toEqual(relay.place);
  for (const step of ['way-to-pickup', 'collected'] as const) await first.api[step]({ params });
  await first.api['report-lost']({ params, body: { words: 'The bag is gone' } });
  await expect(page.getByRole('list', { name: 'Cases' })).toContainText('Lost laundry');
  await measure('deal with a lost bag', async () => {
    await findOrder(page, number);
    await act(page, 'Call Off', { why: 'The laundry is lost', button: 'Call It Off' });
    const lost = {
      why: 'The laundry is lost',
      wayHome: 'It is lost',
      words: 'Your bag was lost. We will pay for it.',
      button: 'Cancel the Order',
    };
    await act(page, 'Cancel Order', lost);
  });
  await expect(happened).toContainText('“Your bag was lost.');
  await page.getByText('What operators did').click();
  // Four acts, and the look at the places.
  await expect(auditRows(page)).toHaveCount(5);
  await expectNoScreenProblems(page, 'an order that was lost', WIDTHS);

  // Both read it.
  for (const [user, path] of [
    [people.bud, `/bud/orders/${id}`],
    [people.scrub, `/scrub/jobs/${id}`],
  ] as const) {
    const visitor = await openVisitor({ ...PHONE, isMapless: true });
    await openDashboard(visitor, town, user);
    await visitor.page.goto(`/#${path}`);
    await expect(visitor.page.getByText('The town wrote: “Your bag was lost. We will pay for it.”')).toBeVisible();
    await expect(visitor.page.getByRole('region', { name: 'Laundry', exact: true })).toContainText(
      'The laundry is with Dora',
    );
    await expectNoScreenProblems(visitor.page, `a lost order of a ${user.role}`, [320]);
  }
});

test('on a phone: nobody was at the pickup, and a Scrub does not answer', async ({
  town,
  addOperator,
  openConsole,
  measure,
}) => {
  const people = await addPeople(town, 40_000);
  const failed = await placeAccepted(people);
  for (const step of TO_PICKUP) await people.dubers[0].api[step]({ params: failed.params });
  await nobodyComes(town, people.dubers[0], failed.params, 40_000);
  const asked = await placeOrder(people.bud, people.scrub);
  const { number } = await people.bud.api.readOrder({ params: { id: asked.id } });
  town.advanceClock(121 * MINUTE_MS);
  const { page } = await openConsole(await addOperator('Ben Dispatch', ['see', 'dispatch']), 'today', PHONE);
  await expect(queueRow(page, number)).toContainText('No answer');
  await expect(queueRow(page, failed.number).filter({ hasText: 'Delivery stopped' })).toBeVisible();

  await measure('deal with a no-show', async () => {
    await queueRow(page, failed.number).filter({ hasText: 'Delivery stopped' }).getByRole('link').click();
    await expect(page.getByRole('heading', { name: failed.number })).toBeVisible();
    await act(page, 'Offer Again', { why: 'Somebody has asked for it', button: 'Offer It Again' });
  });
  await expect(page.getByRole('region', { name: 'Now' })).toContainText('no Duber has accepted the delivery yet');
  await page.getByText('What operators did').click();
  await expect(auditRows(page)).toHaveCount(1);

  await page.goBack();
  await measure('deal with a silent Scrub', async () => {
    await queueRow(page, number).getByRole('link').click();
    await act(page, 'Cancel Order', { why: 'Nobody can do it', button: 'Cancel the Order' });
  });
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible();
  await page.getByText('What operators did').click();
  await expect(auditRows(page)).toHaveCount(1);
  await page.getByRole('link', { name: 'Orders' }).first().click();
  await page.getByRole('button', { name: 'Cancelled', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Orders' })).toContainText(number);
  await expectNoScreenProblems(page, 'the orders of the town', [320, 1280]);
});

/** Less than any time after which Today reads by itself. */
const PAGE_TIME_MS = 10_000;
const TICK_MS = 10;

test('a new order is on Today at once, although no timer of the page has come to its end', async ({
  town,
  addOperator,
  openConsole,
}) => {
  const people = await addPeople(town, 60_000);
  const { page } = await openConsole(await addOperator('Ada Waiting', ['see']), 'today');
  const calls = await watchCalls(page);
  await page.clock.install();
  const isListening = page.waitForResponse(/operator\/events/);
  await page.reload();
  await isListening;
  const placed = page.locator('div').filter({ has: page.getByText('Placed today', { exact: true }) });
  const { counters } = await (await addOperator('Ada Counts', ['see'])).api.readToday();
  await expect(placed.getByRole('definition').first()).toHaveText(String(counters.placed));
  // The page's time stands still from here, and what its timers have asked for is answered before the order is placed.
  await page.clock.pauseAt(Date.now() + MINUTE_MS);
  await calls.hold();
  calls.release();
  let pageMs = 0;
  const readPlaced = async () => {
    await page.clock.runFor(TICK_MS);
    pageMs += TICK_MS;
    // Without waiting for it, which would need the clock.
    return (await placed.getByRole('definition').allTextContents())[0];
  };
  await placeOrder(people.bud, people.scrub);
  await expect.poll(readPlaced, { timeout: 100_000, intervals: [100] }).toBe(String(counters.placed + 1));
  expect(pageMs).toBeLessThanOrEqual(PAGE_TIME_MS);
});
