import { randomUUID } from 'node:crypto';
import type { Earnings } from '../../contract/earnings.ts';
import { ORDER_STATUSES } from '../../domain/orders.ts';
import { makePerson } from '../accounts.ts';
import { shoot, test } from './camera.ts';
import { heading, map, row, shootAll, shootState, shootTrouble, text } from './states.ts';

const SCRUB = 'scrub@rubadub.test';
const FAR = { latitude: 24.09, longitude: 67.06 };

test('a scrub: dashboard, lists and earnings', async ({ house, sit }) => {
  const scrub = await sit(SCRUB);
  await shootAll(scrub, { name: 'scrub dashboard', path: '/scrub/dashboard', ready: row });
  await shootAll(scrub, { name: 'scrub jobs', path: '/scrub/jobs', ready: row });
  await shootAll(scrub, { name: 'scrub deliveries', path: '/scrub/deliveries', ready: row });
  await shootAll(scrub, { name: 'scrub earnings', path: '/scrub/earnings', ready: text('No payouts yet.') });
  const nobody = await sit((await makePerson(house, { role: 'Scrub', fullname: 'Nova Scrub', at: FAR })).email);
  const none = text('No jobs available at the moment');
  await shootState(nobody, { name: 'scrub dashboard', path: '/scrub/dashboard', ready: none }, 'empty');
  await shootState(nobody, { name: 'scrub jobs', path: '/scrub/jobs', ready: none }, 'empty');
  const unpaid = text('No payouts yet.');
  await shootState(nobody, { name: 'scrub earnings', path: '/scrub/earnings', ready: unpaid }, 'empty');
});

test('the statement of a payout', async ({ sit }) => {
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
  await row(page).waitFor();
  await shoot(page, 'scrub earnings', 'paid');
  await page.goto(`/#/scrub/earnings/${id}`);
  await row(page).waitFor();
  await shoot(page, 'scrub statement', 'full');
});

test('a job in each status', async ({ sit }) => {
  const scrub = await sit(SCRUB);
  const { items } = (await scrub.api.listOrders({ query: { pageSize: '100' } })).data;
  for (const status of ORDER_STATUSES) {
    const id = items.find((order) => order.status === status)?.id;
    if (id === undefined) continue;
    await shootState(scrub, { name: 'scrub job', path: `/scrub/jobs/${id}`, ready: map }, status);
  }
  await shootTrouble(scrub, { name: 'scrub job', path: `/scrub/jobs/${items[0]?.id}`, ready: map });
  const absent = heading('Order Not Found');
  await shootState(scrub, { name: 'scrub job', path: `/scrub/jobs/${randomUUID()}`, ready: absent }, 'not found');
  const trip = (await scrub.api.listDeliveries({ query: { pageSize: '100' } })).data.items.find(
    ({ status }) => status === 'Delivered',
  );

  await shootAll(scrub, { name: 'scrub delivery', path: `/scrub/deliveries/${trip?.id}`, ready: map }, 'Delivered');
});

test('a toast, and what is behind More', async ({ sit }) => {
  const page = await (await sit(SCRUB)).newPage();
  await page.goto('/#/scrub/dashboard');
  await row(page).waitFor();
  await page.getByRole('switch', { name: 'Visibility' }).click();
  const close = page.getByRole('button', { name: 'Close notification' });
  // A toast that has the focus stays.
  await close.focus();
  await shoot(page, 'shell', 'toast');
  await close.click();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'More' }).click();
  await shoot(page, 'shell', 'more', { only: 390 });
});
