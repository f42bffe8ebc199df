import type { Page, Route } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, MAPLESS, PHONE, REQUEST_FAILED, test, WITH_SERVICE_WORKER } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { waitUntilOfflineReady } from './offlineReady.ts';
import { expectToast, figureNamed, goTo, tryAgain } from './screens/pageElements.ts';
import { pickByCoordinates } from './screens/places.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.95, longitude: 67.15 };

const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const pressButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Adds a property that the server does not know, so that it answers 400. */
const sendUnknownProperty = (route: Route) =>
  route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), nickname: 'x' }) });

test('the sign-up form says how long to wait for another code, and forgets a failure when the address is edited', async ({
  openVisitor,
}) => {
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  visitor.allowErrors(429, REQUEST_FAILED);
  await page.goto('/#/signup');
  await page.getByRole('radio', { name: 'Bud', exact: true }).check();
  await pressButton(page, 'Next');
  await textbox(page, 'Email').fill('otto.potts@journeys.test');
  await page.route('**/api/auth/send-otp-for-email', (route) => route.abort());
  await pressButton(page, 'Send OTP');
  await expect(page.getByText('Failed to send OTP. Please try again.')).toBeVisible();
  await textbox(page, 'Email').fill('otto.potter@journeys.test');
  await expect(page.getByText('Failed to send OTP. Please try again.')).toBeHidden();
  await page.unroute('**/api/auth/send-otp-for-email');
  await pressButton(page, 'Send OTP');
  await pressButton(page, 'Resend OTP');
  await expect(page.getByRole('alert')).toContainText(/try again in (\d+ seconds?|1 minute)\./);
});

test('a code that is pasted with a space, or typed in other digits, is complete', async ({ openVisitor }) => {
  const { page } = await openVisitor(MAPLESS);
  await page.goto('/#/signup');
  await page.getByRole('radio', { name: 'Bud', exact: true }).check();
  await pressButton(page, 'Next');
  await textbox(page, 'Email').fill('pia.paste@journeys.test');
  await pressButton(page, 'Send OTP');
  const code = textbox(page, 'OTP Code');
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  for (const pasted of ['509 975', 'Code: 509-975', '٥٠٩٩٧٥', '５０９９７５']) {
    await code.fill('');
    await code.focus();
    await page.keyboard.insertText(pasted);
    await expect(code, pasted).toHaveValue('509975');
  }
});

test('a profile that is refused because of another property shows why', async ({ server, openVisitor }) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Paula Prop', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  visitor.allowErrors(400);
  await openDashboard(visitor, server, bud);
  await page.getByRole('link', { name: 'Profile' }).click();
  await pressButton(page, 'Edit Profile');
  await page.route('**/api/profile', sendUnknownProperty);
  await pressButton(page, 'Save Changes');
  await expect(page.getByRole('form', { name: 'Edit profile' }).getByRole('alert')).toContainText('nickname');
});

test('an address that is not saved gets the same toast on the profile and while ordering, and the form says why', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Addie Dress', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  visitor.allowErrors(400);
  await page.route('**/api/profile/*-address', sendUnknownProperty);
  await openDashboard(visitor, server, bud);
  for (const open of [() => page.getByRole('link', { name: 'Profile' }).click(), () => goTo(page, 'Place Order')]) {
    await open();
    await pressButton(page, 'Add New Address');
    await textbox(page, 'Label').fill('Work');
    await textbox(page, 'Address').fill('2 Office Park');
    await pickByCoordinates(page, { latitude: 24.96, longitude: 67.16 });
    await pressButton(page, 'Save');
    await expect(page.getByRole('form', { name: 'Add New Address' }).getByRole('alert')).toContainText('nickname');
    await expectToast(page, 'Work address not added', /^Work address not addedSomething went wrong\.$/);
  }
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByText('Location (24.95, 67.15)')).toBeVisible();
  await pressButton(page, 'Edit Default');
  await expect(page.getByRole('textbox', { name: 'Location (lat, lng)' })).toHaveValue('Location (24.95, 67.15)');
  await pressButton(page, 'Save');
  await expectToast(page, 'Default address not updated', /^Default address not updatedSomething went wrong\.$/);
});

test('the wizard asks for Scrubs within 5000 m; offline it says so once, searches again when it is back, and knows the price of every size', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Wiz Offline', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Sid Nearby', at: LOCATION }),
  ]);
  const visitor = await openVisitor({ ...MAPLESS, ...WITH_SERVICE_WORKER });
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  // Fetching the service worker without a network would be an error in the console.
  await waitUntilOfflineReady(page, 'latestScrubOrders');
  await goTo(page, 'Place Order');
  await page.getByRole('radio', { name: 'Default', exact: true }).check();
  // Its answer has the prices of all sizes.
  await expect(page.getByText(/\$\d+\.\d\d/).first()).toBeVisible();
  await visitor.setOffline(true);
  await pressButton(page, 'Next');
  await expect(page.getByText('We will search again when you are back online.')).toBeVisible();
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
  const search = page.waitForRequest('**/api/users/find-scrubs-nearby*');
  await visitor.setOffline(false);
  expect(new URL((await search).url()).searchParams.get('maxDistanceMeters')).toBe('5000');
  await page.getByRole('radio', { name: scrub.fullname, exact: true }).check();
  await visitor.setOffline(true);
  await pressButton(page, 'Next');
  await page.getByRole('radio', { name: 'Medium (3-5 lbs)' }).check();
  await expect(page.getByRole('complementary', { name: 'Order Summary' })).toContainText('$26.83');
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
  await visitor.setOffline(false);
});

test('a failed dashboard of a Duber shows one error, and a Scrub without reviews has a rating of 0', async ({
  server,
  openVisitor,
}) => {
  const [duber, scrub, bud] = await Promise.all([
    createTestUser(server, { role: 'Duber', fullname: 'Dot Once', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Zero Stars', at: LOCATION }),
    createTestUser(server, { role: 'Bud', fullname: 'Owen Order', at: LOCATION }),
  ]);
  const [duberVisitor, scrubVisitor, budVisitor] = [
    await openVisitor(MAPLESS),
    await openVisitor(MAPLESS),
    await openVisitor(MAPLESS),
  ];
  await openDashboard(scrubVisitor, server, scrub);
  await expect(figureNamed(scrubVisitor.page, 'Rating')).toHaveText('0');

  duberVisitor.allowErrors(REQUEST_FAILED);
  await duberVisitor.page.route('**/api/dashboards/duber?**', (route) => route.abort());
  await openDashboard(duberVisitor, server, duber);
  await expect(duberVisitor.page.getByText('Unable To Get Deliveries')).toHaveCount(1);
  await duberVisitor.page.unroute('**/api/dashboards/duber?**');
  await tryAgain(duberVisitor.page, duberVisitor.page.getByText('No recent deliveries available right now'));

  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const deliveryId = (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '';
  for (const [visitor, user, prices] of [
    [budVisitor, bud, 0],
    [scrubVisitor, scrub, 1],
  ] as const) {
    await openDashboard(visitor, server, user);
    await visitor.page.goto(`/#/${user.role.toLowerCase()}/deliveries/${deliveryId}`);
    await expect(visitor.page.getByText('Load Size')).toBeVisible();
    await expect(visitor.page.getByText('Order Price')).toHaveCount(prices);
  }
});

test('an event about the page that is open has no button that leads to it', async ({ server, openVisitor }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Here Already', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Says Yes', at: LOCATION }),
  ]);
  const { id } = await placeOrder(bud, scrub);
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await page.getByRole('link', { name: 'View Details' }).click();
  await expect(page.getByRole('button', { name: 'Cancel Order' })).toBeVisible();
  await scrub.api['accept-order']({ params: { id } });
  const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('status');
  await expect(toast).toContainText('Order accepted');
  // Not a waiting check, which a toast that has gone would pass.
  expect(await toast.getByRole('button').allTextContents()).toEqual(['']);
});

test('on a phone a toast that was touched leaves by itself', async ({ server, openVisitor }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Tara Touch', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Yes Again', at: LOCATION }),
  ]);
  const { id } = await placeOrder(bud, scrub);
  const visitor = await openVisitor({ ...MAPLESS, ...PHONE });
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await expect(page.getByText('Yes Again has not answered yet.')).toBeVisible();
  await scrub.api['accept-order']({ params: { id } });
  const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('status');
  await toast.getByText('Order accepted').hover();
  await expect(toast).toHaveCount(0);
});

test('the map of the location picker is 420 px high on a phone, and lower where it would hide Save', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Mapp Height', at: LOCATION });
  const visitor = await openVisitor({ ...PHONE, isMapless: true });
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await page.goto('/#/profile');
  await pressButton(page, 'Edit Default');
  await pressButton(page, 'Select Location');
  const dialog = page.getByRole('dialog', { name: 'Select Location' });
  const map = dialog.getByText('This browser cannot show the map').locator('..');
  const heightOf = async () => (await map.boundingBox())?.height;
  await expect.poll(heightOf).toBe(420);
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 });
  await resizeWindow(page, { width: 360, height: 640 });
  await expect.poll(heightOf).toBeLessThan(420);
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 });
});
