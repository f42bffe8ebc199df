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
