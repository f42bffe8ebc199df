import type { Page, Request } from '@playwright/test';
import { createTestUser, openDashboard } from './accounts.ts';
import { DESKTOP, expect, MAPLESS, test, type Visitor, type VisitorOptions } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { agreeInSheet, expectToast } from './screens/pageElements.ts';
import { pickByCoordinates, pickBySearch, pickerSaveButton } from './screens/places.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.4, longitude: 67.4 };
// The middle of the made-up city.
const SOAPWICK = { latitude: 24.0012, longitude: 67.0034 };

type Fixtures = { server: ProductServer; openVisitor: (options?: VisitorOptions) => Promise<Visitor> };

/** The profile of a new Bud. */
async function openProfile({ server, openVisitor }: Fixtures, fullname: string, options: VisitorOptions) {
  const bud = await createTestUser(server, { role: 'Bud', fullname, at: LOCATION });
  const visitor = await openVisitor(options);
  await openDashboard(visitor, server, bud);
  await visitor.page.getByRole('link', { name: 'Profile' }).click();
  return { ...visitor, bud };
}

/** Counts the requests to `path` that have ended. On a slow machine one is given up while it is held. */
function countEnded(page: Page, path: string): () => number {
  let ended = 0;
  const noteEnd = (request: Request) => {
    if (request.url().includes(path)) ended += 1;
  };
  page.on('requestfinished', noteEnd).on('requestfailed', noteEnd);
  return () => ended;
}

test('a point cannot be saved while the place that was picked is loading', async ({ server, openVisitor }) => {
  const { page, bud } = await openProfile({ server, openVisitor }, 'Paul Picker', MAPLESS);
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
  const { page } = await openProfile({ server, openVisitor }, 'Lena Late', MAPLESS);
  await page.getByRole('main').getByRole('button', { name: 'Edit Default' }).click();
  await page.getByRole('button', { name: 'Select Location' }).click();
  const box = page.getByRole('combobox', { name: 'Search address' });
  const suggestions = page.getByRole('option');
  const held: (() => void)[] = [];
  await page.route('**/suggest?**', async (route) => {
    await new Promise<void>((answer) => held.push(answer));
    await route.continue();
  });
  const ended = countEnded(page, '/suggest?');
  /** Types an address, does something while its search runs, and lets the answer come. */
  const searchAnd = async (text: string, meanwhile: () => Promise<void>) => {
    const before = ended();
    await box.fill(text);
    await expect.poll(() => held.length).toBe(1);
    await meanwhile();
    held.pop()?.();
    await expect.poll(ended).toBe(before + 1);
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
  const { page, context, allowErrors } = await openProfile({ server, openVisitor }, 'Mary Map', DESKTOP);
  // The first search is held until the map was clicked, which on a slow machine takes longer than the search may.
  allowErrors('The address of a point could not be found');
  await page.getByRole('button', { name: 'Add New Address' }).click();
  await page.getByRole('button', { name: 'Select Location' }).click();
  const dialog = page.getByRole('dialog', { name: 'Select Location' });
  const latitude = dialog.getByRole('textbox', { name: 'Latitude' });
  const ended = countEnded(page, '/reverse?');
  const firstAnswer = Promise.withResolvers<void>();
  await page.route('**/reverse?**', async (route) => {
    if (ended() === 0) await firstAnswer.promise;
    await route.continue();
  });

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
  await expect.poll(ended).toBe(2);
  await expect(dialog.getByText(/, Soapwick/)).toBeVisible();
  await expect(latitude).toHaveValue(clicked);

  const found = await dialog.getByText(/, Soapwick/).textContent();
  await pickerSaveButton(page).click();
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue(found ?? '');
});

test('a moved pin offers the street at its new place, and a pin far from its street is saved only after a question', async ({
  server,
  openVisitor,
}) => {
  const { page, bud } = await openProfile({ server, openVisitor }, 'Hana Moved', MAPLESS);
  await page.getByRole('main').getByRole('button', { name: 'Edit Default' }).click();
  const address = page.getByRole('textbox', { name: 'Address', exact: true });
  await address.fill('12 Heron Street');
  await pickByCoordinates(page, SOAPWICK);
  const proposal = page.getByRole('button', { name: /^Use .+, Soapwick.*\?$/ });
  await expect(proposal).toBeVisible();
  await expectNoScreenProblems(page, 'an address whose pin has moved', [320, 1280]);

  const save = page.getByRole('button', { name: 'Save' });
  await agreeInSheet(page, 'Save it there?', 'Save Anyway', async () => {
    await save.click();
    await expect(page.getByText(/^Your pin is [\d.]+ km away from 12 Heron Street\.$/)).toBeVisible();
  });
  await expectToast(page, 'Default address updated');
  expect((await bud.api.profile()).addresses[0]).toMatchObject({ address: '12 Heron Street', ...SOAPWICK });

  await page.getByRole('main').getByRole('button', { name: 'Edit Default' }).click();
  const moved = await pickByCoordinates(page, { ...SOAPWICK, latitude: 24.0014 });
  const street = (await proposal.textContent())?.match(/^Use (.+)\?$/)?.[1] ?? '';
  // The offer comes and goes in a room of its own: whoever presses the button below hits it.
  const topOfSave = async () => (await save.boundingBox())?.y;
  const top = await topOfSave();
  await proposal.click();
  await expect(address).toHaveValue(street);
  await expect(proposal).toHaveCount(0);
  expect(await topOfSave()).toBe(top);
  await save.click();
  await expectToast(page, 'Default address updated');
  expect((await bud.api.profile()).addresses[0]).toMatchObject({ address: street, ...moved });
});
