import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test';
import { openProductServer, type ProductServer } from './productServer.ts';
import { onUnexpectedDialog } from './screens/pageElements.ts';

type ContextOptions = Pick<
  BrowserContextOptions,
  'viewport' | 'colorScheme' | 'hasTouch' | 'timezoneId' | 'serviceWorkers'
>;

export type VisitorOptions = ContextOptions & {
  /** Simulates a browser without WebGL. The screens then show text instead of maps. */
  readonly isMapless?: boolean;
};

export const DESKTOP = { viewport: { width: 1280, height: 900 } } as const satisfies VisitorOptions;
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const satisfies VisitorOptions;

/** For journeys that are not about maps. Rendering maps in software uses most of the CPU. */
export const MAPLESS = { ...DESKTOP, isMapless: true } as const satisfies VisitorOptions;

/**
 * For journeys that need the service worker (decision 119). It saves the whole app for each new visitor, which takes a third of
 * the CPU, so the other visitors have none.
 */
export const WITH_SERVICE_WORKER = { serviceWorkers: 'allow' } as const satisfies VisitorOptions;

/** A phone on which the app opens and queues steps without a network. */
export const OFFLINE_PHONE = { ...PHONE, ...WITH_SERVICE_WORKER, isMapless: true } as const satisfies VisitorOptions;

const DISABLE_WEBGL = `{
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest);
  };
}`;

/** A person with a browser context of their own. */
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Allows error responses with these statuses and console messages with these words. */
  readonly allowErrors: (...statusesOrWords: readonly (number | string)[]) => void;
  /** Disconnects or reconnects the network. Console messages about it are allowed. */
  readonly setOffline: (isOffline: boolean) => Promise<void>;
};

/** The console message for a request that got no response. */
export const REQUEST_FAILED = 'net::ERR_FAILED';

type Fixtures = { openVisitor: (options?: VisitorOptions) => Promise<Visitor> };
type WorkerFixtures = { server: ProductServer };

/** Journeys run on the real product. They fail if there is an error, a warning or an unexpected dialog in any browser. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
    async ({}, use) => {
      const server = await openProductServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker', timeout: 480_000 },
  ],
  openVisitor: async ({ browser, server }, use, info) => {
    const problems: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async ({ isMapless = false, ...options } = DESKTOP) => {
      const context = await browser.newContext({
        serviceWorkers: 'block',
        reducedMotion: 'reduce',
        ...options,
        baseURL: server.url,
      });
      contexts.push(context);
      if (isMapless) await context.addInitScript(DISABLE_WEBGL);
      const page = await context.newPage();
      return { page, context, ...watchConsole(context, page, problems) };
    });
    // After a failed test, requests in flight cause further errors that say nothing new.
    if (info.status === info.expectedStatus) expect(problems, 'no console has errors or warnings').toEqual([]);
    for (const context of contexts) await context.close();
  },
});

const NO_SERVICE_WORKER = 'Service Worker registration blocked by Playwright';

// A warning about rendering in software. It is about the machine, not about the page.
const GL_DRIVER_WARNING = 'GL Driver Message';

// On a machine that is busy a style sheet or the font can be used some seconds after it came. It is about the machine as well.
const LATE_STYLES_WARNING =
  /\/assets\/[\w-]+\.(css|woff2) was preloaded using link preload but not used within a few seconds/;

// The console messages without a network: for a request, and when the browser itself looks for a newer service worker.
const OFFLINE_MESSAGES = ['net::ERR_INTERNET_DISCONNECTED', 'An unknown error occurred when fetching the script'];

/**
 * Overrides `navigator.onLine`. After a reload, Chromium's offline mode blocks requests, but `navigator.onLine` reflects the
 * network of the machine.
 */
export function createOnLineOverride(context: BrowserContext): (isOffline: boolean) => Promise<void> {
  let script: { dispose(): Promise<void> } | undefined;
  return async (isOffline) => {
    await script?.dispose();
    script = isOffline ? await context.addInitScript(FAKE_OFFLINE) : undefined;
    if (!isOffline)
      for (const page of context.pages()) await page.evaluate(RESTORE_ONLINE).catch(rethrowUnlessReloading);
  };
}

/** A page that is reloading does not need the override to be removed. */
function rethrowUnlessReloading(error: unknown): void {
  if (!/Execution context was destroyed/.test(String(error))) throw error;
}

const FAKE_OFFLINE = `Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true })`;
const RESTORE_ONLINE = `if (Object.hasOwn(navigator, 'onLine')) {
  delete navigator.onLine;
  dispatchEvent(new Event('online'));
}`;

type VisitorControls = Pick<Visitor, 'allowErrors' | 'setOffline'>;

/** Collects errors, warnings and unexpected dialogs of a page. */
function watchConsole(context: BrowserContext, page: Page, problems: string[]): VisitorControls {
  const allowed = new Set<string>([GL_DRIVER_WARNING, NO_SERVICE_WORKER]);
  let wasOffline = false;
  const overrideOnLine = createOnLineOverride(context);
  const isAllowed = (text: string) =>
    LATE_STYLES_WARNING.test(text) ||
    (wasOffline && OFFLINE_MESSAGES.some((words) => text.includes(words))) ||
    [...allowed].some((words) => text.includes(words));
  page.on('console', (message) => {
    const isProblem = message.type() === 'error' || message.type() === 'warning';
    if (isProblem && !isAllowed(message.text())) problems.push(`${page.url()}: ${message.text()}`);
  });
  onUnexpectedDialog(page, (message) => problems.push(`${page.url()}: unexpected dialog: ${message}`));
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.stack ?? error.message}`));
  return {
    allowErrors: (...statusesOrWords) => {
      for (const one of statusesOrWords) {
        allowed.add(typeof one === 'string' ? one : `the server responded with a status of ${one}`);
      }
    },
    setOffline: async (isOffline) => {
      wasOffline ||= isOffline;
      await context.setOffline(isOffline);
      await overrideOnLine(isOffline);
    },
  };
}

export { expect };
