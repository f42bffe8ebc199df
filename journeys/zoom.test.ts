import type { Page } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, PHONE, test } from './journey.ts';

// A quarter of its own.
const LOCATION = { latitude: 24.9, longitude: 67.9 };

/** Letters twice as large, as in the settings of a browser. */
async function doubleFontSize(page: Page): Promise<void> {
  await page.addStyleTag({ content: 'html { font-size: 200% !important; }' });
}

/** Nothing sticks out sideways, where a person would have to scroll in two directions to read a line. */
async function expectToFit(page: Page, path: string): Promise<void> {
  await page.goto(`/#${path}`);
  await doubleFontSize(page);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  const wide = await page.evaluate<string[]>(`(() => {
    const limit = document.documentElement.clientWidth + 1;
    const scrolls = (one) => one !== null && (/auto|scroll|hidden/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
    return [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > limit && one.getBoundingClientRect().width > 0 && !scrolls(one.parentElement))
      .map((one) => one.outerHTML.slice(0, 120));
  })()`);
  expect.soft(wide, `${path} at twice the size`).toEqual([]);
}

test('with letters twice as large every screen still fits a phone', async ({ server: house, openVisitor: arrive }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(house, { role: 'Bud', fullname: 'Zoe Zoom', at: LOCATION }),
    createTestUser(house, { role: 'Scrub', fullname: 'Zack Zoom', at: LOCATION }),
  ]);
  const duber = await createTestUser(house, { role: 'Duber', fullname: 'Zina Zoom', at: LOCATION });
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const leg = (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id;
  const small = { ...PHONE, isMapless: true };
  const stranger = await arrive(small);
  for (const path of ['/', '/login', '/signup', '/auth/forgot-password', '/terms', '/privacy']) {
    await expectToFit(stranger.page, path);
  }
  for (const [person, paths] of [
    [bud, ['dashboard', 'place-order', 'orders', `orders/${id}`, 'deliveries', `deliveries/${leg}`]],
    [scrub, ['dashboard', 'jobs', `jobs/${id}`, 'deliveries', 'earnings']],
    [duber, ['dashboard', 'deliveries', `deliveries/${leg}`, 'earnings']],
  ] as const) {
    const visitor = await arrive(small);
    await openDashboard(visitor, house, person);
    for (const path of paths) await expectToFit(visitor.page, `/${person.role.toLowerCase()}/${path}`);
    for (const path of ['/profile', '/faq']) await expectToFit(visitor.page, path);
  }
});
