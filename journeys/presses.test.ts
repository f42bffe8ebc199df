import type { Page } from '@playwright/test';
import { createTestUser, openDashboard } from './accounts.ts';
import { readSignUpCode } from './inbox.ts';
import { expect, MAPLESS, test, type Visitor } from './journey.ts';
import { PASSWORD } from './screens/accounts.ts';
import { expectOrderStatus, fillCard } from './screens/orders.ts';
import { acceptDialog, card } from './screens/pageElements.ts';
import { pickBySearch } from './screens/places.ts';
import { starsFor } from './screens/reviews.ts';

const SCRUB_AT = { latitude: 24.0121, longitude: 67.0064 };
const DUBER_AT = { latitude: 24.0131, longitude: 67.0033 };
const HOME = '12 Heron Street';
const MOST_PRESSES = 44;
const WORDS = 'Everything came back clean and on time.';

const COUNT_PRESSES = `addEventListener('pointerdown', () => countPress(), true)`;

test(`a new Bud's order takes three people at most ${MOST_PRESSES} presses, from the sign-up to the last review`, async ({
  server,
  openVisitor,
}) => {
  let presses = 0;
  const openCounted = async (): Promise<Visitor> => {
    const visitor = await openVisitor(MAPLESS);
    await visitor.context.exposeFunction('countPress', () => {
      presses += 1;
    });
    await visitor.context.addInitScript(COUNT_PRESSES);
    return visitor;
  };
  /** Presses what a question of the browser itself follows, which takes another press. */
  const pressAndAgree = async (page: Page, press: () => Promise<void>) => {
    await acceptDialog(page, /^Are you sure/, press);
    presses += 1;
  };
  const counts: Record<string, number> = {};
  const step = async (name: string, act: () => Promise<void>) => {
    const before = presses;
    await test.step(name, act);
    counts[name] = presses - before;
  };
  const [scrub, duber] = await Promise.all([
    createTestUser(server, { role: 'Scrub', fullname: 'Petra Presser', at: SCRUB_AT }),
    createTestUser(server, { role: 'Duber', fullname: 'Dario Driver', at: DUBER_AT }),
  ]);
  const [ofBud, ofScrub, ofDuber] = [await openCounted(), await openCounted(), await openCounted()];
  const [bud, atScrub, atDuber] = [ofBud.page, ofScrub.page, ofDuber.page];
  await openDashboard(ofScrub, server, scrub);
  await openDashboard(ofDuber, server, duber);

  // Fields are reached with the keyboard, as the cursor goes from one to the next.
  await step('a Bud signs up', async () => {
    const email = 'nina.new@journeys.test';
    await bud.goto('/');
    await bud.getByRole('link', { name: 'Get Started - Create Account' }).first().click();
    await bud.getByRole('radio', { name: 'Bud', exact: true }).check();
    await bud.getByRole('button', { name: 'Next' }).click();
    await bud.getByRole('textbox', { name: 'Full Name' }).fill('Nina New');
    await bud.getByRole('textbox', { name: 'Email' }).fill(email);
    await bud.getByRole('button', { name: 'Send OTP' }).click();
    await bud.getByRole('textbox', { name: 'OTP Code' }).fill(await readSignUpCode(server, email));
    await bud.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await bud.getByLabel('Confirm Password').fill(PASSWORD);
    await bud.getByRole('button', { name: 'Next' }).click();
    await pickBySearch(bud, HOME);
    await bud.getByRole('button', { name: 'Create Account' }).click();
    await expect(bud).toHaveURL(/\/#\/bud\/dashboard$/);
  });

  await step('the Bud orders', async () => {
    await bud.getByRole('main').getByRole('link', { name: 'Place New Order' }).first().click();
    await bud.getByRole('button', { name: 'Next' }).click();
    await bud.getByRole('radio', { name: scrub.fullname, exact: true }).check();
    await bud.getByRole('button', { name: 'Next' }).click();
    await bud.getByRole('radio', { name: 'Medium (3-5 lbs)', exact: true }).check();
    await bud.getByRole('button', { name: 'Place Order' }).click();
    await fillCard(bud);
    await bud.getByRole('button', { name: 'Pay $26.83', exact: true }).click();
    await bud.getByRole('button', { name: 'Track order' }).click();
    await expectOrderStatus(bud, 'Requested');
  });

  const pressOnBoard = (name: string) =>
    card(atScrub, name === 'Accept' ? 'Answer' : 'Washing').getByRole('button', { name, exact: true });
  await step('the Scrub accepts', async () => {
    await pressAndAgree(atScrub, () => pressOnBoard('Accept').click());
    await expectOrderStatus(bud, 'Accepted');
  });

  const carry = async () => {
    await atDuber.getByRole('button', { name: 'Accept 👍' }).click();
    const active = card(atDuber, 'Active Delivery');
    for (const [name, status] of [
      ['On The Way to Pickup', 'Way To Pick'],
      ['Mark as Collected', 'Collected'],
      ['On The Way to Drop', 'Way To Drop'],
    ] as const) {
      await active.getByRole('button', { name, exact: true }).click();
      await expect(active.locator('[data-status]')).toHaveText(status);
      await expect(active.locator('button[aria-busy="true"]')).toHaveCount(0);
    }
    await pressAndAgree(atDuber, () => active.getByRole('button', { name: 'Mark as Delivered', exact: true }).click());
    await expect(active).toHaveCount(0);
  };
  await step('the Duber brings it to the Scrub', carry);
  await step('the Scrub washes', async () => {
    await pressOnBoard('Start Job').click();
    await pressOnBoard('Complete Job').click();
    await expectOrderStatus(bud, 'Completed');
  });
  await step('the Duber brings it home', carry);

  const review = async (page: Page) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Review' }).fill(WORDS);
    await dialog.getByRole('button', { name: 'Submit Review' }).click();
    await expect(dialog).toHaveCount(0);
  };
  await step('the Bud reviews both', async () => {
    for (const person of [scrub, duber]) {
      await starsFor(bud, person.fullname).getByRole('button', { name: '5 stars', exact: true }).click();
      await review(bud);
    }
  });
  await step('the Scrub reviews both', async () => {
    await atScrub.getByRole('main').getByRole('link', { name: 'View Details' }).click();
    await atScrub.getByRole('button', { name: 'Leave Review for Bud' }).click();
    await atScrub.getByRole('dialog').getByRole('radio', { name: '5 stars', exact: true }).check();
    await review(atScrub);
    const delivery = card(atScrub, 'Deliveries').getByRole('listitem').filter({ hasText: 'Scrub → Bud' });
    await delivery.getByRole('button', { name: 'Leave Review for Driver' }).click();
    await atScrub.getByRole('dialog').getByRole('radio', { name: '5 stars', exact: true }).check();
    await review(atScrub);
  });

  expect(presses, JSON.stringify(counts)).toBeLessThanOrEqual(MOST_PRESSES);
});
