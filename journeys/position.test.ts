import type { Locator } from '@playwright/test';
import { checkWithAxe, expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { DESKTOP, expect, OFFLINE_PHONE, PHONE, test, type Visitor } from './journey.ts';
import { readOfflineCache, waitUntilOfflineReady } from './offlineReady.ts';
import { takeDeliverySteps } from './screens/deliveries.ts';
import { card, expectToast } from './screens/pageElements.ts';

// Far away from the users of the other journeys, near a country road that leads north-west.
const LOCATION = { latitude: 24.14, longitude: 66.88 };
const KM_PER_DEGREE = { latitude: 111.195, longitude: 101.475 };
const kmUpTheRoad = (km: number) => ({
  latitude: LOCATION.latitude + (0.69 * km) / KM_PER_DEGREE.latitude,
  longitude: LOCATION.longitude - (0.7238 * km) / KM_PER_DEGREE.longitude,
});
const moveTo = ({ context }: Visitor, km: number) => context.setGeolocation(kmUpTheRoad(km));

/** Whether the middle of an element lies inside another. */
async function isInside(inner: Locator, outer: Locator): Promise<boolean> {
  const [box, frame] = await Promise.all([inner.boundingBox(), outer.boundingBox()]);
  if (!box || !frame) return false;
  const [x, y] = [box.x + box.width / 2 - frame.x, box.y + box.height / 2 - frame.y];
  return x > 0 && x < frame.width && y > 0 && y < frame.height;
}

/** Whether an element begins above another one. */
async function isAbove(one: Locator, other: Locator): Promise<boolean> {
  const [box, below] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  return box !== null && below !== null && box.y < below.y;
}

/**
 * Holds the answer to the Bud's first question for the position, from before there was one: the Duber's phone sends none until
 * it is asked for. Returns what lets the answer through.
 */
async function holdFirstPosition({ page }: Visitor, duber: Visitor): Promise<() => Promise<void>> {
  const urls = '**/api/deliveries/*/position';
  const mayAnswer = Promise.withResolvers<void>();
  // The Duber's steps come first: the test's own time-out is enough.
  const isAsked = page.waitForRequest(urls, { timeout: 0 });
  const isAnswered = page.waitForResponse(urls, { timeout: 0 });
  await duber.page.route(urls, async (route) => {
    await isAsked;
    await route.fallback();
  });
  await page.route(
    urls,
    async (route) => {
      await mayAnswer.promise;
      await route.fulfill({ json: { position: null } });
    },
    { times: 1 },
  );
  return async () => {
    mayAnswer.resolve();
    await (await isAnswered).finished();
    await duber.page.unroute(urls);
  };
}

/** Loads the page again with positions that are some minutes older than they are. */
async function makePositionsOld({ page }: Visitor, { minutes }: { minutes: number }) {
  const urls = '**/api/deliveries/*/position';
  await page.route(urls, async (route) => {
    const response = await route.fetch();
    const { position } = (await response.json()) as { position: { at: string } };
    const at = new Date(Date.now() - minutes * 60_000).toISOString();
    await route.fulfill({ response, json: { position: { ...position, at } } });
  });
  await page.reload();
  return () => page.unroute(urls);
}

test('the Bud sees the position of the Duber only while the Duber shares it and is on the way', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Ines Brook', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Theo Linden', at: kmUpTheRoad(1) }),
    createTestUser(server, { role: 'Duber', fullname: 'Pia Moor', at: kmUpTheRoad(2) }),
  ]);
  const { id: orderId } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id: orderId } });
  const params = { id: (await bud.api.readOrder({ params: { id: orderId } })).deliveries[0]?.id ?? '' };
  await duber.api['accept-delivery']({ params });

  const [budVisitor, duberVisitor] = [await openVisitor(DESKTOP), await openVisitor({ ...PHONE, isMapless: true })];
  await duberVisitor.context.grantPermissions(['geolocation']);
  await moveTo(duberVisitor, 3);
  await Promise.all([openDashboard(budVisitor, server, bud), openDashboard(duberVisitor, server, duber)]);
  await budVisitor.page.goto(`/#/bud/deliveries/${params.id}`);
  await duberVisitor.page.goto(`/#/duber/deliveries/${params.id}`);

  const shareSwitch = duberVisitor.page.getByRole('switch', { name: 'Share my location while I’m on the way' });
  await expect(shareSwitch).not.toBeChecked();
  await shareSwitch.click();
  await expect(shareSwitch).toBeChecked();
  await expect(card(duberVisitor.page, 'Your location')).toContainText('Sharing starts when you set out');
  expect((await bud.api.readPosition({ params })).position, 'not yet on the way').toBeNull();

  const places = card(budVisitor.page, 'Pickup & Drop Locations');
  const driver = places.getByRole('img', { name: /^The driver/ });
  await expect(
    places.locator('[aria-busy="false"] canvas'),
    'the map is drawn before the first position',
  ).toBeVisible();
  const answer = await holdFirstPosition(budVisitor, duberVisitor);
  await takeDeliverySteps(duberVisitor.page, 'Accepted', 'Way To Pick');
  await expect(places).toContainText('Pia was last seen just now, 3.00 km from the pickup.');
  await answer();
  await expect.poll(() => isInside(driver, places.locator('canvas'))).toBe(true);
  const arrival = places.locator('[data-arrival]');
  await expect(places).toContainText('Pia is on the way to you');
  await expect(arrival).toHaveText(/ \d+–\d+ min$/);
  // Before the slow checks: a position of more than three minutes ago has no way ahead.
  const { ahead: farAway } = await bud.api.readRoute({ params });
  await expect.poll(() => isAbove(places, card(budVisitor.page, 'Delivery Status'))).toBe(true);
  await expectAccessible(budVisitor.page, 'Delivery, with the driver on the way');
  await expect(card(duberVisitor.page, 'Your location')).toContainText('Shared with both of them');
  await expectAccessible(duberVisitor.page, 'Delivery, with a shared position');
  await moveTo(duberVisitor, 0.5);
  await expect(places).toContainText('0.50 km from the pickup.');
  const { ahead } = await bud.api.readRoute({ params });
  expect(ahead?.followsStreets).toBe(true);
  expect(ahead?.distanceInMeters).toBeLessThan(farAway?.distanceInMeters ?? 0);
  await takeDeliverySteps(duberVisitor.page, 'Way To Pick', 'Collected');
  // The last known position stays visible with its age.
  await moveTo(duberVisitor, 0);
  await expect(places).toContainText(/last seen (just now|\d+ seconds ago), \d\.\d\d km from the drop/);

  await test.step('an old position says how old it is', async () => {
    const stop = await makePositionsOld(budVisitor, { minutes: 5 });
    await expect(driver).toHaveAccessibleName('The driver, 5 minutes ago');
    await expect(driver).toHaveText('5 minutes ago');
    await expect(arrival, 'nobody knows how long it takes from there').toHaveCount(0);
    await stop();
    await budVisitor.page.reload();
    await expect(driver).toHaveText('');
  });

  await shareSwitch.click();
  await expect(shareSwitch).not.toBeChecked();
  await expect(places).not.toContainText('last seen');
  expect((await scrub.api.readPosition({ params })).position).toBeNull();
  // A Duber who has just switched it off is not asked on the next way.
  await takeDeliverySteps(duberVisitor.page, 'Collected', 'Way To Drop');
  await expect(card(duberVisitor.page, 'Let them see you coming?')).toHaveCount(0);
});

test('nearby deliveries are searched around the phone if the Duber allows it, and the page does not ask on load', async ({
  server,
  openVisitor,
}) => {
  // The Duber's home is 30 km from the phone, and both are far away from the users of the other journeys.
  const [phoneLocation, home] = [
    { latitude: 24.2, longitude: 67.6 },
    { latitude: 24.2, longitude: 67.9 },
  ];
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Kira Sand', at: phoneLocation }),
    createTestUser(server, { role: 'Scrub', fullname: 'Olaf Reeds', at: phoneLocation }),
    createTestUser(server, { role: 'Duber', fullname: 'Zoe Lark', at: home }),
  ]);
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const visitor = await openVisitor(OFFLINE_PHONE);
  await openDashboard(visitor, server, duber);
  await expect(visitor.page.getByText('Near your first address.')).toBeVisible();
  await expect(visitor.page.getByText('No new deliveries available at the moment')).toBeVisible();
  await visitor.page.getByRole('button', { name: 'Search near me' }).click();
  await expectToast(visitor.page, 'Still searching near your address', 'Your browser did not share your location.');

  await visitor.context.grantPermissions(['geolocation']);
  // Not exactly where the Bud is, so that it can be told apart.
  await visitor.context.setGeolocation({ ...phoneLocation, latitude: 24.20137 });
  await visitor.page.getByRole('button', { name: 'Search near me' }).click();
  await expect(visitor.page.getByText('Near your current location.')).toBeVisible();
  await expect(visitor.page.getByText('Bud Kira Sand')).toBeVisible();
  await visitor.page.reload();
  await expect(visitor.page.getByText('Bud Kira Sand')).toBeVisible();
  await waitUntilOfflineReady(visitor.page, 'Kira Sand');
  expect(await readOfflineCache(visitor.page), 'the position of the phone is not stored').not.toContain('24.20137');

  await test.step('a Duber who sets out is asked whether to share the position', async () => {
    await visitor.page.getByRole('button', { name: 'Accept 👍' }).click();
    await expectToast(visitor.page, 'Congratulations!');
    await card(visitor.page, 'Active Delivery').getByRole('link', { name: 'View Details' }).click();
    const question = card(visitor.page, 'Let them see you coming?');
    await expect(visitor.page.getByRole('button', { name: 'On The Way to Pickup' })).toBeVisible();
    await expect(question).toHaveCount(0);
    await takeDeliverySteps(visitor.page, 'Accepted', 'Way To Pick');
    await checkWithAxe(visitor.page, 'Delivery, with the question about the position');
  });

  await test.step('a browser that refuses says so, and the question does not come back', async () => {
    const question = card(visitor.page, 'Let them see you coming?');
    const yours = card(visitor.page, 'Your location');
    await visitor.context.clearPermissions();
    await question.getByRole('button', { name: 'Share My Location' }).click();
    await expect(yours).toContainText('Your browser is blocking this');
    await expect(question).toHaveCount(0);
    await visitor.page.reload();
    await expect(yours).toContainText('Off.');
    await expect(question).toHaveCount(0);
    await visitor.context.grantPermissions(['geolocation']);
    await yours.getByRole('switch').click();
    await expect(yours).toContainText('Shared with both of them');
  });

  await test.step('a browser that has forgotten its permission asks again after a tap', async () => {
    const yours = card(visitor.page, 'Your location');
    await visitor.page.goto('about:blank');
    await visitor.context.clearPermissions();
    await visitor.page.goBack();
    await expect(yours).toContainText('Off.');
    await visitor.context.grantPermissions(['geolocation']);
    await yours.getByRole('switch').click();
    await expect(yours).toContainText('Shared with both of them');
  });
});
