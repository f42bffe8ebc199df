import type { Page } from '@playwright/test';
import { CARD_CONSENT } from '../domain/savedCards.ts';
import { createTestUser, openDashboard } from './accounts.ts';
import { test as base, DESKTOP, expect, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { newPhoto } from './photos.ts';
import { openProductServer } from './productServer.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { fillCard } from './screens/orders.ts';
import { agreeInSheet, openFold } from './screens/pageElements.ts';

// A town with strangers' money, which also sells a size beyond Large.
const test = base.extend<object, object>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const server = await openProductServer({ preset: 'careful', prices: { 'size-XL': 15 } });
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 480_000 },
  ],
});

const LOCATION = { latitude: 24.2, longitude: 67.2 };
const WIDTHS = [1280, 1024, 768, 390, 320] as const;

async function expectGoodScreenAtEachWidth(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? DESKTOP.viewport;
  await expectNoScreenProblems(page, name, WIDTHS);
  await resizeWindow(page, size);
}

test('laundry is heavier than its Bud said: they read it with the photo of the scale, pay for all of it, and are charged once', async ({
  server,
  openVisitor,
}) => {
  const [bud, scrub] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Hana Heavy', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Sol Scale', at: LOCATION }),
  ]);
  const budVisitor = await openVisitor({ ...DESKTOP, isMapless: true });
  const atBud = budVisitor.page;
  const weightAtBud = atBud.getByRole('region', { name: 'Weight' });

  await test.step('she places the order and says how far it may go up', async () => {
    await openDashboard(budVisitor, server, bud);
    await atBud.goto('/#/bud/place-order');
    await atBud.getByRole('radio', { name: 'Default', exact: true }).check();
    await atBud.getByRole('button', { name: 'Next' }).click();
    await atBud.getByRole('radio', { name: scrub.fullname }).check();
    await atBud.getByRole('button', { name: 'Next' }).click();
    await expect(atBud.getByRole('radio', { name: 'XL (9-15 lbs)' })).toBeVisible();
    await atBud.getByRole('radio', { name: 'Medium (3-5 lbs)' }).check();
    await atBud.getByRole('radio', { name: 'I bring it' }).check();
    await atBud.getByRole('radio', { name: 'I pick it up' }).check();
    const takeSteps = atBud.getByRole('checkbox', { name: 'Continue without asking me' });
    await expect(takeSteps).toBeChecked();
    await expect(takeSteps).toHaveAccessibleDescription(
      /^Up to Large \(6-8 lbs\)\. Above that, we ask you\.\s*At most \$23\.76$/,
    );
    await takeSteps.uncheck();
    await expect(takeSteps).toHaveAccessibleDescription('We ask you before it costs more.');
    await takeSteps.check();
    const summary = atBud.getByRole('complementary', { name: 'Order Summary' });
    await expect(summary).toContainText('at most $23.76');
    await expectGoodScreenAtEachWidth(atBud, 'how far the price may go up');
    await atBud.getByRole('button', { name: 'Place Order' }).click();
    await fillCard(atBud);
    await atBud.getByRole('checkbox', { name: CARD_CONSENT }).check();
    await expectGoodScreenAtEachWidth(atBud, 'checkout of an order that is weighed');
    await atBud.getByRole('button', { name: 'Hold $23.76' }).click();
    await atBud.getByRole('button', { name: 'Track order' }).click();
    await expect(weightAtBud).toContainText('You pay $14.85 for Medium (3-5 lbs), and less if it is lighter.');
    await expectGoodScreenAtEachWidth(atBud, 'an order before it is weighed');
  });

  const id = /orders\/([\w-]+)/.exec(atBud.url())?.[1] ?? '';
  await scrub.api['accept-order']({ params: { id } });
  await scrub.api.confirmReceived({ params: { id }, body: { bags: 1 } });
  const scrubVisitor = await openVisitor({ ...PHONE, isMapless: true });
  const atScrub = scrubVisitor.page;
  const weightAtScrub = atScrub.getByRole('region', { name: 'Weight' });

  await test.step('the Scrub weighs it', async () => {
    await openDashboard(scrubVisitor, server, scrub);
    await atScrub.goto(`/#/scrub/jobs/${id}`);
    await expect(weightAtScrub.getByLabel('Weight in pounds')).toBeVisible();
    await atScrub.getByRole('button', { name: 'Start Job' }).click();
    await atScrub.getByRole('button', { name: 'Weigh the Laundry' }).click();
    await expect(weightAtScrub.getByLabel('Weight in pounds')).toBeFocused();
    await weightAtScrub.getByRole('button', { name: 'Send Weight' }).click();
    await expect(weightAtScrub).toContainText('Please take a photo of the display');
    await expect(weightAtScrub.getByLabel('Weight in pounds')).toBeFocused();
    await weightAtScrub.getByLabel('Weight in pounds').fill('9.8');
    await expect(weightAtScrub).toContainText('That is XL (9-15 lbs). The customer agreed to Large (6-8 lbs) at most');
    await weightAtScrub.getByRole('checkbox', { name: 'I can wash a part of it' }).check();
    await weightAtScrub.getByLabel('Choose photo').setInputFiles(newPhoto('scale.png'));
    await expect(weightAtScrub.getByText('1 of 2 photos')).toBeVisible();
    await expectGoodScreenAtEachWidth(atScrub, 'weighing');
    await agreeInSheet(atScrub, 'Send 9.8 lbs?', 'Send', () =>
      weightAtScrub.getByRole('button', { name: 'Send Weight' }).click(),
    );
    await expect(weightAtScrub).toContainText('is asked what to do. Please do not wash it yet.');
    await expect(atScrub.getByRole('region', { name: 'Job Status' })).toContainText('Please do not wash it yet.');
    await expect(atScrub.getByRole('button', { name: 'Complete Job' })).toHaveCount(0);
    await expectGoodScreenAtEachWidth(atScrub, 'the Bud is asked');
  });

  await test.step('she pays for all of it, with the card that she saved', async () => {
    await expect.poll(async () => (await bud.api.listSavedCards()).items).toMatchObject([{ isSaved: true }]);
    await expect(weightAtBud.getByRole('heading')).toHaveText('Your laundry is heavier than agreed');
    await expect(weightAtBud).toContainText('Your laundry weighs 9.8 lbs, XL instead of Medium.');
    await expect(atBud.getByRole('region', { name: 'Order Status' })).toContainText('waits for your answer.');
    await expect(weightAtBud.getByRole('img', { name: 'The scale shows 9.8 lbs' })).toBeVisible();
    await expect(weightAtBud.getByRole('button', { name: 'Wash only a part for $23.76' })).toBeVisible();
    await expect(weightAtBud.getByRole('button', { name: 'Send it back for nothing' })).toBeVisible();
    await expectGoodScreenAtEachWidth(atBud, 'laundry is heavier than agreed');
    await weightAtBud.getByRole('button', { name: 'Wash all of it for $44.55' }).click();
    const saved = weightAtBud.getByRole('radio', { name: 'Visa ending in 1111' });
    await expect(saved).toBeChecked();
    await expectGoodScreenAtEachWidth(atBud, 'paying for heavier laundry with a saved card');
    await weightAtBud.getByRole('radio', { name: 'Another card' }).check();
    await fillCard(atBud);
    await expect(weightAtBud.getByRole('checkbox')).toHaveCount(0);
    await expectGoodScreenAtEachWidth(atBud, 'paying for heavier laundry with another card');
    await saved.check();
    await weightAtBud.getByRole('button', { name: 'Pay $44.55' }).click();
    await expect(weightAtBud).toContainText('All of it is washed, as you decided. You pay $44.55.');
    await expectGoodScreenAtEachWidth(atBud, 'heavier laundry that is paid for');
    await expect(weightAtScrub).toContainText('The customer pays for all of it.');
  });

  await test.step('the Scrub completes it, and she is charged once', async () => {
    await atScrub.getByRole('button', { name: 'Complete Job' }).click();
    await expect(atScrub.getByText('Order Completed!')).toBeVisible();
    const readCharges = async () =>
      (await bud.api.readReceipt({ params: { id } })).movements.filter(({ kind }) => kind === 'charged');
    await expect.poll(readCharges).toMatchObject([{ amount: 44.55 }]);
    await openFold(atBud, 'Money');
    await atBud.getByRole('link', { name: 'Receipt' }).click();
    await expect(atBud.getByText('Paid. Thank you!')).toBeVisible();
    await expect(atBud.getByText('9.8 lbs, ordered as Medium for $14.85')).toBeVisible();
  });
});
