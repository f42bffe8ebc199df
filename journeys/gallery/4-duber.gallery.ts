import { randomUUID } from 'node:crypto';
import { DELIVERY_STATUSES } from '../../domain/deliveries.ts';
import { createTestUser } from '../accounts.ts';
import { createOnLineOverride } from '../journey.ts';
import { waitUntilOfflineReady } from '../offlineReady.ts';
import { takeScreenshots, test } from './screenshots.ts';
import { firstRow, heading, mapCanvas, screenshotAllStates, screenshotState, text } from './states.ts';

const DUBER = 'duber@rubadub.test';
const REMOTE_LOCATION = { latitude: 24.09, longitude: 67.06 };

test('dashboard, list and earnings', async ({ server, signIn }) => {
  const duber = await signIn(DUBER);
  await screenshotAllStates(duber, { name: 'duber dashboard', path: '/duber/dashboard', ready: firstRow }, 'waiting');
  await screenshotAllStates(duber, { name: 'duber deliveries', path: '/duber/deliveries', ready: firstRow });
  await screenshotAllStates(duber, { name: 'duber earnings', path: '/duber/earnings', ready: firstRow });
  const busyDuber = await signIn('ines@rubadub.test');
  const active = heading('Active Delivery');
  await screenshotState(busyDuber, { name: 'duber dashboard', path: '/duber/dashboard', ready: active }, 'active');
  const newDuber = await signIn(
    (await createTestUser(server, { role: 'Duber', fullname: 'Nova Duber', at: REMOTE_LOCATION })).email,
  );
  const none = text('No recent deliveries available right now');
  await screenshotState(newDuber, { name: 'duber dashboard', path: '/duber/dashboard', ready: none }, 'empty');
  await screenshotState(newDuber, { name: 'duber deliveries', path: '/duber/deliveries', ready: none }, 'empty');
});

test('a delivery in each status', async ({ signIn }) => {
  const done = new Set<string>();
  // The active delivery of each is in another status.
  for (const name of ['duber', 'ines', 'lena', 'arjun', 'kofi']) {
    const duber = await signIn(`${name}@rubadub.test`);
    const { items } = (await duber.api.listDeliveries({ query: { pageSize: '100' } })).data;
    for (const { id, status } of items) {
      if (done.has(status)) continue;
      done.add(status);
      await screenshotState(
        duber,
        { name: 'duber delivery', path: `/duber/deliveries/${id}`, ready: mapCanvas },
        numberedStatus(status),
      );
    }
  }
  const duber = await signIn(DUBER);
  const waiting = (await duber.api.duberDashboard()).pendingDeliveries[0]?.delivery.id;
  await screenshotAllStates(
    duber,
    { name: 'duber delivery', path: `/duber/deliveries/${waiting}`, ready: mapCanvas },
    numberedStatus('Pending'),
  );
  const absent = heading('Delivery Not Found');
  const path = `/duber/deliveries/${randomUUID()}`;
  await screenshotState(duber, { name: 'duber delivery', path, ready: absent }, 'not found');
});

test('a delivery with the position of its driver, and one without a network', async ({ signIn }) => {
  const duber = await signIn('ines@rubadub.test');
  const active = (await duber.api.duberDashboard()).activeDelivery;
  if (!active) throw new Error('this Duber has no active delivery in the demo data');
  const params = { id: active.id };
  if (active.status === 'Accepted') await duber.api['way-to-pickup']({ params });
  if (active.status === 'Collected') await duber.api['way-to-drop']({ params });
  const { latitude, longitude } = active.order.budAddress;
  await duber.api.sharePosition({ params, body: { latitude: latitude + 0.004, longitude: longitude + 0.004 } });
  const bud = await signIn(active.bud.email ?? '');
  const path = `/bud/deliveries/${active.id}`;
  await screenshotState(bud, { name: 'bud delivery', path, ready: text(/was last seen/) }, 'driver seen');

  const page = await duber.newPage();
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(`/#/duber/deliveries/${active.id}`);
  await waitUntilOfflineReady(page, active.id);
  await page.context().setOffline(true);
  await createOnLineOverride(page.context())(true);
  await page.reload();
  await text(/You are offline/)(page).waitFor();
  await page.getByRole('region', { name: 'Next step' }).getByRole('button').first().click();
  await heading('Not sent yet')(page).waitFor();
  await takeScreenshots(page, 'duber delivery', 'without a network');
  await page.close();
});

const numberedStatus = (status: (typeof DELIVERY_STATUSES)[number]) =>
  `${DELIVERY_STATUSES.indexOf(status) + 1} ${status}`;
