import type { Page } from '@playwright/test';
import { codeAt } from '../testing/operators.ts';
import { test as base, DESKTOP, expect, PHONE, type Visitor } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { newPhoto } from './photos.ts';
import { openProductServer, type ProductServer } from './productServer.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { PASSWORD, signUp } from './screens/accounts.ts';
import { sendDocumentOnProfile } from './screens/documents.ts';
import { fillCard } from './screens/orders.ts';
import { acceptDialog, agreeInSheet, expectToast, openFold } from './screens/pageElements.ts';
import { pickBySearch } from './screens/places.ts';
import { NO_ACTS, secondsOf, subtractActs } from './twentySituations/keystrokeModel.ts';
import { HAND_ACTS_SCRIPT, readHandActs } from './twentySituations/measure.ts';

const WIDTHS = [320, 390, 768, 1024, 1280];
const MINUTE_S = 60;
const SET_UP = 'set up the town';
const TOWN = 'Riverside Suds';

const OWNER = { fullname: 'Olga Owner', email: 'olga@first.test' };
const BUD = { role: 'Bud', fullname: 'Hana Hamper', email: 'hana@first.test' } as const;
const SCRUB = { role: 'Scrub', fullname: 'Sol Suds', email: 'sol@first.test' } as const;
const HOME = '12 Heron Street';
const LAUNDRY = '40 Heron Street';

/** How long a person needs for each step, from what their hands do. The machine's time is left out. */
function createStopwatch() {
  const seconds: Record<string, number> = {};
  const read = (page: Page) => (page.url() === 'about:blank' ? NO_ACTS : readHandActs([page]));
  const step = (name: string, { page }: Visitor, work: () => Promise<void>) =>
    base.step(name, async () => {
      const before = await read(page);
      await work();
      seconds[name] = secondsOf(subtractActs(await read(page), before));
    });
  return { seconds, step };
}

for (const [where, device] of [
  ['at a desk', DESKTOP],
  ['on phones', PHONE],
] as const) {
  // An empty machine for each: only one person becomes the first operator.
  const test = base.extend<object, { server: ProductServer }>({
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
      async ({}, use) => {
        const server = await openProductServer();
        await use(server);
        await server.close();
      },
      { scope: 'worker', timeout: 480_000 },
    ],
  });

  test(`a new owner opens a town of strangers ${where}, and its first order is charged within a quarter of an hour`, async ({
    server,
    openVisitor,
  }, info) => {
    const open = async () => {
      const visitor = await openVisitor({ ...device, isMapless: true });
      await visitor.context.addInitScript({ path: HAND_ACTS_SCRIPT });
      return visitor;
    };
    const [owner, bud, scrub] = [await open(), await open(), await open()];
    const { seconds, step } = createStopwatch();
    const { page } = owner;

    await step('become the operator', owner, () => becomeOperator(page, server));
    await step(SET_UP, owner, () => setUpTown(page));
    await expectNoScreenProblems(page, 'a town that is open', WIDTHS);
    await resizeWindow(page, device.viewport);
    await step('sign up as a Bud', bud, async () => {
      await signUp(bud.page, server, { ...BUD, placePin: (on) => pickBySearch(on, HOME) });
    });
    await step('sign up as a Scrub', scrub, async () => {
      await signUp(scrub.page, server, { ...SCRUB, placePin: (on) => pickBySearch(on, LAUNDRY) });
      const notice = scrub.page.getByRole('region', { name: 'Your documents' });
      await notice.getByRole('link', { name: 'Send documents' }).click();
      await sendDocumentOnProfile(scrub.page, 'ID', false);
      await sendDocumentOnProfile(scrub.page, 'Detergent safety sheet', true);
    });
    await step('admit the Scrub', owner, () => admitScrub(page));
    await step('place the first order', bud, () => placeOrder(bud.page));
    await step('accept and weigh it', scrub, () => acceptAndWeigh(scrub.page));
    await step('read the receipt', bud, async () => {
      await openFold(bud.page, 'Money');
      await bud.page.getByRole('link', { name: 'Receipt' }).click();
      await expect(bud.page.getByText('Paid. Thank you!')).toBeVisible();
    });

    const all = Object.values(seconds).reduce((sum, one) => sum + one, 0);
    await info.attach('seconds', { body: JSON.stringify({ ...seconds, all }, undefined, 2) });
    expect(seconds[SET_UP], 'seconds of the set-up').toBeLessThanOrEqual(5 * MINUTE_S);
    expect(all, 'seconds of everybody together').toBeLessThanOrEqual(15 * MINUTE_S);
  });
}

async function becomeOperator(page: Page, { firstOperatorLink = '' }: ProductServer): Promise<void> {
  await page.goto(firstOperatorLink);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Full name').fill(OWNER.fullname);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const secret = page.getByRole('region', { name: 'Authenticator app' }).locator('p').last();
  const letters = ((await secret.textContent()) ?? '').replaceAll(' ', '');
  await page.getByLabel('Code of your authenticator app').fill(codeAt(letters, new Date()));
  await page.getByRole('button', { name: 'Become an Operator' }).click();
}

async function setUpTown(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Set up your town' })).toBeVisible();
  const save = () => page.getByRole('button', { name: 'Save and Continue' }).click();
  const next = () => page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByLabel('Name of the town').fill(TOWN);
  await page.getByLabel('Time zone').selectOption('America/New_York');
  await save();
  await page.getByRole('radio', { name: 'Strangers' }).check();
  await save();
  await expect(page.getByRole('checkbox', { name: 'XL (9-15 lbs)' })).toBeChecked();
  await page.getByRole('checkbox', { name: 'Family (26-40 lbs)' }).uncheck();
  await expect(page.getByRole('checkbox', { name: 'Weigh laundry before the card is charged' })).toBeChecked();
  await expect(page.getByText(/^The town pays for each Small order/)).toBeVisible();
  await page.getByLabel('Platform fee, % of the load').fill('20');
  await expect(page.getByText(/^The town pays for/)).toHaveCount(0);
  await save();
  await expect(page.getByText('Orders are always taken.')).toBeVisible();
  await next();
  await expect(page.getByRole('radio', { name: 'People whose documents you have accepted' })).toBeChecked();
  await save();
  for (const name of ['Card payments', 'Mail']) await page.getByRole('button', { name: `Test ${name}` }).click();
  await expect(page.getByText(/The card network accepts the keys.* Nothing was charged\./)).toBeVisible();
  await expect(page.getByText(/The stand-in has the mail/)).toBeVisible();
  await next();
  await expect(page.getByRole('button', { name: 'Invite…' })).toBeVisible();
  await next();
  await page.getByRole('button', { name: 'Open the Town' }).click();
  await expect(page.getByRole('heading', { name: 'Your town is open' })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(TOWN));
}

async function admitScrub(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Go to Today' }).click();
  await page.getByRole('link', { name: new RegExp(SCRUB.fullname) }).click();
  const card = page.getByRole('region', { name: 'Documents' });
  const dialog = page.getByRole('dialog');
  await card.getByRole('button', { name: 'Look at Documents' }).click();
  await dialog.getByLabel('Why?').fill('To admit him.');
  await dialog.getByRole('button', { name: 'Look at Documents' }).click();
  await expect(card.getByRole('img')).toHaveCount(2);
  await card.getByRole('button', { name: 'Admit' }).click();
  await dialog.getByLabel('Why?').fill('All is valid.');
  await dialog.getByRole('button', { name: 'Admit' }).click();
  await expectToast(page, 'Sol gets work now');
}

/** A hamper of ten pounds, which its Bud brings and fetches. */
async function placeOrder(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Place New Order' }).first().click();
  await page.getByRole('radio', { name: 'Default', exact: true }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: /^Sol S/ }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: 'XL (9-15 lbs)' }).check();
  await page.getByRole('radio', { name: 'I bring it' }).check();
  await page.getByRole('radio', { name: 'I pick it up' }).check();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await fillCard(page);
  await page.getByRole('button', { name: /^Hold \$/ }).click();
  await page.getByRole('button', { name: 'Track order' }).click();
  await expect(page.getByRole('region', { name: 'Order Status' })).toBeVisible();
}

async function acceptAndWeigh(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('link', { name: 'View Details' }).first().click();
  const question = 'Are you sure you want to perform this action?';
  await acceptDialog(page, question, () => page.getByRole('button', { name: 'Accept', exact: true }).click());
  await expectToast(page, 'Best Of Luck For The New Order');
  await page.getByRole('button', { name: /^I have/ }).click();
  await page.getByRole('button', { name: 'Start Job' }).click();
  await page.getByRole('button', { name: 'Weigh the Laundry' }).click();
  const weight = page.getByRole('region', { name: 'Weight' });
  await weight.getByLabel('Weight in pounds').fill('10');
  await weight.getByLabel('Choose photo').setInputFiles(newPhoto('scale.png'));
  await expect(weight.getByText('1 of 2 photos')).toBeVisible();
  await agreeInSheet(page, /^Send 10/, 'Send', () => weight.getByRole('button', { name: 'Send Weight' }).click());
}
