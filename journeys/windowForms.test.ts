import { openDashboard } from './accounts.ts';
import { consoleIn, goToPage } from './console.ts';
import { expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast, openFold } from './screens/pageElements.ts';
import { testUnderPreset } from './situations/town.ts';

const WIDTHS = [320, 390, 768, 1024, 1280];

/** A town of its own, because its windows are for everybody. */
const test = consoleIn(testUnderPreset('open'));

test('a Scrub says on a phone on which days and at which times they work, and how much they take', async ({
  town,
  openVisitor,
}) => {
  const scrub = await town.signUp('Scrub', 'Wanda Week', { north: 9000 });
  const phone = await openVisitor({ ...PHONE, isMapless: true });
  const { page } = phone;
  await openDashboard(phone, town, scrub);
  await page.goto('/#/scrub/week');
  await openFold(page, 'When you work, and how much');
  await page.getByLabel('Only at certain times').check();
  await page.getByRole('checkbox', { name: 'Sunday' }).uncheck();
  await page.getByLabel('From', { exact: true }).fill('09:00');
  await page.getByLabel('Pounds a day').fill('40');
  await expectNoScreenProblems(page, 'the week of a Scrub', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Your Week Is Saved');
  const { week } = await scrub.api.readCalendar();
  expect(week.poundsADay).toBe(40);
  expect(week.hours).toHaveLength(6);
  expect(week.hours[0]).toEqual({ weekday: 'Monday', from: '09:00', until: '20:00' });
});

test('a Scrub makes a secret address for their calendar on a small phone, copies it, replaces it and stops it', async ({
  town,
  openVisitor,
}) => {
  const scrub = await town.signUp('Scrub', 'Cleo Calendar', { north: 11_000 });
  const phone = await openVisitor({ ...PHONE, viewport: { width: 320, height: 640 }, isMapless: true });
  const { page, context } = phone;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const statusOf = async (url: string) => (await context.request.get(new URL(url).pathname)).status();
  await openDashboard(phone, town, scrub);
  await page.goto('/#/scrub/week');
  await openFold(page, 'In your own calendar');
  await page.getByRole('button', { name: 'Make an Address' }).click();
  const address = page.getByRole('textbox', { name: 'Your secret address' });
  await expect(address).toHaveValue(/\/api\/calendar\/[\w-]+\.ics$/);
  await expectNoScreenProblems(page, 'the secret address of a calendar', WIDTHS);
  await resizeWindow(page, { width: 320, height: 640 });
  const first = await address.inputValue();
  await page.getByRole('button', { name: 'Copy the Address' }).click();
  await expectToast(page, 'Copied');
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(first);
  await page.getByRole('button', { name: 'Make a New Address' }).click();
  await expect(address).not.toHaveValue(first);
  const second = await address.inputValue();
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Make an Address' })).toBeVisible();
  expect(await statusOf(second)).toBe(404);
});

test('an operator offers windows from a phone', async ({ openConsole, addOperator }) => {
  const ada = await addOperator('Ada Windows');
  const { page } = await openConsole(ada, 'today', PHONE);
  const dialog = page.getByRole('dialog');
  await goToPage(page, 'Hours');
  await page.getByRole('button', { name: 'Offer Windows…' }).click();
  await dialog.getByRole('checkbox', { name: 'Pickups: Sunday' }).uncheck();
  await dialog.getByLabel('Pickups from').fill('17:00');
  await dialog.getByLabel('Pickups until').fill('21:00');
  await dialog.getByLabel('Why?').fill('People ask when somebody comes');
  await expectNoScreenProblems(page, 'offering windows', WIDTHS);
  await resizeWindow(page, PHONE.viewport);
  await dialog.getByRole('button', { name: 'Change the Windows' }).click();
  await expectToast(page, 'The windows are changed');
  const { plan } = await ada.api.readWindows();
  expect(plan?.pickup).toHaveLength(12);
  expect(plan?.pickup[0]).toEqual({ weekday: 'Monday', from: '17:00', until: '19:00' });
});
