import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { DESKTOP, expect, PHONE, test } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { fillCard } from './screens/orders.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 25.1, longitude: 69.1 };
const kmNorth = (km: number) => ({ ...LOCATION, latitude: LOCATION.latitude + km / 111.195 });

const scrubs = (page: Page) => page.getByRole('group', { name: 'Who should do your laundry?' }).getByRole('radio');
const mapOfScrubs = (page: Page) => page.getByRole('region', { name: 'Scrubs on the map' });
const radio = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const pressNext = (page: Page) => page.getByRole('button', { name: 'Next' }).click();

async function doAndReview(bud: TestUser, scrub: TestUser, rating: number): Promise<void> {
  const { id } = await placeOrder(bud, scrub);
  for (const step of ['accept-order', 'start-order', 'complete-order'] as const)
    await scrub.api[step]({ params: { id } });
  const body = { message: 'Soft and warm.', rating, scrubId: scrub.id };
  await bud.api.reviewToScrub({ params: { id }, body });
}

test('a Bud compares Scrubs by distance, rating and on a map, sees what each load costs, and tracks the new order', async ({
  server,
  openVisitor,
}) => {
  const [bud, near, far] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Cleo Choose', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Nils Near', at: kmNorth(1) }),
    createTestUser(server, { role: 'Scrub', fullname: 'Fara Far', at: kmNorth(3) }),
  ]);
  await doAndReview(bud, far, 4);
  const visitor = await openVisitor(DESKTOP);
  const { page } = visitor;
  const pricesAsked = new Set<string | null>();
  page.on('request', (request) => {
    if (request.url().endsWith('/calculate-price')) pricesAsked.add(request.postData());
  });
  await openDashboard(visitor, server, bud);
  await page.goto('/#/bud/place-order');
  await radio(page, 'Default').check();
  await pressNext(page);

  await test.step('she compares them', async () => {
    await expect(scrubs(page)).toHaveCount(2);
    await expect(scrubs(page).first()).toHaveAccessibleName(near.fullname);
    await expect(radio(page, near.fullname)).toHaveAccessibleDescription(/1\.00 km away .*No reviews yet/);
    await expect(radio(page, far.fullname)).toHaveAccessibleDescription(/Rated 4\.0 · 1 review$/);
    await page.getByLabel('Sort by').selectOption('Best rated first');
    await expect(scrubs(page).first()).toHaveAccessibleName(far.fullname);
    await expect(page.locator('[aria-busy="false"]', { has: page.locator('canvas') })).toBeVisible();
    await mapOfScrubs(page).getByRole('img', { name: near.fullname }).click();
    await expect(radio(page, near.fullname)).toBeChecked();
    await expectAccessible(page, 'Place order: Scrubs and their map');
    await resizeWindow(page, PHONE.viewport);
    await expect(mapOfScrubs(page)).toHaveCount(0);
    await expect(radio(page, near.fullname)).toBeChecked();
    await resizeWindow(page, DESKTOP.viewport);
  });

  await test.step('she sees the total of each load before she chooses one, as the summary has it', async () => {
    await pressNext(page);
    const large = radio(page, 'Large (6-8 lbs)');
    await expect(large).toHaveAccessibleDescription(/^A hamper, about 14 shirts \$\d+\.\d\d in total$/);
    await expect(radio(page, 'Small (1-2 lbs)')).toHaveAccessibleDescription('A tote, about 3 shirts $17.92 in total');
    await expect(radio(page, 'Medium (3-5 lbs)')).toHaveAccessibleDescription(
      'A basket, about 8 shirts $26.83 in total',
    );
    expect(pricesAsked.size, 'the price of step 1 says what each load costs').toBe(1);
    await page.getByRole('radio', { name: 'I bring it' }).check();
    await radio(page, 'Medium (3-5 lbs)').check();
    const body = { loadSize: 'Medium', selfDelivery: true, selfPickup: false } as const;
    const total = `$${(await bud.api.calculatePrice({ body })).totalPrice.toFixed(2)}`;
    expect(total).not.toBe('$26.83');
    await expect(page.getByRole('complementary', { name: 'Order Summary' })).toContainText(`Total${total}`);
    await expect(radio(page, 'Medium (3-5 lbs)')).toHaveAccessibleDescription(
      `A basket, about 8 shirts ${total} in total`,
    );
    expect(pricesAsked.size, 'each choice asks for one price at most').toBeLessThanOrEqual(3);
  });

  await test.step('the thanks say what happens next, and lead to the order', async () => {
    await page.getByRole('button', { name: 'Place Order' }).click();
    await fillCard(page);
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    const thanks = page.getByRole('dialog', { name: 'Thanks for your order!' });
    await expect(thanks.getByRole('listitem').nth(1)).toHaveText('You bring your laundry to Nils Near.');
    const picture = thanks.locator('[data-celebration]');
    const movements = () => picture.evaluate((svg) => svg.getAnimations({ subtree: true }).length);
    expect(await movements()).toBe(0);
    // The still picture keeps its bubbles, which the animation ends without.
    await expect(picture.locator('circle').first()).toHaveCSS('opacity', '1');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect.poll(movements).toBeGreaterThan(0);
    await thanks.getByRole('button', { name: 'Track order' }).click();
    await expect(page).toHaveURL(/\/#\/bud\/orders\/[\w-]{36}$/);
  });
});
