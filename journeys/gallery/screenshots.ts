import { join } from 'node:path';
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { type Client, createClient } from '../../contract/client.ts';
import type { Role } from '../../domain/accounts.ts';
import { DEMO_PASSWORD } from '../../scripts/demo/people.ts';
import { checkWithAxe } from '../accessibility.ts';
import { openProductServer, type ProductServer } from '../productServer.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'gallery');

const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;
const SCHEMES = ['light', 'dark'] as const;

/** Somebody whose screens are pictured. Every picture has a page of its own, so that none remembers another. */
export type GalleryUser = {
  readonly api: Client;
  readonly role: Role;
  readonly newPage: () => Promise<Page>;
};

type WorkerFixtures = {
  server: ProductServer;
  /** A page of somebody who is not signed in. */
  openSignedOutPage: () => Promise<Page>;
  /** Signs in with an e-mail address and the demo's password. */
  signIn: (email: string) => Promise<GalleryUser>;
};

export const test = base.extend<object, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const house = await openProductServer({ demo: 'on' });
      await use(house);
      await house.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  openSignedOutPage: [
    async ({ browser, server: house }, use) => use(async () => (await createContext(browser, house)).newPage()),
    { scope: 'worker' },
  ],
  signIn: [
    async ({ browser, server: house }, use) =>
      use(async (email) => {
        const host = `${house.url}/api`;
        const { authToken, user } = await createClient(host).login({ body: { email, password: DEMO_PASSWORD } });
        const context = await createContext(browser, house);
        await context.addCookies([{ name: 'auth-token', value: authToken, url: house.url }]);
        return { api: createClient(host, () => authToken), role: user.role, newPage: () => context.newPage() };
      }),
    { scope: 'worker' },
  ],
});

const createContext = (browser: Browser, house: ProductServer) =>
  browser.newContext({ viewport: SIZES[0], baseURL: house.url, reducedMotion: 'reduce' });

/**
 * Takes a page's picture at every size and in both schemes, as `gallery/{screen}/{state}.{width}.{scheme}.png`; with
 * AXE=on axe looks at each of them too, which takes three times as long.
 */
export async function takeScreenshots(page: Page, screen: string, state: string, { only }: { only?: 390 | 1280 } = {}) {
  for (const size of SIZES.filter(({ width }) => only === undefined || width === only)) {
    await fitViewportToPage(page, size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      await waitUntilMapIsStill(page);
      const path = join(FOLDER, screen, `${state}.${size.width}.${colorScheme}.png`);
      await page.screenshot({ path, animations: 'disabled' });
      if (process.env.AXE === 'on') await checkWithAxe(page, `${screen}, ${state}, ${size.width}, ${colorScheme}`);
    }
  }
  await page.setViewportSize(SIZES[0]);
}

// A window as high as its page shows all of it, with what sticks to the bottom at the bottom; a dialog covers a window.
async function fitViewportToPage(page: Page, { width, height }: (typeof SIZES)[number]): Promise<void> {
  await page.setViewportSize({ width, height });
  if (await page.getByRole('dialog').first().isVisible()) return;
  const map = page.locator('main canvas.maplibregl-canvas');
  if ((await map.count()) > 0) {
    // A map that was there before would show what fitted the other size.
    await page.reload();
    await map.waitFor();
  }
  const whole = (await page.evaluate('document.documentElement.scrollHeight')) as number;
  if (whole > height) await page.setViewportSize({ width, height: whole });
}

const MAX_COMPARISONS = 12;

// A map goes on drawing after its page is there, and draws again after each change of size or scheme.
async function waitUntilMapIsStill(page: Page): Promise<void> {
  const map = page.locator('canvas.maplibregl-canvas');
  if ((await map.count()) === 0) return;
  await expect(page.locator('[aria-busy="true"]:has(canvas)')).toHaveCount(0);
  let before = '';
  for (let glance = 0; glance < MAX_COMPARISONS; glance += 1) {
    const now = (await map.first().screenshot({ type: 'jpeg', quality: 20 })).toString('base64');
    if (now === before) return;
    before = now;
  }
}
