import type { Page } from '@playwright/test';
import { createTestUser, openDashboard } from './accounts.ts';
import { DESKTOP, expect, MAPLESS, PHONE, test, type Visitor } from './journey.ts';
import {
  createOrderScenario,
  createParticipants,
  detailPathsOf,
  ROLE_PATHS,
  SIGNED_OUT_PATHS,
} from './orderScenario.ts';
import { signUp } from './screens/accounts.ts';
import { DELIVERY_STATUS_LABELS, takeDeliverySteps } from './screens/deliveries.ts';
import { expectOrderStatus, fillCard, fillOrder, liveOrderCard, openDelivery, pay } from './screens/orders.ts';
import { acceptDialog, card, expectTimeline, goTo } from './screens/pageElements.ts';
import { pickByCoordinates } from './screens/places.ts';
import { expectReview, giveStars } from './screens/reviews.ts';
import { expectNoBareText, TRANSLATE_PAGE } from './translator.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.71, longitude: 67.93 };
const DEVICE = { ...PHONE, isMapless: true };

async function translate({ context }: Visitor): Promise<void> {
  await context.addInitScript(TRANSLATE_PAGE);
}

test('on pages that the browser translates, three people complete an order and read each new status', async ({
  server,
  openVisitor,
}) => {
  const visitors = [await openVisitor(DEVICE), await openVisitor(MAPLESS), await openVisitor(DEVICE)] as const;
  for (const visitor of visitors) await translate(visitor);
  const [bea, sol, dana] = [visitors[0].page, visitors[1].page, visitors[2].page];
  await signUp(bea, server, {
    role: 'Bud',
    fullname: 'Berta Font',
    email: 'berta.font@journeys.test',
    placePin: (page) => pickByCoordinates(page, LOCATION),
    address: '1 Font Row',
  });
  await expect(bea.locator('html')).not.toHaveAttribute('translate', 'no');
  await expect(bea.locator('main font').first()).toBeVisible();
  const [scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Scrub', fullname: 'Simon Font', at: LOCATION }),
    createTestUser(server, { role: 'Duber', fullname: 'Doris Font', at: LOCATION }),
  ]);
  await openDashboard(visitors[1], server, scrub);
  await openDashboard(visitors[2], server, duber);

  await test.step('the Bud orders', async () => {
    await bea.getByRole('main').getByRole('link', { name: 'Place New Order' }).first().click();
    await fillOrder(bea, { address: 'Default', scrub: scrub.fullname, load: 'Medium (3-5 lbs)' });
    await fillCard(bea);
    await pay(bea, '$26.83');
    await bea.getByRole('link', { name: 'View Details' }).click();
    await expectOrderStatus(bea, 'Requested');
  });
  await test.step('the Scrub accepts, and the Bud reads it', async () => {
    await openDetails(sol);
    await expectOrderStatus(sol, 'Requested');
    const question = 'Are you sure you want to perform this action?';
    await acceptDialog(sol, question, () => sol.getByRole('button', { name: 'Accept', exact: true }).click());
    await expectOrderStatus(sol, 'Accepted');
    await expectOrderStatus(bea, 'Accepted');
    await openDelivery(bea, 'Bud → Scrub');
    await expectDeliveryStatus(bea, 'Pending');
  });
  await test.step('the Duber takes the laundry to the Scrub, and the Bud reads each step', async () => {
    await openDetails(dana);
    for (const [index, until] of DELIVERY_STATUS_LABELS.slice(1).entries()) {
      await takeDeliverySteps(dana, DELIVERY_STATUS_LABELS[index] ?? '', until);
      await expectDeliveryStatus(bea, until);
    }
    await expectTimeline(card(bea, 'Delivery Status').getByRole('list'), DELIVERY_STATUS_LABELS);
  });
  await test.step('the Scrub does the laundry', async () => {
    await expect(sol.getByText('The laundry has arrived.')).toBeVisible();
    await sol.getByRole('button', { name: 'Start Job' }).click();
    await expectOrderStatus(sol, 'In_Progress');
    await goTo(bea, 'Dashboard');
    await expect(liveOrderCard(bea)).toContainText('Simon Font is doing your laundry.');
    await sol.getByRole('button', { name: 'Complete Job' }).click();
    await expectOrderStatus(sol, 'Completed');
  });
  await test.step('the Duber takes the laundry back', async () => {
    await goTo(dana, 'Dashboard');
    // The finished delivery is listed below the waiting ones.
    const waiting = dana.getByRole('list', { name: 'Deliveries – Waiting For You' });
    await waiting.getByRole('link', { name: 'View Details' }).click();
    await takeDeliverySteps(dana, 'Pending', 'Delivered');
    await expect(liveOrderCard(bea)).toHaveCount(0);
  });
  await test.step('the Bud and the Scrub review each other', async () => {
    await openDetails(bea);
    await giveStars(bea, scrub.fullname, { rating: 4, message: 'Clean in every language.' });
    await expectReview(sol, 'Bud Review', { rating: 4, message: 'Clean in every language.' });
  });
});

const openDetails = (page: Page) => page.getByRole('main').getByRole('link', { name: 'View Details' }).first().click();

const expectDeliveryStatus = (page: Page, status: string) =>
  expect(card(page, 'Delivery Status').locator('[data-status]')).toHaveText(status);

test('no screen has text that a translator can take from beside other elements', async ({ server, openVisitor }) => {
  const people = await createParticipants(server, 'Bare');
  const paths = detailPathsOf(await createOrderScenario(people, 'Cold wash, please. No softener.'));
  for (const [role, user] of [
    ['Bud', people.bud],
    ['Scrub', people.scrub],
    ['Duber', people.duber],
  ] as const) {
    const visitor = await openVisitor(DESKTOP);
    await openDashboard(visitor, server, user);
    for (const path of [...ROLE_PATHS[role], ...paths[role]]) await expectNoBareTextAt(visitor.page, path);
  }
  const visitor = await openVisitor(MAPLESS);
  // The link of a mail that nobody got.
  visitor.allowErrors(404);
  const { page } = visitor;
  for (const path of SIGNED_OUT_PATHS) await expectNoBareTextAt(page, path);
});

async function expectNoBareTextAt(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`/#${path}`);
  // The prerendered pages have headings, too.
  await expect(page.locator('#root [data-prerendered]')).toHaveCount(0);
  await expect(page.locator('#root').getByRole('heading').first()).toBeVisible();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  await expectNoBareText(page);
}
