import type { Page } from '@playwright/test';
import { HOUR_MS } from '../domain/durations.ts';
import { formatClock } from '../domain/hours.ts';
import { PRODUCT_NAME } from '../domain/identity.ts';
import { localClock } from '../domain/localDays.ts';
import { createClaimForTown } from '../testing/caseCalls.ts';
import { createParticipants, findDeliveryId, type Participants, placeOrder } from '../testing/orderSteps.ts';
import { createPng } from '../testing/photos.ts';
import { openDashboard, type TestUser } from './accounts.ts';
import { approveWaiting, test as base, goToPage, pressWithCode } from './console.ts';
import { expect, MAPLESS, PHONE } from './journey.ts';
import { resizeWindow } from './layoutProblems.ts';
import { expectNoScreenProblems } from './screenProblems.ts';
import { expectToast } from './screens/pageElements.ts';

const WIDTHS = [320, 768, 1280];

/** One Bud, Scrub and Duber for all journeys of this file. */
const test = base.extend<object, { people: Participants }>({
  people: [async ({ town }, use) => use(await createParticipants(town.testServer)), { scope: 'worker' }],
});

test('a complaint with a photo is decided on a screen, and the Bud reads it', async ({
  town,
  people,
  openConsole,
  addOperator,
  measure,
}) => {
  const id = await createClaimForTown({ testServer: town.testServer, participants: people });
  const ada = await addOperator('Ada Cases');
  const isCharged = async () => (await ada.api.readTownCase({ params: { id } })).left !== null;
  await expect.poll(isCharged, { timeout: 100_000 }).toBe(true);
  const { page, allowErrors } = await openConsole(ada, 'today');
  const dialog = page.getByRole('dialog');
  allowErrors(403);
  await measure('decide a complaint with photos', async () => {
    await goToPage(page, 'Cases');
    await expect(page.getByText('Waits for us')).toBeVisible();
    await expectNoScreenProblems(page, 'the inbox', WIDTHS);
    await page.getByRole('link', { name: /Something is wrong with the laundry/ }).click();
    await expect(page.getByRole('heading', { name: /^Case C-\d+$/ })).toBeVisible();
    await expectNoScreenProblems(page, 'a case', WIDTHS);
    await page.getByRole('button', { name: 'Photo 1 of 1' }).click();
    await expect(page.getByRole('dialog').getByRole('img', { name: 'Photo 1 of 1' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Decide…' }).click();
    await dialog.getByLabel('Give back, in dollars').fill('12.5');
    await expect(dialog.getByLabel('Who pays for it')).toHaveValue('scrub');
    await dialog.getByLabel('What the people of the case read').fill('The photo shows the stain.');
    await dialog.getByLabel('Why?').fill('It is not on the photo of the bag');
    await expectNoScreenProblems(page, 'deciding a case', WIDTHS);
    await pressWithCode(dialog, 'Decide', ada);
    await expectToast(page, 'It is decided');
  });
  await expect(page.getByText('Ada Cases decided, $12.50')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Decide…' })).toHaveCount(0);
  const { events } = await people.bud.api.readCase({ params: { id } });
  expect(events.at(-1)?.words).toBe('The photo shows the stain.');
  expect((await ada.api.listAudit({ query: { subjectId: id } })).items).toHaveLength(1);
});

test('a message to all Dubers is read by one', async ({ town, people, openConsole, addOperator, measure }) => {
  const ada = await addOperator('Ada Messages');
  const { page } = await openConsole(ada, 'today');
  const dialog = page.getByRole('dialog');
  await measure('write to all Dubers', async () => {
    await goToPage(page, 'Announcements');
    await expect(page.getByText('No announcements yet')).toBeVisible();
    await page.getByRole('button', { name: 'Write…' }).click();
    await expect(dialog.getByText(/This goes to \d+ (person|people)/)).toBeVisible();
    await dialog.getByLabel('Title').fill('Heron Bridge is closed');
    await dialog.getByLabel('Words').fill('Take Mill Road until Sunday.');
    await dialog.getByLabel('Why?').fill('The river is high');
    await expectNoScreenProblems(page, 'writing to many', WIDTHS);
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expectToast(page, 'The message is on its way');
  });
  const { text } = await town.testServer.waitForMail(people.duber.user.email, 'Heron Bridge is closed');
  expect(text).toContain('Take Mill Road until Sunday.');
  await expect(page.getByRole('heading', { name: 'Heron Bridge is closed' })).toBeVisible();
  await expectNoScreenProblems(page, 'messages', WIDTHS);
  // The same people are not written to twice a day.
  await page.getByRole('button', { name: 'Write…' }).click();
  await expect(dialog.getByText(/wait until tomorrow, or mark it as urgent/)).toBeVisible();
  expect((await ada.api.listAudit({ query: { q: 'sendBroadcast' } })).items).toHaveLength(1);
});

test('orders are paused, a Bud reads why, and the pause ends', async ({
  town,
  people,
  openVisitor,
  openConsole,
  addOperator,
  measure,
}) => {
  const ada = await addOperator('Ada Pause');
  const { timeZone } = await ada.api.readTown();
  // The town is not where the browser is.
  const { page } = await openConsole(ada, 'today', { ...PHONE, timezoneId: 'Asia/Tokyo' });
  const dialog = page.getByRole('dialog');
  const bud = await openVisitor(MAPLESS);
  const notice = bud.page.getByText('There is a storm. We open again tomorrow at 8.');
  await measure('pause orders', async () => {
    await page.getByRole('button', { name: /^Open.*pause/ }).click();
    await dialog.getByLabel('What people read').fill('There is a storm. We open again tomorrow at 8.');
    await dialog.getByLabel('Why?').fill('The bridge is under water');
    await dialog.getByRole('button', { name: 'Take No New Orders' }).click();
    await expectToast(page, 'No new orders are taken');
    const until = new Date((await ada.api.readTown()).pause?.until ?? '');
    expect(Math.abs(until.getTime() - Date.now() - 4 * HOUR_MS)).toBeLessThan(HOUR_MS);
    // A narrow phone shows only that it is paused.
    await resizeWindow(page, { width: 600, height: 844 });
    await expect(page.getByText(/^Paused until (today|tomorrow)/)).toContainText(
      formatClock(localClock(until, timeZone).time),
    );
    await resizeWindow(page, PHONE.viewport);

    await openDashboard(bud, town, { token: people.bud.token, role: 'Bud' } as TestUser);
    await expect(notice).toBeVisible();
    await bud.page.getByRole('link', { name: 'Place New Order' }).first().click();
    await expect(bud.page.getByRole('heading', { name: 'Place Order', level: 1 })).toBeVisible();
    await expect(notice).toBeVisible();
    await expectNoScreenProblems(bud.page, 'placing an order while the town is paused', WIDTHS);
    await expect(placeOrder(people)).rejects.toThrow('There is a storm');

    await page.getByRole('button', { name: /^Paused/ }).click();
    await dialog.getByLabel('Why?').fill('The storm is over');
    await dialog.getByRole('button', { name: 'Take Orders Again' }).click();
    await expectToast(page, 'The town is open');
  });
  await bud.page.reload();
  await expect(bud.page.getByRole('heading', { name: 'Place Order', level: 1 })).toBeVisible();
  await placeOrder(people);
  await expect(notice).toHaveCount(0);
});

test('a price changes when two operators agree', async ({ openConsole, addOperator }) => {
  const [ada, grace] = [await addOperator('Ada Prices'), await addOperator('Grace Second')];
  const { page } = await openConsole(ada, 'prices');
  const row = page.getByRole('listitem').filter({ hasText: 'Wash and fold, per pound' });
  await expect(row).toContainText('$2.50');
  await expectNoScreenProblems(page, 'prices and promo codes', WIDTHS);
  await row.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New price, in dollars').fill('3');
  // 6.00 for the load, 0.60 fee, 0.53 taxes, two deliveries.
  await expect(dialog.getByRole('row', { name: /^Small/ })).toContainText('$19.11');
  await dialog.getByLabel('Why?').fill('Water costs more');
  await expectNoScreenProblems(page, 'changing a price', WIDTHS);
  await dialog.getByRole('button', { name: 'Ask for Approval' }).click();
  await expectToast(page, 'This waits for another operator');
  await expect(row).not.toContainText('$3.00');

  const { page: second } = await openConsole(grace, 'approvals', PHONE);
  await expect(second.getByText(/^Wash and fold \$2\.50 → \$3\.00 per pound from/)).toBeVisible();
  await approveWaiting(second, 'I know the bill');
  await expectToast(second, 'Done, in the name of both of you');
  await page.reload();
  await expect(row).toContainText('$3.00 from');
  await expect(row).toContainText('$2.50');
  const acts = (await ada.api.listAudit({ query: { q: 'setPrice' } })).items;
  expect(acts.map(({ by, approvedBy }) => [by.name, approvedBy?.name])).toEqual([['Ada Prices', 'Grace Second']]);
  await goToPage(page, 'Audit');
  await expect(page.getByText(/^Wash and fold \$2\.50 → \$3\.00 per pound from \d\d/)).toBeVisible();
  await goToPage(page, 'Rules');
  await expect(page.getByText('All rules are open.')).toBeVisible();
  await expectNoScreenProblems(page, 'the rules of the town', WIDTHS);
});

test('a town says what it does not offer, where everybody reads it', async ({
  openConsole,
  addOperator,
  openVisitor,
}) => {
  const { page } = await openConsole(await addOperator('Ada Services'), 'prices');
  const services = page.getByRole('list', { name: 'Services' });
  await expect(services.getByRole('listitem').filter({ hasText: 'Dry cleaning' })).toContainText('Offered');
  await page.getByRole('button', { name: 'Change Services…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Dry cleaning' }).click();
  await dialog.getByLabel('Why?').fill('Nobody here has a dry cleaner');
  await expectNoScreenProblems(page, 'changing services', WIDTHS);
  await dialog.getByRole('button', { name: 'Change services' }).click();
  await expectToast(page, 'The services are changed');
  await expect(services.getByRole('listitem').filter({ hasText: 'Dry cleaning' })).toContainText('Not offered here');

  const visitor = await openVisitor(MAPLESS);
  await visitor.page.goto('/#/help');
  await visitor.page.getByText('Which services are there?').click();
  await expect(
    visitor.page.getByText('Wash and fold, delicate care and specialty. Dry cleaning is not offered here.'),
  ).toBeVisible();
  await visitor.page.goto('/');
  await expect(visitor.page.getByRole('region', { name: 'What it costs' })).toContainText('not offered here');
  await expectNoScreenProblems(visitor.page, 'the front page of a town without dry cleaning', WIDTHS);
});

const SUDS = 'Suds & Sons';

/** Opens pages one after the other, and looks for the name of the product in all that people read, hear and see in the tab. */
async function expectOnlyOurName(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(`/#${path}`);
    await expect(page.getByRole('heading').first()).toBeVisible();
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
    expect.soft(await page.content(), path).not.toContain(PRODUCT_NAME);
    expect.soft(await page.title(), path).toContain(SUDS);
  }
}

test('a town with a name, a colour and a logo of its own shows the name of the product nowhere', async ({
  town,
  people,
  openVisitor,
  openConsole,
  addOperator,
}) => {
  const { bud, scrub, duber } = people;
  const { id } = await placeOrder(people);
  await scrub.api['accept-order']({ params: { id } });
  const { tags } = await bud.api.makeBags({ params: { id }, body: { bags: 1 } });
  const delivery = findDeliveryId(await bud.api.readOrder({ params: { id } }), 'Bud_To_Scrub');
  const [ada, grace] = [await addOperator('Ada Names'), await addOperator('Grace Names')];
  const { page } = await openConsole(ada, 'settings');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Change Your Town…' }).click();
  await dialog.getByLabel('Name of the town').fill(SUDS);
  await dialog.getByLabel('Colour of buttons and links').fill('#ffd400');
  await expect(dialog.getByText(/^Text is hard to read on #ffd400/)).toBeVisible();
  await expectNoScreenProblems(page, 'a colour that cannot be read', WIDTHS);
  await dialog.getByRole('button', { name: /^Use #/ }).click();
  await expect(dialog.getByText(/^Text is hard to read/)).toHaveCount(0);
  await dialog.getByLabel('Colour of buttons and links').fill('#7a1f5c');
  await dialog
    .getByLabel('Choose a Logo')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: createPng(300, 200) });
  await expect(dialog.getByRole('img', { name: 'The logo' })).toBeVisible();
  await dialog.getByLabel('Legal name').fill('Suds & Sons Laundry LLC');
  await dialog.getByLabel('Postal address').fill('1 Quay Street\nRiverside');
  await dialog.getByLabel('Tax number').fill('12-3456789');
  await dialog.getByLabel('Support email').fill('help@suds.example');
  await dialog.getByLabel('Why?').fill('We have a name');
  await expectNoScreenProblems(page, 'who the town is', WIDTHS);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'This waits for another operator');
  const { page: second } = await openConsole(grace, 'approvals');
  await expect(second.getByText(/^Name: Rubadub → Suds & Sons\. Colour: /)).toBeVisible();
  await approveWaiting(second, 'Good name');
  await expectToast(second, 'Done, in the name of both of you');

  const visitor = await openVisitor(MAPLESS);
  // The link to unsubscribe is none.
  visitor.allowErrors(404);
  // A page does not wait long for a busy database: it then has the name before.
  await expect.poll(async () => (await visitor.page.request.get('/')).text()).toContain('Suds');
  await visitor.page.goto('/');
  await expect(visitor.page.getByRole('link', { name: 'Get Started - Create Account' }).first()).toHaveCSS(
    'background-color',
    'rgb(122, 31, 92)',
  );
  await expectOnlyOurName(visitor.page, [
    ...['/', '/login', '/signup', '/help', '/terms', '/privacy', '/auth/forgot-password', '/auth/reset-password'],
    ...['/unsubscribe?token=none', `/b/${tags[0]?.code}`, '/operator'],
  ]);
  await expect(visitor.page.getByRole('heading', { name: `${SUDS} Console` })).toBeVisible();
  const budVisitor = await openVisitor(MAPLESS);
  await openDashboard(budVisitor, town, { token: bud.token, role: 'Bud' } as TestUser);
  await expectOnlyOurName(budVisitor.page, [
    ...['/bud/dashboard', '/bud/place-order', '/bud/orders', `/bud/orders/${id}`, `/bud/orders/${id}/tags`],
    ...['/bud/deliveries', `/bud/deliveries/${delivery}`, '/profile', '/faq', `/bud/orders/${id}/receipt`],
  ]);
  await expect(budVisitor.page.getByText('Tax number 12-3456789')).toBeVisible();
  const scrubVisitor = await openVisitor(MAPLESS);
  await openDashboard(scrubVisitor, town, { token: scrub.token, role: 'Scrub' } as TestUser);
  await expectOnlyOurName(scrubVisitor.page, [
    '/scrub/dashboard',
    '/scrub/jobs',
    `/scrub/jobs/${id}`,
    '/scrub/earnings',
  ]);
  const duberVisitor = await openVisitor(MAPLESS);
  await openDashboard(duberVisitor, town, { token: duber.token, role: 'Duber' } as TestUser);
  await expectOnlyOurName(duberVisitor.page, ['/duber/dashboard', '/duber/deliveries', '/duber/earnings']);
  // The audit and the decided requests say how the town was called before.
  const pages = [
    'today',
    'orders',
    `orders/${id}`,
    'people',
    `people/${bud.user.id}`,
    'cases',
    'money',
    'payouts',
    'ledger',
  ];
  const others = ['prices', 'zones', 'hours', 'rules', 'messages', 'reconciliation', 'chargebacks', 'settings'];
  await page.reload();
  await expectOnlyOurName(
    page,
    [...pages, ...others].map((path) => `/operator/${path}`),
  );
  await expectNoScreenProblems(page, 'settings of a named town', WIDTHS);
  const manifest = await visitor.page.request.get('/manifest.webmanifest');
  expect(await manifest.text()).not.toContain(PRODUCT_NAME);
});
