import type { Page } from '@playwright/test';
import { distanceInMeters, type Point } from '../domain/places.ts';
import { expectAccessible } from './accessibility.ts';
import { DESKTOP, expect, MAPLESS, PHONE, test, type VisitorOptions, WITH_SERVICE_WORKER } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { takeReadmeScreenshot } from './readmeScreenshots.ts';
import { signUp } from './screens/accounts.ts';
import { DELIVERY_STATUS_LABELS, takeDeliverySteps } from './screens/deliveries.ts';
import { readLanding } from './screens/landing.ts';
import {
  expectOrderStatus,
  fillCard,
  fillOrder,
  liveOrderCard,
  openDelivery,
  orderAgain,
  orderStatusCard,
  pay,
  readReceipt,
} from './screens/orders.ts';
import {
  acceptDialog,
  card,
  expectFigures,
  expectTimeline,
  expectToast,
  goTo,
  refresh,
} from './screens/pageElements.ts';
import { pickByCoordinates, pickBySearch } from './screens/places.ts';
import { expectReview, giveStars, submitReview } from './screens/reviews.ts';

// Three different devices: a desktop in light mode, a desktop in dark mode without maps, and a phone in dark mode.
const DEVICES = {
  bea: { ...DESKTOP, ...WITH_SERVICE_WORKER, colorScheme: 'light' },
  sol: { ...MAPLESS, ...WITH_SERVICE_WORKER, colorScheme: 'dark' },
  dana: { ...PHONE, ...WITH_SERVICE_WORKER, colorScheme: 'dark' },
} as const satisfies Record<string, VisitorOptions>;

const BEA = { role: 'Bud', fullname: 'Bea Larsen', email: 'bea@journeys.test', phone: '+12025550123' } as const;
const SOL = { role: 'Scrub', fullname: 'Sol Okafor', email: 'sol@journeys.test' } as const;
const DANA = { role: 'Duber', fullname: 'Dana Reyes', email: 'dana@journeys.test', phone: '+12025550177' } as const;

const HOME = '12 Heron Street';
const LAUNDRY = { address: '3 Foam Lane, Soapwick', latitude: 24.0121, longitude: 67.0064 };
const GARAGE = '40 Heron Street';
const INSTRUCTIONS = 'Cold wash, please. No softener on the towels.';

const REVIEWS = {
  scrub: { rating: 4, message: 'Fresh, folded and exactly what I asked for.' },
  bud: { rating: 5, message: 'Everything was sorted and ready at the door.' },
  duberByBud: { rating: 5, message: 'Quick and friendly, and rang only once.' },
  duberByScrub: { rating: 3, message: 'A little late, but the bags were dry.' },
} as const;

type Participants = { server: ProductServer; bea: Page; sol: Page; dana: Page };

test('three people complete an order, from their sign-ups to the last review', async ({ server, openVisitor }) => {
  const [bea, sol, dana] = (await Promise.all([DEVICES.bea, DEVICES.sol, DEVICES.dana].map(openVisitor))).map(
    ({ page }) => page,
  );
  if (!bea || !sol || !dana) throw new Error('a visitor is missing');
  const participants: Participants = { server, bea, sol, dana };

  await test.step('Bea reads the landing page', () => readLanding(bea));
  const [home, laundry] = await test.step('three people sign up', () => signUpAll(participants));
  const distance = distanceInMeters(home, laundry);
  await test.step('all dashboards are empty', () => expectEmptyDashboards(participants));
  await test.step('Bea places an order', () => placeOrder(participants));
  await test.step('Sol accepts the job', () => acceptJob(participants));
  await test.step('Dana takes the laundry to Sol', () => deliverToScrub(participants, distance));
  await test.step('Bea sees who delivered it', () => expectDeliveryDetails(participants));
  await test.step('Sol does the laundry', () => doLaundry(participants));
  await test.step('Dana takes the laundry back', () => deliverToBud(participants));
  await test.step('Bea and Sol review each other and Dana', () => reviewAll(participants));
  await test.step('Dana reads her reviews', () => readReviews(participants));
  await test.step('all dashboards show the totals', () => expectTotals(participants, distance));
  await test.step('Bea reads her receipt, and orders the same again', () => repeatOrder(participants));
  await test.step('all lists contain the order and its deliveries', () => findInLists(participants));
});

async function signUpAll({ server, bea, sol, dana }: Participants): Promise<readonly [Point, Point]> {
  const [home, laundry] = await Promise.all([
    signUp(bea, server, { ...BEA, placePin: (page) => pickBySearch(page, HOME) }),
    signUp(sol, server, { ...SOL, address: LAUNDRY.address, placePin: (page) => pickByCoordinates(page, LAUNDRY) }),
    signUp(dana, server, { ...DANA, placePin: (page) => pickBySearch(page, GARAGE) }),
  ]);
  return [home, laundry];
}

async function expectEmptyDashboards({ bea, sol, dana }: Participants): Promise<void> {
  await expect(bea.getByText('No orders yet. Place your first order!')).toBeVisible();
  await expectFigures(bea, { 'Total Orders': '0', 'Total Spent': '$0.00', 'Active Orders': '0', Completed: '0' });
  await expectAccessible(bea, 'Bud dashboard, empty');
  await expect(sol.getByRole('heading', { name: /^Hello/ })).toBeVisible();
  await expect(sol.getByText('No jobs available at the moment')).toBeVisible();
  await expectFigures(sol, { "Today's Earnings": '$0.00', 'Active Jobs': '0', Completed: '0' });
  await expect(sol.getByRole('switch', { name: 'Visibility' })).toBeChecked();
  await expectAccessible(sol, 'Scrub dashboard, empty');
  await expect(dana.getByRole('heading', { name: 'Hey there, Dana!' })).toBeVisible();
  await expect(dana.getByText('Ready to make some deliveries?')).toBeVisible();
  await expect(dana.getByText('No new deliveries available at the moment')).toBeVisible();
  await expect(dana.getByText('No recent deliveries available right now')).toBeVisible();
  await expectFigures(dana, { Earnings: '$0.00', 'Total Deliveries': '0', 'Distance Traveled': '0.00 km' });
  await expectAccessible(dana, 'Duber dashboard, empty');
}

async function placeOrder({ bea }: Participants): Promise<void> {
  await bea.getByRole('main').getByRole('link', { name: 'Place New Order' }).first().click();
  await fillOrder(bea, {
    address: 'Default',
    scrub: SOL.fullname,
    load: 'Medium (3-5 lbs)',
    instructions: INSTRUCTIONS,
  });
  const summary = bea.getByRole('complementary', { name: 'Order Summary' });
  for (const amount of ['$12.50', '$5.99', '$1.25', '$1.10', '$26.83']) await expect(summary).toContainText(amount);
  await fillCard(bea, { number: '4111 1111 1111 1111' });
  await expectAccessible(bea, 'Place order: Checkout');
  await pay(bea, '$26.83');
  await expect(bea.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  await expectAccessible(bea, 'My Orders');
  await bea.getByRole('link', { name: 'View Details' }).click();
  await expectOrderStatus(bea, 'Requested');
  await expect(bea.getByRole('button', { name: 'Cancel Order' })).toBeVisible();
  await expectAccessible(bea, 'Order, requested');
}

async function acceptJob({ sol, bea }: Participants): Promise<void> {
  await refresh(sol);
  await sol.getByRole('link', { name: 'View Details' }).click();
  await expectOrderStatus(sol, 'Requested');
  await expect(card(sol, 'Customer')).toContainText('+1 202 555 0123');
  await expect(card(sol, 'Service Details')).toContainText(INSTRUCTIONS);
  await expectAccessible(sol, 'Job, requested');
  const question = 'Are you sure you want to perform this action?';
  await acceptDialog(sol, question, () => sol.getByRole('button', { name: 'Accept', exact: true }).click());
  await expectToast(sol, 'Best Of Luck For The New Order');
  await expectOrderStatus(sol, 'Accepted');
  // From here on nobody refreshes: live updates show the steps of the others.
  await expectOrderStatus(bea, 'Accepted');
  await expect(bea.getByRole('button', { name: 'Cancel Order' })).toHaveCount(0);
  await openDelivery(bea, 'Bud → Scrub');
  await expect(card(bea, 'Driver')).toHaveText(/No Duber has accepted this delivery yet/);
  await expect(card(bea, 'Your Review')).toContainText('Not review yet');
}

async function deliverToScrub({ dana }: Participants, distance: number): Promise<void> {
  const waiting = dana.getByRole('list', { name: 'Deliveries – Waiting For You' });
  await expect(waiting.getByRole('listitem')).toHaveCount(1);
  await expect(waiting).toContainText('Bud → Scrub');
  await expect(waiting).toContainText(formatKm(distance));
  await expectAccessible(dana, 'Duber dashboard, waiting');
  await waiting.getByRole('link', { name: 'View Details' }).click();
  // Before accepting, a Duber sees only the customer's name.
  await expect(card(dana, 'Customer')).toHaveText(/Bea Larsen/);
  await expect(card(dana, 'Customer')).not.toContainText('@');
  await expectEarnings(dana);
  await expectPlaces(dana, [HOME, LAUNDRY.address]);
  await expectAccessible(dana, 'Delivery, pending, Duber');
  await takeDeliverySteps(dana, 'Pending', 'Collected');
  await expect(card(dana, 'Customer')).toContainText('+1 202 555 0123');
  await goTo(dana, 'Dashboard');
  const active = card(dana, 'Active Delivery');
  for (const words of ['Collected', 'Bud → Scrub', formatKm(distance), '$5.99', HOME, LAUNDRY.address])
    await expect(active).toContainText(words);
  await expect(dana.getByText('Deliveries – Waiting For You')).toHaveCount(0);
  await expectAccessible(dana, 'Duber dashboard, active');
  await active.getByRole('link', { name: 'View Details' }).click();
  await takeDeliverySteps(dana, 'Collected', 'Delivered');
  await expect(card(dana, 'Delivery Completed!')).toContainText('Great job!');
  await expect(dana.getByRole('region', { name: 'Next step' })).toHaveCount(0);
}

// 80, 15 and 5 % of $5.99, rounded to cents that add up to it.
async function expectEarnings(page: Page): Promise<void> {
  for (const amount of ['$4.79', '$0.90', '$0.30', '$5.99'])
    await expect(card(page, 'Delivery Earnings')).toContainText(amount);
}

async function expectPlaces(page: Page, [pickup, drop]: readonly [string, string]): Promise<void> {
  const locations = card(page, 'Pickup & Drop Locations').getByRole('listitem');
  await expect(locations).toHaveText([new RegExp(pickup), new RegExp(drop)]);
}

const formatKm = (meters: number) => `${(meters / 1000).toFixed(2)} km`;

async function expectDeliveryDetails({ bea }: Participants): Promise<void> {
  await expect(card(bea, 'Driver')).toContainText(DANA.fullname);
  await expect(card(bea, 'Driver')).toContainText(DANA.email);
  await expect(card(bea, 'Driver')).toContainText('+1 202 555 0177');
  await expect(card(bea, 'Delivery Completed!')).toContainText('The order was delivered');
  await expectTimeline(card(bea, 'Delivery Status').getByRole('list'), DELIVERY_STATUS_LABELS);
  await expectAccessible(bea, 'Delivery, delivered, Bud');
}

async function doLaundry({ sol, bea }: Participants): Promise<void> {
  await expect(sol.getByText('The laundry has arrived.')).toBeVisible();
  await sol.getByRole('button', { name: 'Start Job' }).click();
  await expectToast(sol, 'Your Job Starts Now!');
  await expectOrderStatus(sol, 'In_Progress');
  await goTo(bea, 'Dashboard');
  await expectFigures(bea, { 'Total Orders': '1', 'Total Spent': '$26.83', 'Active Orders': '1', Completed: '0' });
  await expect(liveOrderCard(bea)).toContainText('Sol Okafor is doing your laundry.');
  await expect(liveOrderCard(bea).locator('[aria-current=step]')).toHaveText('Washing');
  await expect(liveOrderCard(bea).locator('canvas')).toBeVisible();
  await expectAccessible(bea, 'Bud dashboard, full');
  await bea.getByRole('link', { name: 'View Details' }).click();
  await expectOrderStatus(bea, 'In_Progress');
  await takeReadmeScreenshot(bea, 'order');
  await sol.getByRole('button', { name: 'Complete Job' }).click();
  await expectToast(sol, 'Order Completed!', 'Congratulations for completing the job');
  await expectOrderStatus(sol, 'Completed');
  const history = orderStatusCard(sol).getByRole('list');
  await expectTimeline(history, ['Requested', 'Accepted', 'In Progress', 'Completed']);
  await expectAccessible(sol, 'Job, completed');
}

async function deliverToBud({ dana }: Participants): Promise<void> {
  await goTo(dana, 'Dashboard');
  const waiting = dana.getByRole('list', { name: 'Deliveries – Waiting For You' });
  await expect(waiting).toContainText('Scrub → Bud');
  await waiting.getByRole('link', { name: 'View Details' }).click();
  await expectPlaces(dana, [LAUNDRY.address, HOME]);
  await takeDeliverySteps(dana, 'Pending', 'Delivered');
}

async function reviewAll({ bea, sol }: Participants): Promise<void> {
  await expectOrderStatus(bea, 'Completed');
  await giveStars(bea, SOL.fullname, REVIEWS.scrub);
  await expectReview(bea, 'Your Review', REVIEWS.scrub);
  await submitReview(sol, 'Leave Review for Bud', REVIEWS.bud);
  await refresh(sol);
  await expectReview(sol, 'Bud Review', REVIEWS.scrub);
  for (const [page, review] of [
    [bea, REVIEWS.duberByBud],
    [sol, REVIEWS.duberByScrub],
  ] as const) {
    await openDelivery(page, 'Scrub → Bud');
    await expect(card(page, 'Rate Your Delivery Experience')).toBeVisible();
    await submitReview(page, 'Leave Review for Driver', review);
  }
  await expect(card(sol, 'Order Information')).toContainText('$12.50');
  await expect(card(sol, 'Order Information')).toContainText(INSTRUCTIONS);
  await expectAccessible(sol, 'Delivery, reviewed, Scrub');
}

async function readReviews({ dana }: Participants): Promise<void> {
  await refresh(dana);
  const received = card(dana, 'Reviews Received');
  await expect(received).toContainText(/Scrub Review\s*\(3\/5\)\s*A little late, but the bags were dry\./);
  await expect(received).toContainText(/Bud Review\s*\(5\/5\)\s*Quick and friendly, and rang only once\./);
  await expect(card(dana, 'Order Information')).not.toContainText('$');
  await expectAccessible(dana, 'Delivery, reviewed, Duber');
}

async function expectTotals({ bea, sol, dana }: Participants, distance: number): Promise<void> {
  for (const page of [bea, sol, dana]) await goTo(page, 'Dashboard');
  await expectFigures(bea, { 'Total Orders': '1', 'Total Spent': '$26.83', 'Active Orders': '0', Completed: '1' });
  await expectFigures(sol, { "Today's Earnings": '$12.50', 'Active Jobs': '0', Completed: '1', Rating: '4.0' });
  await expectAccessible(sol, 'Scrub dashboard, full');
  await expectFigures(dana, {
    Earnings: '$11.98',
    'Total Deliveries': '2',
    Delivered: '2',
    'Distance Traveled': formatKm(2 * distance),
  });
  const recent = dana.getByRole('list', { name: 'Recent Deliveries' });
  await expect(recent.getByRole('listitem')).toHaveCount(2);
}

async function repeatOrder({ bea }: Participants): Promise<void> {
  await bea.getByRole('main').getByRole('link', { name: 'View Details' }).click();
  await readReceipt(bea, 'Paid. Thank you!', [/^Held on your card.*\$26\.83$/, /^Charged.*\$26\.83$/]);
  await orderAgain(bea, { load: 'Medium (3-5 lbs)', instructions: INSTRUCTIONS });
  await expect(bea.getByRole('button', { name: 'Pay $26.83', exact: true })).toBeVisible();
}

async function findInLists({ bea, sol, dana }: Participants): Promise<void> {
  await goTo(bea, 'Deliveries');
  await goTo(sol, 'Deliveries');
  await goTo(dana, 'Deliveries');
  for (const page of [bea, sol, dana]) {
    await expect(page.getByRole('heading', { name: 'My Deliveries' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'View Details' })).toHaveCount(2);
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Collected' });
    await expect(page.getByText('No Collected deliveries found.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'All' });
    await expect(page.getByRole('main').getByRole('link', { name: 'View Details' })).toHaveCount(2);
  }
  await expectAccessible(bea, 'My Deliveries, table');
  await expectAccessible(dana, 'My Deliveries, cards');
  await bea.getByRole('link', { name: 'View Order' }).first().click();
  await expectOrderStatus(bea, 'Completed');
  await goTo(sol, 'Jobs');
  await expect(sol.getByRole('heading', { name: 'My Jobs' })).toBeVisible();
  await sol.getByRole('link', { name: 'View Details' }).click();
  await expectOrderStatus(sol, 'Completed');
}
