import type { Page } from '@playwright/test';
import { openDashboard, placeOrder, type TestUser } from './accounts.ts';
import { createCaseCounter } from './caseCounter.ts';
import { openHostileSite } from './hostileSite.ts';
import { INJECTION_STRINGS } from './injectionStrings.ts';
import { DESKTOP, expect, MAPLESS, REQUEST_FAILED, test, type Visitor, WITH_SERVICE_WORKER } from './journey.ts';
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
import { tryAgain } from './screens/pageElements.ts';

const STRINGS_PER_ORDER = 3;
const MAX_LABEL_LENGTH = 50;
const WEB_ADDRESS_MESSAGE = 'Full Name must not contain a web address: put a space after each dot';
// Name, label, address, instructions, and four reviews.
const FIELD_COUNT = 8;

const counter = createCaseCounter('foreign-code');
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
test.afterEach(({}, info) => counter.recordResult(info.status === info.expectedStatus));

const DIALOG_COUNT = 2;
const SCREEN_COUNT = SIGNED_OUT_PATHS.length + Object.values(ROLE_PATHS).flat().length + 6;

const REPORT_CSP_VIOLATIONS = `document.addEventListener('securitypolicyviolation', (event) =>
  note(event.effectiveDirective + ': ' + event.blockedURI + ' at ' + location.hash))`;

/** Records violations of the content security policy. Unexpected dialogs fail the journey anyway. */
async function recordCspViolations({ context }: Visitor): Promise<string[]> {
  const reports: string[] = [];
  await context.exposeBinding('note', (_source, report: string) => void reports.push(report));
  await context.addInitScript(REPORT_CSP_VIOLATIONS);
  return reports;
}

async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(`/#${path}`);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  // All data has loaded.
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
}

/** Opens a screen from an empty page, so that nothing of the previous screen remains. */
async function openScreenFresh(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await openScreen(page, path);
}

const readInjectedFlag = (page: Page) => page.evaluate<unknown>('window.ran');

test('no screen of any role violates the content security policy', async ({ server, openVisitor }) => {
  const scenario = await createOrderScenario(await createParticipants(server, 'Polly'));
  const details = detailPathsOf(scenario);
  let screenCount = 0;
  for (const person of [scenario.bud, scenario.scrub, scenario.duber]) {
    // With maps, which need most of the exceptions in the policy, and one with the service worker.
    const visitor = await openVisitor(person.role === 'Bud' ? { ...DESKTOP, ...WITH_SERVICE_WORKER } : DESKTOP);
    const reports = await recordCspViolations(visitor);
    await openDashboard(visitor, server, person);
    for (const path of [...ROLE_PATHS[person.role], ...details[person.role]]) {
      await openScreenFresh(visitor.page, path);
      screenCount += 1;
      counter.countCases();
    }
    if (person.role === 'Bud') {
      await openDialogs(visitor.page, scenario.scrub);
      await visitor.page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    }
    expect(reports, `of a ${person.role}`).toEqual([]);
    await visitor.context.close();
  }
  const signedOut = await openVisitor();
  // The unsubscribe link has an invalid token.
  signedOut.allowErrors(404);
  const reports = await recordCspViolations(signedOut);
  for (const path of SIGNED_OUT_PATHS) {
    await openScreenFresh(signedOut.page, path);
    screenCount += 1;
    counter.countCases();
  }
  expect(reports).toEqual([]);
  expect(screenCount).toBe(SCREEN_COUNT);
});

/** Opens what only appears after a click: the payment form in its frame, and the location picker with its map. */
async function openDialogs(page: Page, scrub: TestUser): Promise<void> {
  await openScreenFresh(page, '/bud/place-order');
  await fillOrder(page, { address: 'Default', scrub: scrub.fullname, load: 'Small (1-2 lbs)' });
  await fillCard(page);
  counter.countCases();
  await openScreenFresh(page, '/profile');
  await page.getByRole('button', { name: 'Add New Address' }).click();
  await page.getByRole('button', { name: /Select Location/ }).click();
  await expect(page.getByRole('dialog', { name: 'Select Location' })).toBeVisible();
  await expect(page.locator('.maplibregl-canvas')).toBeVisible();
  counter.countCases();
}

test('the policy blocks and reports injected code', async ({ openVisitor }) => {
  const { page, context, ...visitor } = await openVisitor(MAPLESS);
  const reports = await recordCspViolations({ page, context, ...visitor });
  await openScreen(page, '/terms');
  visitor.allowErrors(REQUEST_FAILED, 'Content Security Policy');
  await page.evaluate(INJECTED_CODE);
  const kinds = () => reports.map((report) => report.split(':')[0]).toSorted();
  await expect
    .poll(kinds)
    .toEqual(['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem', 'script-src-elem']);
  expect(await readInjectedFlag(page)).toBeUndefined();
  counter.countCases(INJECTED_COUNT);
});

const INJECTED_COUNT = 6;

/** Tries the usual ways to run or load foreign code. */
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

test('text from users is shown unchanged in every field and on every screen and never runs as code', async ({
  server,
  openVisitor,
}) => {
  const users = await createParticipants(server, 'Inga');
  const visitors = await Promise.all(
    [users.bud, users.scrub, users.duber].map(async (person) => {
      const visitor = await openVisitor(MAPLESS);
      await openDashboard(visitor, server, person);
      return { person, page: visitor.page, reports: await recordCspViolations(visitor) };
    }),
  );
  let shownCount = 0;
  for (let from = 0; from < INJECTION_STRINGS.length; from += STRINGS_PER_ORDER) {
    const strings = INJECTION_STRINGS.slice(from, from + STRINGS_PER_ORDER);
    await renameUsers(users, strings);
    const scenario = await createOrderScenario(users, strings.join(' '));
    const details = detailPathsOf(scenario);
    // Lists and dashboards show all strings in the same way, so only the last strings are checked there.
    const isLast = from + STRINGS_PER_ORDER >= INJECTION_STRINGS.length;
    for (const { person, page } of visitors) {
      // The last page contains all strings.
      for (const path of [...(isLast ? ROLE_PATHS[person.role] : []), ...details[person.role].toReversed()]) {
        await openScreen(page, path);
        expect(await readInjectedFlag(page), path).toBeUndefined();
      }
      for (const text of strings) await expect(page.locator('body'), text).toContainText(text);
      shownCount += 1;
    }
  }
  expect(shownCount).toBe(INJECTION_STRINGS.length);
  for (const { reports } of visitors) expect(reports).toEqual([]);
  counter.countCases(shownCount * FIELD_COUNT);
});

/** Gives each user one of the strings as name, label and address. */
async function renameUsers(
  users: Pick<OrderScenario, 'bud' | 'scrub' | 'duber'>,
  strings: readonly string[],
): Promise<void> {
  for (const [index, person] of [users.bud, users.scrub, users.duber].entries()) {
    const text = strings[index] ?? '';
    const renamed = await person.api.updateProfile({ body: { fullname: text } }).catch((error: Error) => error.message);
    // A name with a web address is refused. The same text is shown as an address and in instructions.
    if (typeof renamed === 'string')
      expect([renamed, text]).toEqual([WEB_ADDRESS_MESSAGE, expect.stringContaining('://')]);
    await person.api.updateAddress({
      body: { id: person.addressId, label: text.slice(0, MAX_LABEL_LENGTH), address: text, ...SCENARIO_LOCATION },
    });
  }
}

test('a page on another site cannot take a step on behalf of a user in any way that a browser has', async ({
  server,
  openVisitor,
}) => {
  const { bud, scrub } = await createParticipants(server, 'Cross');
  const { id } = await placeOrder(bud, scrub);
  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, server, bud);
  await expect(visitor.page.getByRole('heading', { level: 1 })).toBeVisible();
  const step = `${server.url}/api/scrub-orders/${id}/cancel-order`;
  const hostileSite = await openHostileSite(step, bud.token);
  const before = await bud.api.readOrder({ params: { id } });
  visitor.allowErrors(401, REQUEST_FAILED);
  try {
    const page = await visitor.context.newPage();
    await page.goto(hostileSite.url);
    await expect(page.locator('#done')).toHaveText('all tried');
    await page.locator('form button').click();
    await page.waitForURL(`${step}*`);
    await expect(page.locator('body')).toContainText('User not authenticated');
    await page.goto(step);
    await expect(page.locator('body')).toContainText('User not authenticated');
    // The cookie exists, so the requests were refused despite it.
    expect(await page.evaluate<string>('document.cookie')).toContain('auth-token');
    expect(await bud.api.readOrder({ params: { id } })).toEqual(before);
  } finally {
    await hostileSite.close();
  }
  await bud.api['cancel-order']({ params: { id } });
});

test('a server error shows its request id, and other errors do not', async ({ server, openVisitor }) => {
  const { bud, scrub } = await createParticipants(server, 'Rhea');
  const { id } = await placeOrder(bud, scrub);
  const visitor = await openVisitor(MAPLESS);
  visitor.allowErrors(500, 404);
  await openDashboard(visitor, server, bud);
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
  const details = page.getByRole('heading', { name: 'Order Details' });
  await tryAgain(page, details);
  await expect(page.getByText('mention request')).toHaveCount(0);
  await page.goto(`/#/bud/orders/${scrub.id}`);
  await expect(page.getByRole('heading', { name: 'Order Not Found' })).toBeVisible();
  await expect(page.getByText('mention request')).toHaveCount(0);
});

test('all stated cases were run', () => {
  const { ran, stated } = counter.writeFigures(
    SCREEN_COUNT + DIALOG_COUNT + INJECTED_COUNT + INJECTION_STRINGS.length * FIELD_COUNT,
  );
  expect(ran).toBe(stated);
});
