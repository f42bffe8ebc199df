import { randomUUID } from 'node:crypto';
import { ORDER_STATUSES } from '../../domain/orders.ts';
import { createTestUser } from '../accounts.ts';
import { takeScreenshots, test } from './screenshots.ts';
import {
  firstRow,
  heading,
  mapCanvas,
  screenshotAllStates,
  screenshotLoadingAndFailed,
  screenshotState,
  text,
} from './states.ts';

const SCRUB = 'scrub@rubadub.test';
const REMOTE_LOCATION = { latitude: 24.09, longitude: 67.06 };

test('dashboard, lists and earnings', async ({ server, signIn }) => {
  const scrub = await signIn(SCRUB);
  await screenshotAllStates(scrub, { name: 'scrub dashboard', path: '/scrub/dashboard', ready: firstRow });
  await screenshotAllStates(scrub, { name: 'scrub jobs', path: '/scrub/jobs', ready: firstRow });
  await screenshotAllStates(scrub, { name: 'scrub deliveries', path: '/scrub/deliveries', ready: firstRow });
  await screenshotAllStates(scrub, { name: 'scrub earnings', path: '/scrub/earnings', ready: firstRow });
  const newScrub = await signIn(
    (await createTestUser(server, { role: 'Scrub', fullname: 'Nova Scrub', at: REMOTE_LOCATION })).email,
  );
  const none = text('No jobs available at the moment');
  await screenshotState(newScrub, { name: 'scrub dashboard', path: '/scrub/dashboard', ready: none }, 'empty');
  await screenshotState(newScrub, { name: 'scrub jobs', path: '/scrub/jobs', ready: none }, 'empty');
  const unpaid = text('No payouts yet.');
  await screenshotState(newScrub, { name: 'scrub earnings', path: '/scrub/earnings', ready: unpaid }, 'empty');
});

test('the statement of a payout', async ({ signIn }) => {
  const scrub = await signIn(SCRUB);
  const id = (await scrub.api.earnings()).payouts[0]?.id;
  const page = await scrub.newPage();
  await page.goto(`/#/scrub/earnings/${id}`);
  await firstRow(page).waitFor();
  await takeScreenshots(page, 'scrub statement', 'full');
});

test('a job in each status', async ({ signIn }) => {
  const scrub = await signIn(SCRUB);
  const { items } = (await scrub.api.listOrders({ query: { pageSize: '100' } })).data;
  for (const status of ORDER_STATUSES) {
    const id = items.find((order) => order.status === status)?.id;
    if (id === undefined) continue;
    await screenshotState(scrub, { name: 'scrub job', path: `/scrub/jobs/${id}`, ready: mapCanvas }, status);
  }
  await screenshotLoadingAndFailed(scrub, { name: 'scrub job', path: `/scrub/jobs/${items[0]?.id}`, ready: mapCanvas });
  const absent = heading('Order Not Found');
  await screenshotState(scrub, { name: 'scrub job', path: `/scrub/jobs/${randomUUID()}`, ready: absent }, 'not found');
  const delivery = (await scrub.api.listDeliveries({ query: { pageSize: '100' } })).data.items.find(
    ({ status }) => status === 'Delivered',
  );

  await screenshotAllStates(
    scrub,
    { name: 'scrub delivery', path: `/scrub/deliveries/${delivery?.id}`, ready: mapCanvas },
    'Delivered',
  );
});

test('a toast and the More menu', async ({ signIn }) => {
  const page = await (await signIn(SCRUB)).newPage();
  await page.goto('/#/scrub/dashboard');
  await firstRow(page).waitFor();
  await page.getByRole('switch', { name: 'Visibility' }).click();
  const close = page.getByRole('button', { name: 'Close notification' });
  // A focused toast does not close.
  await close.focus();
  await takeScreenshots(page, 'shell', 'toast');
  await close.click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'More' }).click();
  await takeScreenshots(page, 'shell', 'more', { only: 'phone' });
});
