import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, MAPLESS, PHONE, test, type Visitor } from './journey.ts';
import { takeDeliverySteps } from './screens/deliveries.ts';
import { card, expectToast } from './screens/pageElements.ts';

// A quarter where nobody of the other journeys lives.
const LOCATION = { latitude: 24.2, longitude: 67.2 };
const kmNorth = (km: number) => ({ ...LOCATION, latitude: LOCATION.latitude + km / 111.195 });
const moveTo = ({ context }: Visitor, km: number) => context.setGeolocation(kmNorth(km));

test('the Bud sees the Duber come, only while they agree and are on the way', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(house, { role: 'Bud', fullname: 'Ines Brook', at: LOCATION }),
    createTestUser(house, { role: 'Scrub', fullname: 'Theo Linden', at: kmNorth(1) }),
    createTestUser(house, { role: 'Duber', fullname: 'Pia Moor', at: kmNorth(2) }),
  ]);
  const { id: orderId } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id: orderId } });
  const params = { id: (await bud.api.readOrder({ params: { id: orderId } })).deliveries[0]?.id ?? '' };
  await duber.api['accept-delivery']({ params });

  const [waiting, road] = [await arrive(MAPLESS), await arrive({ ...PHONE, isMapless: true })];
  await road.context.grantPermissions(['geolocation']);
  await moveTo(road, 3);
  await Promise.all([openDashboard(waiting, house, bud), openDashboard(road, house, duber)]);
  await waiting.page.goto(`/#/bud/deliveries/${params.id}`);
  await road.page.goto(`/#/duber/deliveries/${params.id}`);

  const share = road.page.getByRole('switch', { name: 'Share my position while on the way' });
  await expect(share).not.toBeChecked();
  await share.click();
  await expect(share).toBeChecked();
  await expect(card(road.page, 'Your position')).toContainText('It starts by itself when you are on the way');
  expect((await bud.api.readPosition({ params })).position, 'not yet on the way').toBeNull();

  const places = card(waiting.page, 'Pickup & Drop Locations');
  await takeDeliverySteps(road.page, 'Accepted', 'Way To Pick');
  await expect(places).toContainText('Pia was last seen just now, 3.00 km from the pickup.');
  await expect(card(road.page, 'Your position')).toContainText('Shared with both sides');
  await expectAccessible(road.page, 'a delivery whose Duber is seen');
  await moveTo(road, 0.5);
  await expect(places).toContainText('0.50 km from the pickup.');
  await takeDeliverySteps(road.page, 'Way To Pick', 'Collected');
  // Where they were seen last stays, and grows old in words.
  await moveTo(road, 0);
  await expect(places).toContainText(/last seen (just now|\d+ seconds ago), \d\.\d\d km from the drop/);

  await share.click();
  await expect(share).not.toBeChecked();
  await expect(places).not.toContainText('last seen');
  expect((await scrub.api.readPosition({ params })).position).toBeNull();
});

test('the deliveries nearby are those around the phone where that is allowed, and nobody is asked on load', async ({
  server: house,
  openVisitor: arrive,
}) => {
  // Far from everybody else, and from where the phone is.
  const [quarter, home] = [
    { ...LOCATION, longitude: 67.6 },
    { latitude: -24, longitude: 20 },
  ];
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(house, { role: 'Bud', fullname: 'Kira Sand', at: quarter }),
    createTestUser(house, { role: 'Scrub', fullname: 'Olaf Reeds', at: quarter }),
    createTestUser(house, { role: 'Duber', fullname: 'Zoe Lark', at: home }),
  ]);
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const away = await arrive({ ...PHONE, isMapless: true });
  await openDashboard(away, house, duber);
  await expect(away.page.getByText('Around your first address.')).toBeVisible();
  await expect(away.page.getByText('No new deliveries available at the moment')).toBeVisible();
  await away.page.getByRole('button', { name: 'Search around me' }).click();
  await expectToast(away.page, 'Still around your address', 'Your browser does not tell where you are.');

  await away.context.grantPermissions(['geolocation']);
  await away.context.setGeolocation(quarter);
  await away.page.getByRole('button', { name: 'Search around me' }).click();
  await expect(away.page.getByText('Around where you are now.')).toBeVisible();
  await expect(away.page.getByText('Kira Sand')).toBeVisible();
  await away.page.reload();
  await expect(away.page.getByText('Kira Sand')).toBeVisible();
});
