import type { Page } from '@playwright/test';
import { createTestUser, openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { findLayoutProblems, findSmallTargets, resizeWindow } from './layoutProblems.ts';
import { PASSWORD } from './screens/accounts.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.9, longitude: 68.3 };

const TABLET = 768;
const WIDTHS = [320, 390, TABLET, 1024, 1280] as const;

async function expectGoodLayout(
  page: Page,
  heading: string | RegExp,
  widths: readonly number[] = WIDTHS,
): Promise<void> {
  await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  const problems: string[] = [];
  for (const width of widths) {
    const found = await findLayoutProblems(page, width);
    const small = width < TABLET ? await findSmallTargets(page) : [];
    for (const problem of [...found, ...small]) problems.push(`${width} px: ${problem}`);
  }
  expect.soft(problems, `${page.url()}: ${heading}`).toEqual([]);
}

/** The pages of one person, one after the other in the same tab. */
async function expectGoodLayouts(page: Page, headingsByPath: Readonly<Record<string, string | RegExp>>): Promise<void> {
  for (const [path, heading] of Object.entries(headingsByPath)) {
    await page.goto(`/#${path}`);
    await expectGoodLayout(page, heading);
  }
}

/** An order whose laundry a Duber has brought to the Scrub, one that waits for a Duber, and one that nobody has answered. */
async function createOrders(bud: TestUser, scrub: TestUser, duber: TestUser) {
  const [{ id }, waiting] = await Promise.all([placeOrder(bud, scrub), placeOrder(bud, scrub), placeOrder(bud, scrub)]);
  await scrub.api['accept-order']({ params: { id: waiting.id } });
  await scrub.api['accept-order']({ params: { id } });
  const params = { id: (await bud.api.readOrder({ params: { id } })).deliveries[0]?.id ?? '' };
  for (const step of ['accept-delivery', 'way-to-pickup', 'collected', 'way-to-drop'] as const)
    await duber.api[step]({ params });
  return { orderId: id, deliveryId: params.id };
}

test('from phones to desktops nothing is cut, words sit in the middle of buttons, and rows lead to their details', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Lara Layout', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Bartholomew Featherstone', at: LOCATION }),
    createTestUser(server, { role: 'Duber', fullname: 'Liv Layout', at: LOCATION }),
  ]);
  const { orderId, deliveryId } = await createOrders(bud, scrub, duber);
  const signedOut = await openVisitor(MAPLESS);
  await expectGoodLayouts(signedOut.page, {
    '/': /^Laundry, done/,
    '/help': 'Frequently Asked Questions',
    '/login': 'Welcome to Rubadub',
    '/signup': 'Create your account',
    '/auth/reset-password': 'Invalid Link',
  });
  const budVisitor = await openVisitor(MAPLESS);
  await openDashboard(budVisitor, server, bud);
  await expectGoodLayouts(budVisitor.page, {
    '/bud/dashboard': /^Welcome/,
    '/bud/orders': 'My Orders',
    [`/bud/orders/${orderId}`]: 'Order Status',
    [`/bud/orders/${orderId}/receipt`]: 'Receipt',
    '/bud/deliveries': 'My Deliveries',
    [`/bud/deliveries/${deliveryId}`]: 'Delivery Status',
    '/profile': 'Address',
  });
  await expectGoodWizard(budVisitor.page, scrub.fullname);
  const scrubVisitor = await openVisitor(MAPLESS);
  await openDashboard(scrubVisitor, server, scrub);
  await expectGoodLayouts(scrubVisitor.page, {
    '/scrub/dashboard': /^Hello/,
    '/scrub/jobs': 'My Jobs',
    [`/scrub/jobs/${orderId}`]: 'Job Status',
    '/scrub/deliveries': 'My Deliveries',
    '/scrub/earnings': 'Earnings',
  });
  const duberVisitor = await openVisitor(MAPLESS);
  await openDashboard(duberVisitor, server, duber);
  await expectGoodLayouts(duberVisitor.page, {
    '/duber/dashboard': /^Hey there/,
    '/duber/deliveries': 'My Deliveries',
    [`/duber/deliveries/${deliveryId}`]: 'Delivery Status',
    '/duber/earnings': 'Earnings',
  });
  // Somebody new has first steps. Deliveries that wait are cards at every width.
  const newDuber = await createTestUser(server, { role: 'Duber', fullname: 'Nora Newcomer', at: LOCATION });
  const newcomer = await openVisitor(MAPLESS);
  await openDashboard(newcomer, server, newDuber);
  await expect(newcomer.page.getByRole('button', { name: 'Accept 👍' })).toBeVisible();
  await expect(newcomer.page.getByRole('list', { name: 'Deliveries – Waiting For You' })).toBeVisible();
  await expectGoodLayout(newcomer.page, 'First steps');
});

async function expectGoodWizard(page: Page, scrubName: string): Promise<void> {
  const next = page.getByRole('button', { name: 'Next' });
  await page.goto('/#/bud/place-order');
  await expectGoodLayout(page, 'Location');
  await page.getByRole('radio', { name: 'Default' }).check();
  await next.click();
  await page.getByRole('radio', { name: scrubName }).check();
  await expectGoodLayout(page, 'Select Scrubber');
  await next.click();
  await page.getByRole('radio', { name: 'Small' }).check();
  await expectGoodLayout(page, 'Order Details');
}

test('a screen that is opened from far down a list starts at its top', async ({ server, openVisitor }) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Tina Top', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Toni Top', at: LOCATION }),
  ]);
  await placeOrder(bud, scrub);
  const visitor = await openVisitor({ viewport: { width: 390, height: 480 }, isMapless: true });
  await openDashboard(visitor, server, bud);
  await visitor.page.getByRole('link', { name: 'View Details' }).click();
  await expect(visitor.page.getByRole('heading', { name: 'Order Status' })).toBeVisible();
  expect(await visitor.page.evaluate('scrollY')).toBe(0);
});

const PHONES = [320, 390] as const;
/** The least height of a line in the header. */
const LINE_PX = 14;
/** 69 letters, which is more than any phone has room for on a line. */
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff Maximiliana Bartholomea Featherst';

test('a name of 69 letters takes one line on a phone, and screen readers get the whole of it', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: LONG_NAME, at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: `S${LONG_NAME.slice(1)}`, at: LOCATION }),
  ]);
  const { id } = await placeOrder(bud, scrub);
  await scrub.api['accept-order']({ params: { id } });
  for (const { user, pages } of [
    {
      user: bud,
      pages: { '/bud/dashboard': /^Welcome/, [`/bud/orders/${id}`]: 'Order Status', '/profile': 'Address' },
    },
    { user: scrub, pages: { '/scrub/dashboard': /^Hello/, [`/scrub/jobs/${id}`]: 'Job Status' } },
  ]) {
    const visitor = await openVisitor(MAPLESS);
    await openDashboard(visitor, server, user);
    for (const [path, heading] of Object.entries(pages)) {
      await visitor.page.goto(`/#${path}`);
      await expectGoodLayout(visitor.page, heading, PHONES);
      const name = visitor.page.getByRole('banner').getByText(user.fullname, { exact: true });
      await expect(name).toBeVisible();
      expect((await name.boundingBox())?.height, path).toBeLessThan(2 * LINE_PX);
    }
  }
  const chooser = await openVisitor(MAPLESS);
  await openDashboard(chooser, server, bud);
  await chooser.page.goto('/#/bud/place-order');
  await chooser.page.getByRole('button', { name: 'Next' }).click();
  await expect(chooser.page.getByRole('radio', { name: scrub.fullname })).toBeVisible();
  await expectGoodLayout(chooser.page, 'Select Scrubber', PHONES);
});

test('an e-mail address of 64 letters fits into the sign-up on a phone', async ({ openVisitor }) => {
  const { page } = await openVisitor(MAPLESS);
  await page.goto('/#/signup');
  await page.getByRole('radio', { name: 'Bud', exact: true }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'Full Name' }).fill(LONG_NAME);
  await page
    .getByRole('textbox', { name: 'Email' })
    .fill(`${'wolfeschlegelstein'.repeat(3).slice(0, 50)}@journeys.test`);
  await page.getByRole('button', { name: 'Send OTP' }).click();
  await expect(page.getByRole('button', { name: 'Resend OTP' })).toBeVisible();
  await expectGoodLayout(page, 'Create your account', PHONES);
});

for (const [role, fullname] of [
  ['Duber', 'Dan Devices'],
  ['Bud', 'Bob Devices'],
] as const)
  test(`the profile of a ${role} with six devices is at most 1,900 px high on a phone`, async ({
    server,
    openVisitor,
  }) => {
    const user = await createTestUser(server, { role, fullname, at: LOCATION });
    const visitor = await openVisitor(MAPLESS);
    const { page } = visitor;
    for (let device = 1; device < 6; device += 1)
      await page.request.post('/api/auth/login', { data: { email: user.email, password: PASSWORD } });
    await openDashboard(visitor, server, user);
    await page.goto('/#/profile');
    await resizeWindow(page, { width: 390, height: 844 });
    await expect(page.getByText('4 more devices')).toBeVisible();
    await expect(page.getByText('What we tell you about', { exact: true })).toBeVisible();
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(1_900);
    await page.getByText('4 more devices').click();
    await expect(page.getByRole('region', { name: 'Devices', exact: true }).getByRole('listitem')).toHaveCount(6);
  });
