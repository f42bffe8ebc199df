import type { Page } from '@playwright/test';
import { CARD_CONSENT } from '../domain/savedCards.ts';
import { createTestUser, openDashboard, type TestUser } from './accounts.ts';
import { expect, MAPLESS, PHONE, test } from './journey.ts';
import type { ProductServer } from './productServer.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { fillCard } from './screens/orders.ts';
import { acceptDialog, agreeInSheet, expectToast, openFold } from './screens/pageElements.ts';

const WIDTHS = [320, 390, 768, 1024, 1280];
const AT = { latitude: 22.7, longitude: 64.9 };
const LOAD = 'Medium (3-5 lbs)';
const VISA = 'Visa ending in 1111';
/** A Visa card of the stand-in that pays once and is declined as a saved card. */
const DECLINED_WHEN_SAVED = '4000000000000341';

/** From the dashboard to the checkout, in as few taps as possible. */
async function fillSteps(page: Page, scrub: TestUser): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Place New Order' }).first().click();
  // The only address is chosen already.
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: scrub.fullname, exact: true }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: LOAD, exact: true }).check();
  await page.getByRole('button', { name: 'Place Order' }).click();
}

async function pay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pay $26.83', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Thanks for your order!' })
    .getByRole('button', { name: 'Track order' })
    .click();
  await expect(page.getByRole('region', { name: 'Order Status' })).toBeVisible();
}

async function createPair(server: ProductServer, [bud, scrub]: readonly [string, string]) {
  const users = [
    { role: 'Bud', fullname: bud, at: AT },
    { role: 'Scrub', fullname: scrub, at: AT },
  ] as const;
  const [first, second] = await Promise.all([createTestUser(server, users[0]), createTestUser(server, users[1])]);
  return { bud: first, scrub: second };
}

/** Places an order through the API whose card is saved, and waits until the card network has it. */
async function saveCard(server: ProductServer, bud: TestUser, scrub: TestUser, number: string): Promise<string> {
  const before = (await bud.api.listSavedCards()).items.length;
  const typed = { number, expMonth: 12, expYear: 2030, cvv: '111', postalCode: '24101' };
  const answer = await fetch(`${server.url}/sandbox/square/cards`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(typed),
  });
  const { token } = (await answer.json()) as { token: string };
  const order = { budAddressId: bud.addressId, scrubId: scrub.id, loadSize: 'Medium' } as const;
  await bud.api.placeOrder({ body: { ...order, paymentSourceId: token, saveCard: true } });
  await expectSaved(bud, before + 1);
  return (await bud.api.listSavedCards()).items[0]?.id ?? '';
}

const expectSaved = (bud: TestUser, count: number) =>
  expect.poll(async () => (await bud.api.listSavedCards()).items.filter(({ isSaved }) => isSaved).length).toBe(count);

/** Counts the taps on a page, and lists what it loads from the card network. */
async function watch(page: Page) {
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/sandbox/square/')) loaded.push(request.url());
  });
  await page.addInitScript(`window.taps = 0; addEventListener('pointerdown', () => { taps += 1; }, true);`);
  return { loaded, countTaps: () => page.evaluate<number>('taps') };
}

test('a Bud saves a card with the first order, pays the second with one tap and nothing from the card network, and removes the card', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub } = await createPair(server, ['Kim Keeper', 'Sam Suds']);

  await test.step('the first order: the card form, and a consent that is not given by itself', async () => {
    const visitor = await openVisitor(MAPLESS);
    const { page } = visitor;
    await openDashboard(visitor, server, bud);
    await fillSteps(page, scrub);
    await fillCard(page);
    const consent = page.getByRole('checkbox', { name: CARD_CONSENT });
    await expect(consent).not.toBeChecked();
    await expect(page.getByRole('radio')).toHaveCount(0);
    await consent.check();
    await expectNoScreenProblems(page, 'a checkout that saves the card', WIDTHS);
    await pay(page);
    await expectSaved(bud, 1);
  });

  await test.step('the second order: one tap pays', async () => {
    const visitor = await openVisitor({ ...PHONE, isMapless: true });
    const { page } = visitor;
    const { loaded, countTaps } = await watch(page);
    await openDashboard(visitor, server, bud);
    await fillSteps(page, scrub);
    const saved = page.getByRole('radio', { name: VISA });
    await expect(saved).toBeChecked();
    await expect(saved).toHaveAccessibleDescription('Expires 12/30');
    await expect(page.getByLabel('Card number')).toHaveCount(0);
    await expect(page.getByRole('checkbox')).toHaveCount(0);
    const before = await countTaps();
    await page.getByRole('button', { name: 'Pay $26.83', exact: true }).click();
    await expect(page.getByRole('dialog', { name: 'Thanks for your order!' })).toBeVisible();
    expect((await countTaps()) - before).toBe(1);
    expect(await countTaps(), 'from the dashboard to the order').toBeLessThanOrEqual(7);
    expect(loaded).toEqual([]);
    const [second] = (await bud.api.listOrders({ query: {} })).data.items;
    const { card } = await bud.api.readReceipt({ params: { id: second?.id ?? '' } });
    expect(card).toEqual({ brand: 'VISA', last4: '1111' });
  });

  await test.step('the profile: the card is removed', async () => {
    const visitor = await openVisitor(MAPLESS);
    const { page } = visitor;
    await openDashboard(visitor, server, bud);
    await page.goto('/#/profile');
    const cards = page.getByRole('region', { name: 'Cards', exact: true });
    await expect(cards).toContainText('1 saved');
    await openFold(page, 'Cards');
    await expect(cards.getByRole('listitem')).toContainText('Expires 12/30');
    await expectNoScreenProblems(page, 'the cards in the profile', WIDTHS);
    await agreeInSheet(page, `Remove ${VISA}?`, 'Remove', () =>
      cards.getByRole('button', { name: `Remove ${VISA}` }).click(),
    );
    await expectToast(page, 'Card Removed', VISA);
    await expect(cards).toContainText('No saved cards. You can save one when you pay for an order.');
    expect((await bud.api.listSavedCards()).items).toEqual([]);
    // The checkout has the card form again.
    await page.goto('/#/bud/dashboard');
    await fillSteps(page, scrub);
    await expect(page.getByLabel('Card number')).toBeVisible();
    await expect(page.getByRole('radio')).toHaveCount(0);
    // A list that never comes does not keep the form away.
    await page.route('**/api/profile/cards', () => new Promise(() => {}));
    await page.reload();
    await expect(page.getByLabel('Card number')).toBeVisible();
  });
});

test('a saved card that is declined, or removed on another device, leads to another card, and the order is placed once', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub } = await createPair(server, ['Dee Declined', 'Sue Softener']);
  const lasting = await saveCard(server, bud, scrub, '5105105105105100');
  await saveCard(server, bud, scrub, DECLINED_WHEN_SAVED);
  const visitor = await openVisitor(MAPLESS);
  visitor.allowErrors(402, 409);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await fillSteps(page, scrub);
  const payButton = page.getByRole('button', { name: 'Pay $26.83', exact: true });
  const alert = page.getByRole('alert').filter({ hasText: 'Your order was not placed. Your card was not charged.' });
  const [declined, mastercard, another] = [
    page.getByRole('radio', { name: 'Visa ending in 0341' }),
    page.getByRole('radio', { name: 'Mastercard ending in 5100' }),
    page.getByRole('radio', { name: 'Another card' }),
  ];
  const visible = page.getByLabel('Card number');

  await test.step('the card used last is declined', async () => {
    await expect(declined).toBeChecked();
    await acceptDialog(page, /declined/i, () => payButton.click());
    await expect(alert).toBeVisible();
    await expect(alert.getByRole('button', { name: 'Choose another scrub' })).toHaveCount(0);
    await expectNoScreenProblems(page, 'a saved card that is declined', WIDTHS);
  });

  await test.step('the next one was removed on another device', async () => {
    await mastercard.check();
    await bud.api.removeSavedCard({ params: { id: lasting } });
    await acceptDialog(page, /^This card is not saved any more\. Please choose another one/, () => payButton.click());
    await expect(mastercard).toHaveCount(0);
    await expect(payButton).toBeDisabled();
    await alert.getByRole('button', { name: 'Another card' }).click();
    await expect(another).toBeChecked();
    await expect(visible).toBeVisible();
    await expectNoScreenProblems(page, 'another card', WIDTHS);
  });

  await test.step('what is typed stays while the Bud looks at another choice', async () => {
    await fillCard(page);
    await declined.check();
    await expect(visible).toBeHidden();
    await another.check();
    await expect(visible).toHaveValue('4111 1111 1111 1111');
    await pay(page);
    expect((await bud.api.listOrders({ query: {} })).data.items).toHaveLength(3);
    expect((await bud.api.listSavedCards()).items, 'no consent was given').toHaveLength(1);
  });
});

test('a Bud with five saved cards reads why this one is not saved, and a list that does not load leaves the card form', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub } = await createPair(server, ['Fay Five', 'Sal Soap']);
  for (const number of [
    '4111111111111111',
    '5105105105105100',
    '6011000000000004',
    '3569990010095841',
    '30000000000004',
  ])
    await saveCard(server, bud, scrub, number);
  const visitor = await openVisitor(MAPLESS);
  visitor.allowErrors('net::ERR_FAILED');
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await fillSteps(page, scrub);
  await expect(page.getByRole('radio')).toHaveCount(6);
  await expect(page.getByRole('radio').first()).toBeChecked();
  await page.getByRole('radio', { name: 'Another card' }).check();
  await expect(page.getByText('You have 5 saved cards, which is the maximum.')).toBeVisible();
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await expectNoScreenProblems(page, 'a checkout with five saved cards', WIDTHS);
  await page.route('**/api/profile/cards', (route) => route.abort());
  await page.reload();
  await fillCard(page);
  await expect(page.getByRole('radio')).toHaveCount(0);
  await pay(page);
});
