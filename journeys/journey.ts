import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { type House, openHouse } from './productServer.ts';
import { onUnexpectedDialog } from './screens/common.ts';

export type Arrival = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'hasTouch'> & {
  /** Set where the browser cannot draw maps, as on old machines: the screens then say in words what a map would show. */
  readonly isMapless?: boolean;
};

export const DESKTOP = { viewport: { width: 1280, height: 900 } } as const satisfies Arrival;
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const satisfies Arrival;

/** For journeys that are not about maps: drawing those without a graphics card takes most of a machine. */
export const MAPLESS = { ...DESKTOP, isMapless: true } as const satisfies Arrival;

const NO_WEBGL = `{
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
  };
}`;

/** Someone at a screen of their own, with nobody else's cookies. */
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** From here on the server may refuse this visitor with these statuses, or the browser say these words. */
  readonly mayBeRefused: (...statuses: readonly (number | string)[]) => void;
  /** Takes the network away, or gives it back; what the browser's console says about that is no complaint. */
  readonly setOffline: (isOffline: boolean) => Promise<void>;
};

/** What the browser's console says of a request without an answer. */
export const NO_ANSWER = 'net::ERR_FAILED';

type Fixtures = { arrive: (looks?: Arrival) => Promise<Visitor> };
type WorkerFixtures = { house: House };

/** Journeys run on the real product; a word on anybody's console, or an error on a page, fails them at the end. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  house: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const house = await openHouse();
      await use(house);
      await house.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  arrive: async ({ browser, house }, use, info) => {
    const complaints: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async ({ isMapless = false, ...looks } = DESKTOP) => {
      const context = await browser.newContext({ ...looks, baseURL: house.url, reducedMotion: 'reduce' });
      contexts.push(context);
      if (isMapless) await context.addInitScript(NO_WEBGL);
      const page = await context.newPage();
      return { page, context, ...listen(context, page, complaints) };
    });
    // What is still on its way when a test has failed says nothing new.
    if (info.status === info.expectedStatus) expect(complaints, 'nothing is on any console').toEqual([]);
    for (const context of contexts) await context.close();
  },
});

// What drawing maps without a graphics card sounds like; it is about this machine and not about the page.
const DRIVER = 'GL Driver Message';

// What a request sounds like that finds no network.
const NO_NETWORK = 'net::ERR_INTERNET_DISCONNECTED';

/**
 * Chromium keeps the network away from a page that is loaded anew, but tells it of the machine's own: where that has one,
 * such a page takes itself to be online.
 */
function keepsOffline(context: BrowserContext): (isOffline: boolean) => Promise<void> {
  let script: { dispose(): Promise<void> } | undefined;
  return async (isOffline) => {
    await script?.dispose();
    script = isOffline ? await context.addInitScript(SEEM_OFFLINE) : undefined;
    if (!isOffline) for (const page of context.pages()) await page.evaluate(SEEM_ONLINE).catch(unlessLoading);
  };
}

/** A page that loads itself anew, now that there is a network, is told of it by the browser. */
function unlessLoading(error: unknown): void {
  if (!/Execution context was destroyed/.test(String(error))) throw error;
}

const SEEM_OFFLINE = `Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true })`;
const SEEM_ONLINE = `if (Object.hasOwn(navigator, 'onLine')) {
  delete navigator.onLine;
  dispatchEvent(new Event('online'));
}`;

type Allowing = Pick<Visitor, 'mayBeRefused' | 'setOffline'>;

/** Collects what the page complains about; gives the ways to allow something. */
function listen(context: BrowserContext, page: Page, complaints: string[]): Allowing {
  const allowed = new Set<string>();
  let wasOffline = false;
  const stayOffline = keepsOffline(context);
  const isAllowed = (text: string) =>
    text.includes(DRIVER) ||
    (wasOffline && text.includes(NO_NETWORK)) ||
    [...allowed].some((words) => text.includes(words));
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && !isAllowed(message.text())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  onUnexpectedDialog(page, (message) => complaints.push(`${page.url()}: a dialog that nobody waited for: ${message}`));
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.stack ?? error.message}`));
  return {
    mayBeRefused: (...statuses) => {
      for (const status of statuses) {
        allowed.add(typeof status === 'string' ? status : `the server responded with a status of ${status}`);
      }
    },
    setOffline: async (isOffline) => {
      wasOffline ||= isOffline;
      await context.setOffline(isOffline);
      await stayOffline(isOffline);
    },
  };
}

export { expect };
