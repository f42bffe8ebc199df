import { join } from 'node:path';
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { type Client, client } from '../../contract/client.ts';
import type { Role } from '../../domain/accounts.ts';
import { PASSWORD } from '../../scripts/demo/people.ts';
import { lookWithAxe } from '../accessible.ts';
import { type House, openHouse } from '../productServer.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'gallery');

const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;
const SCHEMES = ['light', 'dark'] as const;

/** Somebody whose screens are pictured. Every picture has a page of its own, so that none remembers another. */
export type Sitter = {
  readonly api: Client;
  readonly role: Role;
  readonly newPage: () => Promise<Page>;
};

type WorkerFixtures = {
  house: House;
  /** A page of somebody who is not signed in. */
  stranger: () => Promise<Page>;
  /** Signs in with an e-mail address and the demo's password. */
  sit: (email: string) => Promise<Sitter>;
};

export const test = base.extend<object, WorkerFixtures>({
  house: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const house = await openHouse({ demo: 'on' });
      await use(house);
      await house.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  stranger: [
    async ({ browser, house }, use) => use(async () => (await arrive(browser, house)).newPage()),
    { scope: 'worker' },
  ],
  sit: [
    async ({ browser, house }, use) =>
      use(async (email) => {
        const host = `${house.url}/api`;
        const { authToken, user } = await client(host).login({ body: { email, password: PASSWORD } });
        const context = await arrive(browser, house);
        await context.addCookies([{ name: 'auth-token', value: authToken, url: house.url }]);
        return { api: client(host, () => authToken), role: user.role, newPage: () => context.newPage() };
      }),
    { scope: 'worker' },
  ],
});

const arrive = (browser: Browser, house: House) =>
  browser.newContext({ viewport: SIZES[0], baseURL: house.url, reducedMotion: 'reduce' });

/**
 * Takes a page's picture at every size and in both schemes, as `gallery/{screen}/{state}.{width}.{scheme}.png`; with
 * AXE=on axe looks at each of them too, which takes three times as long.
 */
export async function shoot(page: Page, screen: string, state: string, { only }: { only?: 390 | 1280 } = {}) {
  for (const size of SIZES.filter(({ width }) => only === undefined || width === only)) {
    await unroll(page, size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      await untilStill(page);
      const path = join(FOLDER, screen, `${state}.${size.width}.${colorScheme}.png`);
      await page.screenshot({ path, animations: 'disabled' });
      if (process.env.AXE === 'on') await lookWithAxe(page, `${screen}, ${state}, ${size.width}, ${colorScheme}`);
    }
  }
  await page.setViewportSize(SIZES[0]);
}

// A window as high as its page shows all of it, with what sticks to the bottom at the bottom; a dialog covers a window.
async function unroll(page: Page, { width, height }: (typeof SIZES)[number]): Promise<void> {
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

const GLANCES = 12;

// A map goes on drawing after its page is there, and draws again after each change of size or scheme.
async function untilStill(page: Page): Promise<void> {
  const map = page.locator('canvas.maplibregl-canvas');
  if ((await map.count()) === 0) return;
  await expect(page.locator('[aria-busy="true"]:has(canvas)')).toHaveCount(0);
  let before = '';
  for (let glance = 0; glance < GLANCES; glance += 1) {
    const now = (await map.first().screenshot({ type: 'jpeg', quality: 20 })).toString('base64');
    if (now === before) return;
    before = now;
  }
}
