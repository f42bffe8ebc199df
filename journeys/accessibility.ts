import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const checkedScreens = new Set<string>();

/** Checks a screen with axe, once per worker. Problems fail the journey but do not stop it. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  if (checkedScreens.has(screen)) return;
  checkedScreens.add(screen);
  await checkWithAxe(page, screen);
}

/** Checks the current state of a page with axe. */
export async function checkWithAxe(page: Page, screen: string): Promise<void> {
  const { violations, passes } = await new AxeBuilder({ page }).withTags(WCAG_22_AA).analyze();
  expect(passes.length, `axe has checked ${screen}`).toBeGreaterThan(5);
  const problems = violations.map(({ id, nodes }) => ({ id, elements: nodes.map((node) => node.html) }));
  expect.soft(problems, `${screen} meets WCAG 2.2 AA`).toEqual([]);
}
