import type { Page } from '@playwright/test';
import { MINUTE_MS } from '../domain/durations.ts';
import { expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { waitUntilOfflineReady } from './offlineReady.ts';
import { newPhoto } from './photos.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { card, expectToast } from './screens/pageElements.ts';
import {
  advanceClocks,
  choose,
  type Day,
  openBudsPhone,
  openDubersPhone,
  press,
  readDeliveryId,
  readPin,
  startDay,
  takeSteps,
} from './situations/day.ts';
import { testUnderPreset } from './situations/town.ts';

const test = testUnderPreset('open');

async function expectGoodPhoneScreen(page: Page, name: string): Promise<void> {
  await expectNoScreenProblems(page, name, [320, 1280]);
  await resizeWindow(page, PHONE.viewport);
}

/** The Duber's phone with their delivery, which it has kept for when there is no network. */
async function openDubersDelivery(day: Day, id: string) {
  const phone = await openDubersPhone(day, id);
  await waitUntilOfflineReady(phone.page, id);
  return phone;
}

/** Chooses a photo without a network. */
async function pickPhoto(page: Page): Promise<void> {
  await page.getByLabel('Choose photo').locator('visible=true').setInputFiles(newPhoto());
  await expect(page.getByText('Waits to be sent').locator('visible=true')).toBeVisible();
}

/** The photos of its Duber that are bound to a hand-over. */
const readPhotosOfHandovers = ({ town, duber }: Day) =>
  town.testServer.server.db
    .selectFrom('files')
    .select('id')
    .where('owner_id', '=', duber.id)
    .where('about_kind', '=', 'handover')
    .execute();

/** The clocks of the town and of the phones go on while the journey works. */
function expectMinutes(ms: number, minutes: number): void {
  expect(ms / MINUTE_MS).toBeGreaterThanOrEqual(minutes);
  expect(ms / MINUTE_MS).toBeLessThan(minutes + 5);
}

const notSent = (page: Page) => card(page, 'Not sent yet');

test('nobody is home and the phone has no network: what the Duber did waits with its photo, and counts from when it was done', async ({
  town,
  openVisitor,
}) => {
  const day = await startDay(town, openVisitor);
  const id = await readDeliveryId(day, 'Bud_To_Scrub');
  await takeSteps(day, id, 'sets out');
  const { page: atBud } = await openBudsPhone(day);
  const atDuber = await openDubersDelivery(day, id);
  const { page } = atDuber;
  const sheet = page.getByRole('dialog');
  await atDuber.withoutNetwork(async () => {
    await press(page, 'Problem?');
    await press(page, 'I am at the door');
    await expect(sheet).toContainText(/Not sent yet: your phone tells them as soon as it can\. Please wait \d:\d\d/);
    await expectGoodPhoneScreen(page, 'waiting at a door without a network');
    await press(page, 'I cannot collect it');
    await choose(page, 'Nobody is here');
    await pickPhoto(page);
    await expectGoodPhoneScreen(page, 'a photo that waits for a network');
    await advanceClocks(day, 2);
    await press(page, 'End This Pickup');
    await expectToast(page, 'Not sent', /Wait 5 minutes at the door first: \d:\d\d to go/);
    await advanceClocks(day, 4);
    await press(page, 'End This Pickup');
    await expect(sheet).toHaveCount(0);
    await expect(notSent(page)).toContainText('Waiting to be sent: The pickup did not work out, done at');
    await expect(page.getByRole('region', { name: 'What happened' })).toContainText('You said: “Nobody is here.”');
    await expectGoodPhoneScreen(page, 'a pickup that failed without a network');
    await page.reload();
    await expect(notSent(page).getByRole('listitem')).toHaveCount(2);
    await expect(notSent(page)).toContainText('With a photo');
    await advanceClocks(day, 30);
    expect((await day.bud.api.readDelivery({ params: { id } })).exceptions).toEqual([]);
  });

  await expect(notSent(page)).toHaveCount(0);
  await expect(atBud.getByRole('region', { name: 'What happened' })).toContainText('Dora said: “Nobody is here.”');
  const { status, exceptions } = await day.bud.api.readDelivery({ params: { id } });
  expect([status, exceptions.map(({ action, fileIds }) => [action, fileIds.length])]).toEqual([
    'Failed',
    [
      ['arrived-at-pickup', 0],
      ['pickup-failed', 1],
    ],
  ]);
  const [arrived, left, sent] = [exceptions[0]?.takenAt, exceptions[1]?.takenAt, exceptions[1]?.createdAt].map((time) =>
    Date.parse(time ?? ''),
  ) as [number, number, number];
  expectMinutes(left - arrived, 6);
  expectMinutes(sent - left, 30);
});

test('at a door without a network the PIN and the photo wait with the step, and what cannot wait says so', async ({
  town,
  openVisitor,
}) => {
  const day = await startDay(town, openVisitor);
  const id = await readDeliveryId(day, 'Bud_To_Scrub');
  await takeSteps(day, id, 'drives');
  const pin = await readPin(day, day.scrub);
  const atDuber = await openDubersDelivery(day, id);
  const { page } = atDuber;
  const sheet = page.getByRole('dialog');
  await atDuber.withoutNetwork(async () => {
    await press(page, 'Problem?');
    await press(page, 'The laundry is lost');
    await sheet.getByLabel('What happened, and where?').fill('I cannot find it.');
    await press(page, 'Report as Lost');
    await expect(sheet.getByRole('alert')).toHaveText(/This needs a network: it cannot wait on your phone/);
    await expectGoodPhoneScreen(page, 'what cannot wait on the phone');
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);

    await press(page, 'Problem?');
    await press(page, 'I cannot hand it over');
    await choose(page, 'It is not safe');
    await press(page, 'End This Attempt');
    await expect(notSent(page)).toContainText('Waiting to be sent: The drop-off did not work out, done at');
    await press(page, 'Try Again');
    await expect(notSent(page)).toContainText('Waiting to be sent: One more try, done at');
    // The form about the problem does not open again by itself.
    await expect(page.getByRole('button', { name: 'Problem?' })).toBeVisible();
    await expect(sheet).toHaveCount(0);

    await press(page, 'Prove the hand-over');
    await page.getByLabel('PIN').fill(pin);
    await press(page, 'No PIN? Take a photo');
    await pickPhoto(page);
    await press(page, 'Delivered');
    await expect(notSent(page)).toContainText('Waiting to be sent: Mark as Delivered, done at');
    await expect(notSent(page)).toContainText('With a photo');
    await expect(card(page, 'Delivery Status').locator('[data-status]')).toHaveText('Delivered');
    await expect(page.getByRole('list', { name: 'Delivery status history' })).toContainText(/Delivered ?Not sent yet/);
    await expectGoodPhoneScreen(page, 'a delivery whose proof waits');
    await advanceClocks(day, 10);
  });

  await expectToast(page, 'Delivery Completed!', 'Sent now, done at');
  await expect(notSent(page)).toHaveCount(0);
  const { handovers } = await day.bud.api.readCustody({ params: { id: day.orderId } });
  expect(handovers.at(-1)).toMatchObject({ deliveryId: id, proof: 'pin' });
  expect(await readPhotosOfHandovers(day)).toHaveLength(1);
  const { statusHistory } = await day.bud.api.readDelivery({ params: { id } });
  const { takenAt, createdAt } = statusHistory.at(-1) ?? { createdAt: '' };
  expectMinutes(Date.parse(createdAt) - Date.parse(takenAt ?? ''), 10);
});
