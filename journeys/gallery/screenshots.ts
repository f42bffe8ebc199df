import { join } from 'node:path';
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { type Client, createClient } from '../../contract/client.ts';
import type { Role } from '../../domain/accounts.ts';
import { DEMO_PASSWORD } from '../../scripts/demo/people.ts';
import { checkWithAxe } from '../accessibility.ts';
import type { TestUser } from '../accounts.ts';
import { findLayoutProblems } from '../layoutProblems.ts';
import { openProductServer, type ProductServer } from '../productServer.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'gallery');

/** GALLERY_WIDTHS=320,768 takes others. */
const WIDTHS = (process.env.GALLERY_WIDTHS ?? '1280,390').split(',').map(Number);
const DESKTOP = { width: 1280, height: 900 };
/** Below it the screens have their form for phones. */
const MIN_DESKTOP_WIDTH = 992;

const MAP_MS = 4_000;

type Size = { readonly width: number; readonly height: number };
const sizeOf = (width: number): Size => ({ width, height: width < MIN_DESKTOP_WIDTH ? 844 : 900 });
const SCHEMES = ['light', 'dark'] as const;

/** A signed-in user. Every screenshot uses a new page, so that none depends on another. */
export type GalleryUser = {
  readonly api: Client;
  readonly role: Role;
  readonly newPage: () => Promise<Page>;
};

type WorkerFixtures = {
  server: ProductServer;
  /** Opens a page without signing in. */
  openSignedOutPage: () => Promise<Page>;
  /** Signs in with an e-mail address and the demo password. */
  signIn: (email: string) => Promise<GalleryUser>;
  /** The same for somebody who has just signed up. */
  openAs: (user: TestUser) => Promise<GalleryUser>;
};

export const test = base.extend<object, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const server = await openProductServer({ demo: 'on' });
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  openSignedOutPage: [
    async ({ browser, server }, use) => use(async () => (await createContext(browser, server)).newPage()),
    { scope: 'worker' },
  ],
  openAs: [
    async ({ browser, server }, use) =>
      use(async ({ api, role, token }) => {
        const context = await createContext(browser, server);
        await context.addCookies([{ name: 'auth-token', value: token, url: server.url }]);
        return { api, role, newPage: () => context.newPage() };
      }),
    { scope: 'worker' },
  ],
  signIn: [
    async ({ browser, server }, use) =>
      use(async (email) => {
        const apiUrl = `${server.url}/api`;
        const { authToken, user } = await createClient(apiUrl).login({ body: { email, password: DEMO_PASSWORD } });
        const context = await createContext(browser, server);
        await context.addCookies([{ name: 'auth-token', value: authToken, url: server.url }]);
        return { api: createClient(apiUrl, () => authToken), role: user.role, newPage: () => context.newPage() };
      }),
    { scope: 'worker' },
  ],
});

const createContext = (browser: Browser, server: ProductServer) =>
  browser.newContext({ viewport: DESKTOP, baseURL: server.url, reducedMotion: 'reduce' });

/**
 * Takes screenshots at every width and in both color schemes: `gallery/{screen}/{state}.{width}.{scheme}.png`, and reports what
 * is cut, broken or off the middle. With AXE=on, axe checks each of them, which takes three times as long.
 */
export async function takeScreenshots(page: Page, screen: string, state: string, { only }: { only?: 'phone' } = {}) {
  const widths = WIDTHS.filter((width) => only === undefined || width < MIN_DESKTOP_WIDTH);
  for (const size of widths.map(sizeOf)) {
    expect.soft(await findLayoutProblems(page, size.width), `${screen}, ${state}, ${size.width} px`).toEqual([]);
    await fitViewportToPage(page, size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      await waitUntilMapIsStill(page);
      // A picture of the map scrolls to it.
      await page.evaluate('scrollTo(0, 0)');
      const path = join(FOLDER, screen, `${state}.${size.width}.${colorScheme}.png`);
      await page.screenshot({ path, animations: 'disabled' });
      if (process.env.AXE === 'on') await checkWithAxe(page, `${screen}, ${state}, ${size.width}, ${colorScheme}`);
    }
  }
  await page.setViewportSize(DESKTOP);
}

// Makes the viewport as high as the page, so that the screenshot shows all of it. A dialog fits the viewport already.
async function fitViewportToPage(page: Page, { width, height }: Size): Promise<void> {
  await page.setViewportSize({ width, height });
  if (await page.getByRole('dialog').first().isVisible()) return;
  const map = page.locator('main canvas.maplibregl-canvas');
  const hasMap = (await map.count()) > 0;
  // Reload, because a map keeps the section that fitted the previous size.
  if (hasMap) await page.reload();
  // Some screens draw the way themselves until the map is in sight, or until somebody touches the page.
  if (hasMap) await map.waitFor({ timeout: MAP_MS }).catch(() => undefined);
  const pageHeight = (await page.evaluate('document.documentElement.scrollHeight')) as number;
  if (pageHeight > height) await page.setViewportSize({ width, height: pageHeight });
  if (hasMap) await map.waitFor({ timeout: MAP_MS }).catch(() => undefined);
  await page.evaluate('scrollTo(0, 0)');
}

const MAX_COMPARISONS = 12;

// A map keeps rendering after the page has loaded, and renders again after each change of size or color scheme.
async function waitUntilMapIsStill(page: Page): Promise<void> {
  const map = page.locator('canvas.maplibregl-canvas');
  if ((await map.count()) === 0) return;
  await expect(page.locator('[aria-busy="true"]:has(canvas)')).toHaveCount(0);
  let previous = '';
  for (let attempt = 0; attempt < MAX_COMPARISONS; attempt += 1) {
    const current = (await map.first().screenshot({ type: 'jpeg', quality: 20 })).toString('base64');
    if (current === previous) return;
    previous = current;
  }
}
