import { expect, type Locator, type Page } from '@playwright/test';
import { type Sitter, shoot } from './camera.ts';

/** What a page cannot do without: everything else may be slow or away. */
const KEPT = /\/api\/(?:auth|config|events)/;

/** From here on the page's calls are never answered. */
export async function hold(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => (KEPT.test(route.request().url()) ? route.continue() : undefined));
}

/** From here on the page's calls fail as without a network. */
export async function cut(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => (KEPT.test(route.request().url()) ? route.continue() : route.abort()));
}

/** Calls are answered again; those that were held stay without an answer. */
export async function mend(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

export type Screen = {
  /** The folder of its pictures. */
  readonly name: string;
  readonly path: string;
  /** What is there when all of it is. */
  readonly ready: (page: Page) => Locator;
};

const main = (page: Page) => page.getByRole('main');
export const heading = (name: string | RegExp) => (page: Page) => main(page).getByRole('heading', { name }).first();
export const text = (words: string | RegExp) => (page: Page) => main(page).getByText(words).first();
/** The first row or card of a list that has some. */
export const row = (page: Page): Locator => main(page).getByRole('link', { name: 'View Details' }).first();

/** The map of an order or a delivery, which comes last of all. */
export const map = (page: Page): Locator => main(page).locator('canvas.maplibregl-canvas');

/** One state of a screen, as it comes by itself. */
export async function shootState(sitter: Sitter, { name, path, ready }: Screen, state: string): Promise<void> {
  const page = await sitter.newPage();
  await page.goto(`/#${path}`);
  await ready(page).waitFor();
  await shoot(page, name, state);
  await page.close();
}

/** A screen while it loads, when its calls fail, and full. */
export async function shootAll(sitter: Sitter, screen: Screen, full = 'full'): Promise<void> {
  await shootTrouble(sitter, screen);
  await shootState(sitter, screen, full);
}

/** A screen while it loads, and when its calls fail. */
export async function shootTrouble(sitter: Sitter, screen: Screen): Promise<void> {
  await shootWaiting(sitter, screen);
  await shootFailed(sitter, screen);
}

async function shootWaiting(sitter: Sitter, { name, path }: Screen): Promise<void> {
  const page = await sitter.newPage();
  await hold(page);
  await page.goto(`/#${path}`);
  await page
    .getByRole('status', { name: /^Loading/ })
    .first()
    .waitFor();
  await shoot(page, name, 'loading');
  await page.close();
}

async function shootFailed(sitter: Sitter, { name, path }: Screen): Promise<void> {
  const page = await sitter.newPage();
  await cut(page);
  await page.goto(`/#${path}`);
  await expect(page.getByRole('button', { name: 'Try Again' }).first()).toBeEnabled();
  await shoot(page, name, 'failed');
  await page.close();
}
