import type { Page } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { DESKTOP, expect, PHONE, test } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { expectOrderStatus, orderStatusCard } from './screens/orders.ts';

// On a country road that leads north-west: where no streets are known, no arrival is foretold.
const HOME = { latitude: 24.14, longitude: 66.88 };
const UP_THE_ROAD = { latitude: 24.1462, longitude: 66.8729 };
const FURTHER_UP = { latitude: 24.1524, longitude: 66.8657 };

/** How much of the page may move while nobody touches it, over a whole order. */
const MOST_SHIFT = 0.02;
const MOST_CARDS = 3;
const MOST_HEIGHT_PX = 1300;

/** Adds up from now on what moves on the page without anybody's touch. */
const WATCH_SHIFTS = `globalThis.shifts = [];
globalThis.shiftObserver = new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node }) => node?.className || node?.nodeName) });
});
shiftObserver.observe({ type: 'layout-shift' });`;

/** The layout shift since then, once the next frame is drawn. */
const READ_SHIFTS = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(shifts)))),
)`;

type Shift = { readonly value: number; readonly moved: readonly string[] };

async function createPeople(server: ProductServer, name: string) {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: `${name} Bud`, at: HOME }),
    createTestUser(server, { role: 'Scrub', fullname: `${name} Scrub`, at: FURTHER_UP }),
    createTestUser(server, { role: 'Duber', fullname: `${name} Duber`, at: HOME }),
  ]);
  return { bud, scrub, duber };
}

const stop = (page: Page) => orderStatusCard(page).locator('[aria-current=step]');

/** Takes one delivery of the order from its offer to its end. After each step the page says what it means. */
async function carry(
  { page, bud, duber, orderId }: { page: Page; bud: TestUser; duber: TestUser; orderId: string },
  sentences: readonly [coming: string, carried: string, end: string],
  stops: readonly [coming: string, carried: string, end: string],
): Promise<void> {
  const { deliveries } = await bud.api.readOrder({ params: { id: orderId } });
  const params = { id: deliveries.at(-1)?.id ?? '' };
  await duber.api['accept-delivery']({ params });
  await duber.api['way-to-pickup']({ params });
  await expect(orderStatusCard(page)).toContainText(sentences[0]);
  await expect(stop(page)).toHaveText(stops[0]);
  // As a phone does, again and again: when the page is drawn slowly, the first place is too old to foretell an arrival.
  await expect(async () => {
    await duber.api.sharePosition({ params, body: UP_THE_ROAD });
    const arrival = orderStatusCard(page).locator('[data-arrival]');
    await expect(arrival).toHaveText(/ at \d+:\d\d.*[ap]m$/, { timeout: 20_000 });
  }).toPass();
  await duber.api.collected({ params });
  await expect(orderStatusCard(page)).toContainText('Calm has the laundry.');
  await duber.api['way-to-drop']({ params });
  await expect(orderStatusCard(page)).toContainText(sentences[1]);
  await expect(stop(page)).toHaveText(stops[1]);
  await duber.api.delivered({ params });
  await expect(orderStatusCard(page)).toContainText(sentences[2]);
  await expect(stop(page)).toHaveText(stops[2]);
}

for (const [device, options] of [
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const)
  test(`on ${device} nothing moves on the page of an order from its request until the laundry is home`, async ({
    server,
    openVisitor,
  }) => {
    const { bud, scrub, duber } = await createPeople(server, `Calm ${device.replace('a ', '')}`);
    const { id } = await placeOrder(bud, scrub);
    const params = { id };
    const visitor = await openVisitor(options);
    const { page } = visitor;
    await openDashboard(visitor, server, bud);
    await page.goto(`/#/bud/orders/${id}`);
    await expectOrderStatus(page, 'Requested');
    const map = orderStatusCard(page).locator('[aria-busy="false"] canvas');
    await expect(map).toBeVisible();
    const top = (await map.boundingBox())?.y;
    await page.evaluate(WATCH_SHIFTS);

    await scrub.api['accept-order']({ params });
    await expectOrderStatus(page, 'Accepted');
    await expect(page.getByText('Prove the hand-over')).toBeVisible();
    if (device === 'a phone') {
      // The folds are a card as well.
      const sections = page.locator('main section:not(section section)').filter({ visible: true });
      expect(await sections.count()).toBeLessThan(MOST_CARDS);
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(MOST_HEIGHT_PX);
    }
    const people = { page, bud, duber, orderId: id };
    const scrubName = scrub.fullname;
    await carry(
      people,
      ['Calm is on the way to you.', 'Calm is bringing the laundry to Calm.', `with ${scrubName}, who will start soon`],
      ['Accepted', 'Picked up', 'Picked up'],
    );
    await scrub.api['start-order']({ params });
    await expect(stop(page)).toHaveText('Washing');
    await scrub.api['complete-order']({ params });
    await expect(stop(page)).toHaveText('Washed');
    await expect(map).toBeVisible();
    expect((await map.boundingBox())?.y, 'the map stays where it is').toBe(top);
    await expect(page.getByText('How was it?'), 'nobody asks before the laundry is home').toHaveCount(0);
    await carry(
      people,
      [
        'Calm is on the way to Calm.',
        'Calm is bringing the laundry to you.',
        'Your laundry is done and back with you.',
      ],
      ['Washed', 'On its way', 'Home'],
    );
    await expect(page.getByRole('heading', { name: 'Home again. How was it?' })).toBeVisible();
    const shifts = (await page.evaluate(READ_SHIFTS)) as readonly Shift[];
    const sum = shifts.reduce((total, { value }) => total + value, 0);
    expect(sum, JSON.stringify(shifts)).toBeLessThanOrEqual(MOST_SHIFT);
  });
