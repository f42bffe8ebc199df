import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { findLayoutProblems } from './layoutProblems.ts';
import { goTo } from './screens/pageElements.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.7, longitude: 68.6 };
const WIDTHS = [320, 390, 768, 1024, 1280] as const;

test('an order is found by the number that somebody says on the phone', async ({ server, openVisitor }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Nora Number', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Ned Number', at: LOCATION }),
  ]);
  const placed = await placeOrder(bud, scrub);
  const other = await placeOrder(bud, scrub);
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await goTo(page, 'Orders');
  const rows = page.locator('[data-row]');
  const search = page.getByRole('searchbox', { name: 'Order number' });
  await expect(rows).toHaveCount(2);
  await search.fill(placed.number.slice(2));
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(placed.number);

  await search.fill('socks');
  await expect(page.getByText('A number looks like R-1042')).toBeVisible();
  await expect(search).toHaveAttribute('aria-invalid', 'true');
  await expect(rows).toHaveCount(2);

  await search.fill('R-7');
  await search.press('Enter');
  await expect(page.getByText('None of your orders has the number R-7.')).toBeVisible();
  for (const width of WIDTHS) expect.soft(await findLayoutProblems(page, width), `${width} px`).toEqual([]);
  await page.getByRole('button', { name: 'Show All' }).click();
  await expect(rows).toHaveCount(2);
  await expect(search).toHaveValue('');

  await search.fill(other.number.toLowerCase());
  await expect(rows).toHaveCount(1);
  await rows.getByRole('link', { name: 'View Details' }).click();
  await expect(page.getByText(`Order ${other.number} with Ned Number`)).toBeVisible();
  // Back leads to the order that was found, and not through what was typed.
  await page.goBack();
  await expect(search).toHaveValue(other.number.toLowerCase());
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(other.number);
});
