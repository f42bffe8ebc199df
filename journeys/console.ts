import type { Locator, Page } from '@playwright/test';
import type { Permission } from '../domain/operators.ts';
import { createOperator, type TestOperator } from '../testing/operators.ts';
import { signInToConsole } from './consoleSession.ts';
import { expect, MAPLESS, type Visitor, type VisitorOptions } from './journey.ts';
import { type SituationTest, testUnderPreset } from './situations/town.ts';
import { HAND_ACTS_SCRIPT, measureSituation } from './twentySituations/measure.ts';
import type { SituationName } from './twentySituations/situations.ts';

/** A browser of an operator who is signed in to the console. */
type OpenConsole = (operator: TestOperator, path: string, options?: VisitorOptions) => Promise<Visitor>;
type AddOperator = (fullname: string, caps?: readonly Permission[]) => Promise<TestOperator>;
/** Does what a situation takes in the open consoles, and checks how long that is and which acts it leaves in the audit. Where an act takes a code, the last ones are old. */
type Measure = (name: SituationName, work: () => Promise<void>) => Promise<void>;

type ConsoleFixtures = {
  consolePages: Page[];
  /** Counts what the hands do in a browser from its next page on. */
  watchHands: (visitor: Visitor) => Promise<void>;
  openConsole: OpenConsole;
  addOperator: AddOperator;
  measure: Measure;
};

/** Journeys of the console, in the town of `base`. */
export const consoleIn = (base: SituationTest) =>
  base.extend<ConsoleFixtures>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    consolePages: async ({}, use) => {
      await use([]);
    },
    addOperator: async ({ town }, use) => {
      await use((fullname, caps) => createOperator(town.testServer, { fullname, ...(caps ? { caps } : {}) }));
    },
    watchHands: async ({ consolePages }, use) => {
      await use(async ({ context, page }) => {
        await context.addInitScript({ path: HAND_ACTS_SCRIPT });
        consolePages.push(page);
      });
    },
    openConsole: async ({ openVisitor, town, watchHands }, use) => {
      await use(async ({ token }, path, options = MAPLESS) => {
        const visitor = await openVisitor({ isMapless: true, ...options });
        await signInToConsole(visitor.context, token, town.url);
        await watchHands(visitor);
        await visitor.page.goto(`/#/operator/${path}`);
        return visitor;
      });
    },
    measure: async ({ town, consolePages }, use) => {
      await use((name, work) => measureSituation(name, town.testServer, consolePages, work));
    },
  });

/** Journeys of the console. They share one town. */
export const test = consoleIn(testUnderPreset('open'));

/** Journeys of the console that look at a map, or search for an address. They share another town. */
export const testWithCity = consoleIn(testUnderPreset('open', { hasCity: true }));

/** Opens a page of the console from its navigation, which is behind More on phones. The link also says how many things wait. */
export async function goToPage(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'More', exact: true });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  if (await menu.isVisible()) await menu.click();
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: new RegExp(`^${name}( \\d+\\+? waiting)?$`) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Presses the button of an act that touches money, for an operator whose last code is old: they enter a new one. */
export async function pressWithCode(dialog: Locator, name: string, { nextCode }: TestOperator): Promise<void> {
  const button = dialog.getByRole('button', { name, exact: true });
  await button.click();
  await dialog.getByLabel('Code of your authenticator app').fill(nextCode());
  await button.click();
}

/** Another operator approves the one request that waits. They see it on Today, or on Approvals. */
export async function approveWaiting(page: Page, why: string, withOldCode?: TestOperator): Promise<void> {
  if (!page.url().endsWith('/operator/approvals')) await page.getByRole('link', { name: /^Needs approval/ }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why?').fill(why);
  if (withOldCode) await pressWithCode(dialog, 'Approve', withOldCode);
  else await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(page.getByText('Nothing waits for a decision')).toBeVisible();
}
