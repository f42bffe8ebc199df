import { gzipSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';

export type Route = {
  readonly name: string;
  readonly url: string;
  /** A selector of what is there once the route shows what it is for. */
  readonly readySelector: string;
  readonly token?: string;
};

/** Bytes of JS and CSS after gzip, how many files they are, and the bytes that came over the wire for them. */
export type Weight = {
  readonly js: number;
  readonly css: number;
  readonly files: number;
  readonly transferred: number;
};

/** Milliseconds from the start of the navigation. */
export type Paint = { readonly fcp: number; readonly lcp: number };

// A phone of some years ago on a slow 4G network, as Lighthouse has it.
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1_638_400 / 8) * 0.9,
  uploadThroughput: (750_000 / 8) * 0.9,
};
const CPU_SLOWDOWN = 4;
const TIMEOUT_MS = 120_000;

/** What a first visit, with nothing in the cache, asks for. */
export async function measureWeight(browser: Browser, route: Route): Promise<Weight> {
  const page = await openPage(browser, route);
  const parts: Promise<{ kind: 'js' | 'css'; size: number; sent: number }>[] = [];
  page.on('response', (response) => {
    const kind = kindOf(response.headers()['content-type'] ?? '');
    if (!kind) return;
    const sizes = async () => {
      const [body, { responseBodySize }] = await Promise.all([response.body(), response.request().sizes()]);
      return { kind, size: gzipSync(body).length, sent: responseBodySize };
    };
    parts.push(sizes());
  });
  await loadRoute(page, route);
  const all = await Promise.all(parts);
  await page.context().close();
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  const of = (kind: 'js' | 'css') => sum(all.filter((part) => part.kind === kind).map((part) => part.size));
  return { js: of('js'), css: of('css'), files: all.length, transferred: sum(all.map((part) => part.sent)) };
}

/** When a first visit on a slow phone paints something, and the largest thing. */
export async function measurePaint(browser: Browser, route: Route): Promise<Paint> {
  const page = await openPage(browser, route);
  await page.addInitScript(WATCH_LCP);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await loadRoute(page, route);
  const paint = (await page.evaluate(READ_PAINT)) as Paint;
  await page.context().close();
  return paint;
}

const WATCH_LCP = `
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.largestPaint = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
`;

const READ_PAINT = `({
  fcp: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  lcp: window.largestPaint,
})`;

async function openPage(browser: Browser, { url, token }: Route): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  if (token) await context.addCookies([{ name: 'auth-token', value: token, url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  // The stream of live news never ends, and a page that listens to it would never be idle.
  await page.route('**/api/events*', (route) => route.abort());
  return page;
}

async function loadRoute(page: Page, { url, readySelector: ready }: Route): Promise<void> {
  await page.goto(url);
  await page.locator(ready).first().waitFor();
  await page.waitForLoadState('networkidle');
}

function kindOf(type: string): 'js' | 'css' | undefined {
  if (type.includes('javascript')) return 'js';
  return type.includes('css') ? 'css' : undefined;
}
