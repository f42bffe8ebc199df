import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

// Without a limit for an answer of the frame with the card's fields, which a busy machine would miss: axe leaves it out then.
const OPTIONS = { runOnly: { type: 'tag', values: WCAG_22_AA }, resultTypes: ['violations'], pingWaitTime: 60_000 };

const CHECK = `axe.run(document, ${JSON.stringify(OPTIONS)}).then(({ violations, passes }) => ({
  problems: violations.map(({ id, nodes }) => ({ id, elements: nodes.map((node) => node.html) })),
  passed: passes.length,
}))`;

type Result = { readonly problems: readonly { id: string; elements: readonly string[] }[]; readonly passed: number };

// Frames of other origins, such as those of a card network, are checked as well.
const SOURCE = `${axe.source};axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`;

const checkedScreens = new Set<string>();

/** Checks a screen with axe, once per worker. Problems fail the journey but do not stop it. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  if (checkedScreens.has(screen)) return;
  checkedScreens.add(screen);
  await checkWithAxe(page, screen);
}

// A button that changes its color is checked in its final one. What spins forever is checked as it is.
const ARE_TRANSITIONS_OVER = `document.getAnimations().every(({ playState, effect }) =>
  playState !== 'running' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)`;

/** Checks the current state of a page with axe. */
export async function checkWithAxe(page: Page, screen: string): Promise<void> {
  // Not waitForFunction: it compiles its condition in the page, which the content security policy forbids.
  await expect.poll(() => page.evaluate<boolean>(ARE_TRANSITIONS_OVER), { intervals: [50] }).toBe(true);
  await loadAxe(page);
  // axe takes links below the sticky header for too small.
  await page.evaluate('scrollTo(0, 0)');
  const { problems, passed } = await page.evaluate<Result>(CHECK);
  expect(passed, `axe has checked ${screen}`).toBeGreaterThan(5);
  expect.soft(problems, `${screen} meets WCAG 2.2 AA`).toEqual([]);
}

/** Loads axe into every frame that does not have it from an earlier check: that takes as long as a check. */
async function loadAxe(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (!(await frame.evaluate<boolean>(`typeof axe === 'object'`))) await frame.evaluate(SOURCE);
}
