import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { openProductServer, type ProductServer } from './productServer.ts';
import { onUnexpectedDialog } from './screens/pageElements.ts';

export type VisitorOptions = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'hasTouch'> & {
  /** Set where the browser cannot draw maps, as on old machines: the screens then say in words what a map would show. */
  readonly isMapless?: boolean;
};

export const DESKTOP = { viewport: { width: 1280, height: 900 } } as const satisfies VisitorOptions;
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const satisfies VisitorOptions;

/** For journeys that are not about maps: drawing those without a graphics card takes most of a machine. */
export const MAPLESS = { ...DESKTOP, isMapless: true } as const satisfies VisitorOptions;

const DISABLE_WEBGL = `{
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
  readonly allowErrors: (...statuses: readonly (number | string)[]) => void;
  /** Takes the network away, or gives it back; what the browser's console says about that is no complaint. */
  readonly setOffline: (isOffline: boolean) => Promise<void>;
};

/** What the browser's console says of a request without an answer. */
export const REQUEST_FAILED = 'net::ERR_FAILED';

type Fixtures = { openVisitor: (looks?: VisitorOptions) => Promise<Visitor> };
type WorkerFixtures = { server: ProductServer };

/** Journeys run on the real product; a word on anybody's console, or an error on a page, fails them at the end. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const house = await openProductServer();
      await use(house);
      await house.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  openVisitor: async ({ browser, server: house }, use, info) => {
    const complaints: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async ({ isMapless = false, ...looks } = DESKTOP) => {
      const context = await browser.newContext({ ...looks, baseURL: house.url, reducedMotion: 'reduce' });
      contexts.push(context);
      if (isMapless) await context.addInitScript(DISABLE_WEBGL);
      const page = await context.newPage();
      return { page, context, ...watchConsole(context, page, complaints) };
    });
    // What is still on its way when a test has failed says nothing new.
    if (info.status === info.expectedStatus) expect(complaints, 'nothing is on any console').toEqual([]);
    for (const context of contexts) await context.close();
  },
});

// What drawing maps without a graphics card sounds like; it is about this machine and not about the page.
const GL_DRIVER_WARNING = 'GL Driver Message';

// What a request sounds like that finds no network.
const INTERNET_DISCONNECTED = 'net::ERR_INTERNET_DISCONNECTED';

/**
 * Chromium keeps the network away from a page that is loaded anew, but tells it of the machine's own: where that has one,
 * such a page takes itself to be online.
 */
function createOnLineOverride(context: BrowserContext): (isOffline: boolean) => Promise<void> {
  let script: { dispose(): Promise<void> } | undefined;
  return async (isOffline) => {
    await script?.dispose();
    script = isOffline ? await context.addInitScript(FAKE_OFFLINE) : undefined;
    if (!isOffline)
      for (const page of context.pages()) await page.evaluate(RESTORE_ONLINE).catch(rethrowUnlessReloading);
  };
}

/** A page that loads itself anew, now that there is a network, is told of it by the browser. */
function rethrowUnlessReloading(error: unknown): void {
  if (!/Execution context was destroyed/.test(String(error))) throw error;
}

const FAKE_OFFLINE = `Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true })`;
const RESTORE_ONLINE = `if (Object.hasOwn(navigator, 'onLine')) {
  delete navigator.onLine;
  dispatchEvent(new Event('online'));
}`;

type VisitorControls = Pick<Visitor, 'allowErrors' | 'setOffline'>;

/** Collects what the page complains about; gives the ways to allow something. */
function watchConsole(context: BrowserContext, page: Page, complaints: string[]): VisitorControls {
  const allowed = new Set<string>();
  let wasOffline = false;
  const stayOffline = createOnLineOverride(context);
  const isAllowed = (text: string) =>
    text.includes(GL_DRIVER_WARNING) ||
    (wasOffline && text.includes(INTERNET_DISCONNECTED)) ||
    [...allowed].some((words) => text.includes(words));
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && !isAllowed(message.text())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  onUnexpectedDialog(page, (message) => complaints.push(`${page.url()}: a dialog that nobody waited for: ${message}`));
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.stack ?? error.message}`));
  return {
    allowErrors: (...statuses) => {
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
