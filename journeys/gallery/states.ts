import { expect, type Locator, type Page } from '@playwright/test';
import { type GalleryUser, takeScreenshots } from './screenshots.ts';

/** What a page cannot do without: everything else may be slow or away. */
const ALWAYS_ANSWERED = /\/api\/(?:auth|config|events)/;

/** From here on the page's calls are never answered. */
export async function stallRequests(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    ALWAYS_ANSWERED.test(route.request().url()) ? route.continue() : undefined,
  );
}

/** From here on the page's calls fail as without a network. */
export async function failRequests(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    ALWAYS_ANSWERED.test(route.request().url()) ? route.continue() : route.abort(),
  );
}

/** Calls are answered again; those that were held stay without an answer. */
export async function restoreRequests(page: Page): Promise<void> {
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
export const firstRow = (page: Page): Locator => main(page).getByRole('link', { name: 'View Details' }).first();

/** The map of an order or a delivery, which comes last of all. */
export const mapCanvas = (page: Page): Locator => main(page).locator('canvas.maplibregl-canvas');

/** One state of a screen, as it comes by itself. */
export async function screenshotState(
  sitter: GalleryUser,
  { name, path, ready }: Screen,
  state: string,
): Promise<void> {
  const page = await sitter.newPage();
  await page.goto(`/#${path}`);
  await ready(page).waitFor();
  await takeScreenshots(page, name, state);
  await page.close();
}

/** A screen while it loads, when its calls fail, and full. */
export async function screenshotAllStates(sitter: GalleryUser, screen: Screen, full = 'full'): Promise<void> {
  await screenshotLoadingAndFailed(sitter, screen);
  await screenshotState(sitter, screen, full);
}

/** A screen while it loads, and when its calls fail. */
export async function screenshotLoadingAndFailed(sitter: GalleryUser, screen: Screen): Promise<void> {
  await screenshotLoading(sitter, screen);
  await screenshotFailed(sitter, screen);
}

async function screenshotLoading(sitter: GalleryUser, { name, path }: Screen): Promise<void> {
  const page = await sitter.newPage();
  await stallRequests(page);
  await page.goto(`/#${path}`);
  await page
    .getByRole('status', { name: /^Loading/ })
    .first()
    .waitFor();
  await takeScreenshots(page, name, 'loading');
  await page.close();
}

async function screenshotFailed(sitter: GalleryUser, { name, path }: Screen): Promise<void> {
  const page = await sitter.newPage();
  await failRequests(page);
  await page.goto(`/#${path}`);
  await expect(page.getByRole('button', { name: 'Try Again' }).first()).toBeEnabled();
  await takeScreenshots(page, name, 'failed');
  await page.close();
}
