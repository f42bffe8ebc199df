import type { Page } from '@playwright/test';
import { blockEventStream, createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { expectOrderStatus } from './screens/orders.ts';
import { openFold } from './screens/pageElements.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.5, longitude: 67.5 };

const EMPTY_TEXTS = {
  Bud: 'No orders yet. Place your first order!',
  Scrub: 'No jobs available at the moment',
  Duber: 'No recent deliveries available right now',
};

/** The API requests of a page that were answered, as paths with their query. A page gives up one that takes too long, and asks again. */
function watchAnswers(page: Page): string[] {
  const paths: string[] = [];
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url());
    if (pathname.startsWith('/api/')) paths.push(pathname.slice('/api'.length) + search);
  });
  return paths;
}

test('a dashboard asks once, and only for what it shows', async ({ server, openVisitor }) => {
  for (const role of ['Bud', 'Scrub', 'Duber'] as const) {
    const visitor = await openVisitor(MAPLESS);
    const user = await createTestUser(server, { role, fullname: `Vera ${role}son`, at: LOCATION });
    const answers = watchAnswers(visitor.page);
    // A stream that breaks on a slow machine would have the dashboard asked for again.
    await blockEventStream(visitor);
    await openDashboard(visitor, server, user);
    await expect(visitor.page.getByText(EMPTY_TEXTS[role])).toBeVisible();
    const asked = answers.filter((path) => path.startsWith('/dashboards/'));
    expect(asked).toHaveLength(1);
    const { pathname, searchParams } = new URL(asked[0] ?? '', 'http://server');
    expect(pathname).toBe(`/dashboards/${role.toLowerCase()}`);
    expect(searchParams.get('fields')).not.toBeNull();
  }
});

test('the page of an order waits for the whole order, and does not show a row of the list as one', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Lena Brandt', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Emil Foss', at: LOCATION }),
  ]);
  const { id } = await placeOrder(bud, scrub);
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  const link = page.getByRole('link', { name: 'View Details' }).first();
  await expect(link).toBeVisible();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route(`**/api/scrub-orders/${id}`, async (route) => {
    await answered;
    await route.continue();
  });
  await link.click();
  await expect(page).toHaveURL(new RegExp(`/bud/orders/${id}$`));
  await expect(page.getByText('Service Details')).toHaveCount(0);
  answer();
  await expectOrderStatus(page, 'Requested');
  await openFold(page, 'Details');
  await expect(page.getByText('The house of Lena Brandt').first()).toBeVisible();
});
