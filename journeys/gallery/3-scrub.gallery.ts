import { randomUUID } from 'node:crypto';
import type { Earnings } from '../../contract/earnings.ts';
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

test('a scrub: dashboard, lists and earnings', async ({ server: house, signIn: sit }) => {
  const scrub = await sit(SCRUB);
  await screenshotAllStates(scrub, { name: 'scrub dashboard', path: '/scrub/dashboard', ready: firstRow });
  await screenshotAllStates(scrub, { name: 'scrub jobs', path: '/scrub/jobs', ready: firstRow });
  await screenshotAllStates(scrub, { name: 'scrub deliveries', path: '/scrub/deliveries', ready: firstRow });
  await screenshotAllStates(scrub, { name: 'scrub earnings', path: '/scrub/earnings', ready: text('No payouts yet.') });
  const nobody = await sit(
    (await createTestUser(house, { role: 'Scrub', fullname: 'Nova Scrub', at: REMOTE_LOCATION })).email,
  );
  const none = text('No jobs available at the moment');
  await screenshotState(nobody, { name: 'scrub dashboard', path: '/scrub/dashboard', ready: none }, 'empty');
  await screenshotState(nobody, { name: 'scrub jobs', path: '/scrub/jobs', ready: none }, 'empty');
  const unpaid = text('No payouts yet.');
  await screenshotState(nobody, { name: 'scrub earnings', path: '/scrub/earnings', ready: unpaid }, 'empty');
});

test('the statement of a payout', async ({ signIn: sit }) => {
  const page = await (await sit(SCRUB)).newPage();
  const id = randomUUID();
  // Payouts are made on Mondays: for a picture on any other day one is put into the answer.
  await page.route('**/api/earnings', async (route) => {
    const answer = await route.fetch();
    const all = (await answer.json()) as Earnings;
    const periodEnd = all.weeks.at(-1)?.from ?? '';
    const payout = { id, periodEnd, amount: all.balance, status: 'sent', createdAt: periodEnd, sentAt: periodEnd };
    await route.fulfill({ response: answer, json: { ...all, payouts: [payout] } });
  });
  await page.route('**/api/earnings/lines?*', async (route) => {
    await route.fulfill({ response: await route.fetch({ url: route.request().url().replace(/\?.*/, '') }) });
  });
  await page.goto('/#/scrub/earnings');
  await firstRow(page).waitFor();
  await takeScreenshots(page, 'scrub earnings', 'paid');
  await page.goto(`/#/scrub/earnings/${id}`);
  await firstRow(page).waitFor();
  await takeScreenshots(page, 'scrub statement', 'full');
});

test('a job in each status', async ({ signIn: sit }) => {
  const scrub = await sit(SCRUB);
  const { items } = (await scrub.api.listOrders({ query: { pageSize: '100' } })).data;
  for (const status of ORDER_STATUSES) {
    const id = items.find((order) => order.status === status)?.id;
    if (id === undefined) continue;
    await screenshotState(scrub, { name: 'scrub job', path: `/scrub/jobs/${id}`, ready: mapCanvas }, status);
  }
  await screenshotLoadingAndFailed(scrub, { name: 'scrub job', path: `/scrub/jobs/${items[0]?.id}`, ready: mapCanvas });
  const absent = heading('Order Not Found');
  await screenshotState(scrub, { name: 'scrub job', path: `/scrub/jobs/${randomUUID()}`, ready: absent }, 'not found');
  const trip = (await scrub.api.listDeliveries({ query: { pageSize: '100' } })).data.items.find(
    ({ status }) => status === 'Delivered',
  );

  await screenshotAllStates(
    scrub,
    { name: 'scrub delivery', path: `/scrub/deliveries/${trip?.id}`, ready: mapCanvas },
    'Delivered',
  );
});

test('a toast, and what is behind More', async ({ signIn: sit }) => {
  const page = await (await sit(SCRUB)).newPage();
  await page.goto('/#/scrub/dashboard');
  await firstRow(page).waitFor();
  await page.getByRole('switch', { name: 'Visibility' }).click();
  const close = page.getByRole('button', { name: 'Close notification' });
  // A toast that has the focus stays.
  await close.focus();
  await takeScreenshots(page, 'shell', 'toast');
  await close.click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'More' }).click();
  await takeScreenshots(page, 'shell', 'more', { only: 390 });
});
