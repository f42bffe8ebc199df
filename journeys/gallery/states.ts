import { expect, type Locator, type Page, type Request } from '@playwright/test';
import { type GalleryUser, takeScreenshots } from './screenshots.ts';

/** Requests that every page needs. All others can be stalled or fail. */
const ALWAYS_ANSWERED = /\/api\/(?:auth|config|events)/;

/** Leaves the page's API requests without a response. */
export async function stallRequests(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    ALWAYS_ANSWERED.test(route.request().url()) ? route.continue() : undefined,
  );
}

/** Lets the page's API requests fail, as without a network. */
export async function failRequests(page: Page): Promise<void> {
  await page.route('**/api/**', (route) =>
    ALWAYS_ANSWERED.test(route.request().url()) ? route.continue() : route.abort(),
  );
}

/** Lets new API requests through again. Stalled ones stay without a response. */
export async function restoreRequests(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

export type Screen = {
  /** The folder of its screenshots. */
  readonly name: string;
  readonly path: string;
  /** An element that appears when the screen has loaded. */
  readonly ready: (page: Page) => Locator;
};

const main = (page: Page) => page.getByRole('main');
export const heading = (name: string | RegExp) => (page: Page) => main(page).getByRole('heading', { name }).first();
export const text = (words: string | RegExp) => (page: Page) => main(page).getByText(words).first();
/** The link of the first row or card of a list. */
export const firstRow = (page: Page): Locator => main(page).getByRole('link', { name: 'View Details' }).first();

/** The map of an order or a delivery, which loads last. */
export const mapCanvas = (page: Page): Locator => main(page).locator('canvas.maplibregl-canvas');

/** Takes screenshots of a screen in its current state. */
export async function screenshotState(user: GalleryUser, { name, path, ready }: Screen, state: string): Promise<void> {
  const page = await user.newPage();
  await page.goto(`/#${path}`);
  await ready(page).waitFor();
  await takeScreenshots(page, name, state);
  await page.close();
}

/** Takes screenshots of a screen while it loads, after its requests have failed, and with its data. */
export async function screenshotAllStates(user: GalleryUser, screen: Screen, full = 'full'): Promise<void> {
  await screenshotLoadingAndFailed(user, screen);
  await screenshotState(user, screen, full);
}

/** Takes screenshots of a screen while it loads and after its requests have failed. */
export async function screenshotLoadingAndFailed(user: GalleryUser, screen: Screen): Promise<void> {
  await screenshotLoading(user, screen);
  await screenshotFailed(user, screen);
}

async function screenshotLoading(user: GalleryUser, { name, path }: Screen): Promise<void> {
  const page = await user.newPage();
  await stallRequests(page);
  await page.goto(`/#${path}`);
  await page
    .getByRole('status', { name: /^Loading/ })
    .first()
    .waitFor();
  await takeScreenshots(page, name, 'loading');
  await page.close();
}

async function screenshotFailed(user: GalleryUser, { name, path }: Screen): Promise<void> {
  const page = await user.newPage();
  const waitUntilQuiet = watchRequests(page);
  const stream = page.waitForResponse((response) => STREAM.test(response.url()));
  await failRequests(page);
  await page.goto(`/#${path}`);
  // The page asks again once its event stream is open, and then it loads for a moment.
  await stream;
  await waitUntilQuiet();
  await expect(page.getByRole('button', { name: 'Try Again' }).first()).toBeEnabled();
  await takeScreenshots(page, name, 'failed');
  await page.close();
}

/** The streams of events never end. */
const STREAM = /\/api\/(?:operator\/)?events/;
const QUIET_MS = 300;

/** Call it before the page opens. Returns a function that waits until everything on the page has loaded. */
export function watchRequests(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let changedAt = Date.now();
  page.on('request', (request) => {
    if (!STREAM.test(request.url())) underWay.add(request);
    changedAt = Date.now();
  });
  const end = (request: Request) => {
    underWay.delete(request);
    changedAt = Date.now();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () => expect.poll(() => underWay.size === 0 && Date.now() - changedAt > QUIET_MS).toBe(true);
}
