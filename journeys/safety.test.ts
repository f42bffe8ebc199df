import type { Page } from '@playwright/test';
import { enter, order, type Person } from './accounts.ts';
import { openCounter } from './caseCounter.ts';
import { openEvil } from './hostileSite.ts';
import { INJECTIONS } from './injectionStrings.ts';
import { expect, MAPLESS, NO_ANSWER, test, type Visitor } from './journey.ts';
import { AT, DETAILS, OWN, openPeople, SIGNED_OUT, type Story, tell } from './orderScenario.ts';
import { fillCard, fillOrder } from './screens/orders.ts';

const A_ROUND = 3;
const LABEL = 50;
// Name, label, address, instructions, and a review from each side to each other.
const FIELDS = 8;

const counter = openCounter('foreign');
// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
test.afterEach(({}, info) => counter.note(info.status === info.expectedStatus));

const MORE = 2;
const SCREENS = SIGNED_OUT.length + Object.values(OWN).flat().length + 5;

const NOTE_REPORTS = `document.addEventListener('securitypolicyviolation', (event) =>
  note(event.effectiveDirective + ': ' + event.blockedURI + ' at ' + location.hash))`;

/** Notes what a page breaks of its content security policy. A dialog that it opens is held against it anyway. */
async function watch({ context }: Visitor): Promise<string[]> {
  const reports: string[] = [];
  await context.exposeBinding('note', (_source, report: string) => void reports.push(report));
  await context.addInitScript(NOTE_REPORTS);
  return reports;
}

async function see(page: Page, path: string): Promise<void> {
  await page.goto(`/#${path}`);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  // What the screen asked for has come, and is drawn.
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
}

/** From nowhere, so that what is seen is this screen's and nothing of the one before. */
async function seeAlone(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await see(page, path);
}

const ranIn = (page: Page) => page.evaluate<unknown>('window.ran');

test('no screen of anybody breaks the content security policy, and a page that does is reported', async ({
  house,
  arrive,
}) => {
  const story = await tell(await openPeople(house, 'Polly'));
  const details = DETAILS(story);
  let seen = 0;
  for (const person of [story.bud, story.scrub, story.duber]) {
    // With its maps: they are most of what a policy could be in the way of.
    const visitor = await arrive();
    const reports = await watch(visitor);
    await enter(visitor, house, person);
    for (const path of [...OWN[person.role], ...details[person.role]]) {
      await seeAlone(visitor.page, path);
      seen += 1;
      counter.ran();
    }
    if (person.role === 'Bud') await openTheRest(visitor.page, story.scrub);
    expect(reports, `of a ${person.role}`).toEqual([]);
    await visitor.context.close();
  }
  const stranger = await arrive();
  // The link that ends mails is a made-up one.
  stranger.mayBeRefused(404);
  const reports = await watch(stranger);
  for (const path of SIGNED_OUT) {
    await seeAlone(stranger.page, path);
    seen += 1;
    counter.ran();
  }
  expect(reports).toEqual([]);
  expect(seen).toBe(SCREENS);
});

/** What stands behind a press: the card network's form in its frame, a map to choose a point on, a form. */
async function openTheRest(page: Page, scrub: Person): Promise<void> {
  await seeAlone(page, '/bud/place-order');
  await fillOrder(page, { address: 'Default', scrub: scrub.fullname, load: 'Small (1-2 lbs)' });
  await fillCard(page);
  counter.ran();
  await seeAlone(page, '/profile');
  await page.getByRole('button', { name: 'Add New Address' }).click();
  await page.getByRole('button', { name: /Select Location/ }).click();
  await expect(page.getByRole('dialog', { name: 'Select Location' })).toBeVisible();
  await expect(page.locator('.maplibregl-canvas')).toBeVisible();
  counter.ran();
}

test('foreign code on a page is kept from running, and reported', async ({ arrive }) => {
  const { page, context, ...visitor } = await arrive(MAPLESS);
  const reports = await watch({ page, context, ...visitor });
  await see(page, '/terms');
  visitor.mayBeRefused(NO_ANSWER, 'Content Security Policy');
  await page.evaluate(PLANTED);
  const kinds = () => reports.map((report) => report.split(':')[0]).toSorted();
  await expect
    .poll(kinds)
    .toEqual(['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem', 'script-src-elem']);
  expect(await ranIn(page)).toBeUndefined();
  counter.ran(PLANTS);
});

const PLANTS = 6;

/** What an injection would do on a page. */
const PLANTED = `
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
  house,
  arrive,
}) => {
  const people = await openPeople(house, 'Inga');
  const visitors = await Promise.all(
    [people.bud, people.scrub, people.duber].map(async (person) => {
      const visitor = await arrive(MAPLESS);
      await enter(visitor, house, person);
      return { person, page: visitor.page, reports: await watch(visitor) };
    }),
  );
  let shown = 0;
  for (let from = 0; from < INJECTIONS.length; from += A_ROUND) {
    const strings = INJECTIONS.slice(from, from + A_ROUND);
    await rename(people, strings);
    const story = await tell(people, strings.join(' '));
    const details = DETAILS(story);
    // Where lists and figures show them the last round looks: those screens show the same words in the same parts.
    const isLast = from + A_ROUND >= INJECTIONS.length;
    for (const { person, page } of visitors) {
      // The page that has all of them comes last.
      for (const path of [...(isLast ? OWN[person.role] : []), ...details[person.role].toReversed()]) {
        await see(page, path);
        expect(await ranIn(page), path).toBeUndefined();
      }
      for (const text of strings) await expect(page.locator('body'), text).toContainText(text);
      shown += 1;
    }
  }
  expect(shown).toBe(INJECTIONS.length);
  for (const { reports } of visitors) expect(reports).toEqual([]);
  counter.ran(shown * FIELDS);
});

/** Gives each of the three another of the strings as name, label and address. */
async function rename(people: Pick<Story, 'bud' | 'scrub' | 'duber'>, strings: readonly string[]): Promise<void> {
  for (const [index, person] of [people.bud, people.scrub, people.duber].entries()) {
    const text = strings[index] ?? '';
    await person.api.updateProfile({ body: { fullname: text } });
    await person.api.updateAddress({
      body: { id: person.addressId, label: text.slice(0, LABEL), address: text, ...AT },
    });
  }
}

test('another site’s pages cannot take a step, in any way that a browser has', async ({ house, arrive }) => {
  const { bud, scrub } = await openPeople(house, 'Cross');
  const { id } = await order(bud, scrub);
  const visitor = await arrive(MAPLESS);
  await enter(visitor, house, bud);
  await expect(visitor.page.getByRole('heading', { level: 1 })).toBeVisible();
  const step = `${house.url}/api/scrub-orders/${id}/cancel-order`;
  const evil = await openEvil(step, bud.token);
  const before = await bud.api.readOrder({ params: { id } });
  visitor.mayBeRefused(401, NO_ANSWER);
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

test('what breaks on our side names its request, and what does not says nothing of it', async ({ house, arrive }) => {
  const { bud, scrub } = await openPeople(house, 'Rhea');
  const { id } = await order(bud, scrub);
  const visitor = await arrive(MAPLESS);
  visitor.mayBeRefused(500, 404);
  await enter(visitor, house, bud);
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
  const { ran, stated } = counter.keep(SCREENS + MORE + PLANTS + INJECTIONS.length * FIELDS);
  expect(ran).toBe(stated);
});
