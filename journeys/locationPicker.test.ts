import { createTestUser, openDashboard } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { expectToast } from './screens/pageElements.ts';
import { pickBySearch, pickerSaveButton } from './screens/places.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.4, longitude: 67.4 };

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
