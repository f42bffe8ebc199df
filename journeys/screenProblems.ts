import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { findLayoutProblems } from './layoutProblems.ts';

/** Checks a screen with axe, and its layout at each width. Problems fail the journey but do not stop it. */
export async function expectNoScreenProblems(page: Page, name: string, widths: readonly number[]): Promise<void> {
  await expectAccessible(page, name);
  const problems: string[] = [];
  for (const width of widths)
    for (const problem of await findLayoutProblems(page, width)) problems.push(`${width} px: ${problem}`);
  expect.soft(problems, name).toEqual([]);
}
