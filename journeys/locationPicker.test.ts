import type { Request } from '@playwright/test';
import { createTestUser, openDashboard } from './accounts.ts';
import { DESKTOP, expect, MAPLESS, test } from './journey.ts';
import { expectToast } from './screens/pageElements.ts';
import { pickBySearch, pickerSaveButton } from './screens/places.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.4, longitude: 67.4 };
// The middle of the made-up city.
const SOAPWICK = { latitude: 24.0012, longitude: 67.0034 };

test('a point cannot be saved while the place that was picked is loading', async ({ server, openVisitor }) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Paul Picker', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, server, bud);
  const { page } = visitor;
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Edit Default' }).click();

  const answer = Promise.withResolvers<void>();
  await page.route('**/retrieve/**', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const picked = pickBySearch(page, '12 Heron Street');
  await expect(pickerSaveButton(page)).toBeDisabled();
  answer.resolve();
  const point = await picked;

  await page.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Default address updated');
  const { addresses } = await bud.api.profile();
  expect(addresses[0]).toMatchObject(point);
  expect(point).not.toEqual(LOCATION);
});

test('a search whose text is cleared, or whose list is closed, shows nothing when its answer comes', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Lena Late', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, server, bud);
  const { page } = visitor;
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Edit Default' }).click();
  await page.getByRole('button', { name: 'Select Location' }).click();
  const box = page.getByRole('combobox', { name: 'Search address' });
  const suggestions = page.getByRole('option');
  const held: (() => void)[] = [];
  await page.route('**/suggest?**', async (route) => {
    await new Promise<void>((answer) => held.push(answer));
    await route.continue();
  });
  let ended = 0;
  const noteEnd = (request: Request) => {
    if (request.url().includes('/suggest?')) ended += 1;
  };
  page.on('requestfinished', noteEnd).on('requestfailed', noteEnd);
  /** Types an address, does something while its search runs, and lets the answer come. */
  const searchAnd = async (text: string, meanwhile: () => Promise<void>) => {
    const before = ended;
    await box.fill(text);
    await expect.poll(() => held.length).toBe(1);
    await meanwhile();
    held.pop()?.();
    await expect.poll(() => ended).toBe(before + 1);
  };
  await searchAnd('12 Heron Street', () => box.fill(''));
  await expect(suggestions).toHaveCount(0);
  // The next text is searched again.
  await searchAnd('14 Heron Street', async () => {});
  await expect(suggestions.first()).toContainText('Heron Street');
  await searchAnd('16 Heron Street', () => box.press('Escape'));
  await expect(suggestions).toHaveCount(0);
  await expect(box).toHaveValue('16 Heron Street');
});

test('the address of a point on the map, or of the own location, is found, and the newest choice wins', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Mary Map', at: LOCATION });
  const visitor = await openVisitor(DESKTOP);
  await openDashboard(visitor, server, bud);
  const { page, context } = visitor;
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Add New Address' }).click();
  await page.getByRole('button', { name: 'Select Location' }).click();
  const dialog = page.getByRole('dialog', { name: 'Select Location' });
  const latitude = dialog.getByRole('textbox', { name: 'Latitude' });
  const ended: string[] = [];
  const firstAnswer = Promise.withResolvers<void>();
  await page.route('**/reverse?**', async (route) => {
    if (ended.length === 0) await firstAnswer.promise;
    await route.continue();
  });
  // On a slow machine the first one is given up while it is held.
  const noteEnd = (request: Request) => request.url().includes('/reverse?') && ended.push(request.url());
  page.on('requestfinished', noteEnd).on('requestfailed', noteEnd);

  await context.grantPermissions(['geolocation']);
  await context.setGeolocation(SOAPWICK);
  const asked = page.waitForRequest('**/reverse?**');
  await dialog.getByRole('button', { name: 'Use my location' }).click();
  await expect(latitude).toHaveValue(String(SOAPWICK.latitude));
  await asked;
  await dialog.locator('canvas').click({ position: { x: 60, y: 60 } });
  await expect(latitude).not.toHaveValue(String(SOAPWICK.latitude));
  const clicked = await latitude.inputValue();
  firstAnswer.resolve();
  await expect.poll(() => ended.length).toBe(2);
  await expect(dialog.getByText(/, Soapwick/)).toBeVisible();
  await expect(latitude).toHaveValue(clicked);

  const found = await dialog.getByText(/, Soapwick/).textContent();
  await pickerSaveButton(page).click();
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue(found ?? '');
});
