import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const checkedScreens = new Set<string>();

/** Looks at a screen with axe, once a run of this worker; what it finds fails the journey, which goes on all the same. */
export async function expectAccessible(page: Page, screen: string): Promise<void> {
  if (checkedScreens.has(screen)) return;
  checkedScreens.add(screen);
  await checkWithAxe(page, screen);
}

/** Looks at a page as it stands now. */
export async function checkWithAxe(page: Page, screen: string): Promise<void> {
  const { violations, passes } = await new AxeBuilder({ page }).withTags(WCAG_22_AA).analyze();
  expect(passes.length, `axe saw ${screen}`).toBeGreaterThan(5);
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html) }));
  expect.soft(found, `${screen} keeps WCAG 2.2 AA`).toEqual([]);
}
