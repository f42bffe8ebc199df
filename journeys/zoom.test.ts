import type { Page } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, PHONE, test } from './journey.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.9, longitude: 67.9 };

/** Doubles the font size, as the settings of a browser do. */
async function doubleFontSize(page: Page): Promise<void> {
  await page.addStyleTag({ content: 'html { font-size: 200% !important; }' });
}

/** Checks that no element is wider than the screen, so that nobody has to scroll sideways to read a line. */
async function expectToFit(page: Page, path: string): Promise<void> {
  await page.goto(`/#${path}`);
  await doubleFontSize(page);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  const overflowing = await page.evaluate<string[]>(`(() => {
    const limit = document.documentElement.clientWidth + 1;
    const canScroll = (element) => element !== null
      && (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) || canScroll(element.parentElement));
    return [...document.querySelectorAll('body *')].filter((element) => {
      const { right, width } = element.getBoundingClientRect();
      return right > limit && width > 0 && !canScroll(element.parentElement);
    }).map((element) => element.outerHTML.slice(0, 120));
  })()`);
  expect.soft(overflowing, `${path} with a doubled font size`).toEqual([]);
}

test('every screen fits a phone with a doubled font size', async ({ server, openVisitor }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Zoe Zoom', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Zack Zoom', at: LOCATION }),
  ]);
  const duber = await createTestUser(server, { role: 'Duber', fullname: 'Zina Zoom', at: LOCATION });
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  const deliveryId = (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id;
  const device = { ...PHONE, isMapless: true };
  const signedOut = await openVisitor(device);
  for (const path of ['/', '/login', '/signup', '/auth/forgot-password', '/help', '/terms', '/privacy']) {
    await expectToFit(signedOut.page, path);
  }
  for (const [person, paths] of [
    [bud, ['dashboard', 'place-order', 'orders', `orders/${id}`, 'deliveries', `deliveries/${deliveryId}`]],
    [scrub, ['dashboard', 'jobs', `jobs/${id}`, 'deliveries', 'earnings']],
    [duber, ['dashboard', 'deliveries', `deliveries/${deliveryId}`, 'earnings']],
  ] as const) {
    const visitor = await openVisitor(device);
    await openDashboard(visitor, server, person);
    for (const path of paths) await expectToFit(visitor.page, `/${person.role.toLowerCase()}/${path}`);
    for (const path of ['/profile', '/faq']) await expectToFit(visitor.page, path);
  }
});
