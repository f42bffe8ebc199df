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
