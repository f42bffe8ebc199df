import { gzipSync } from 'node:zlib';
import type { Browser, Page } from '@playwright/test';

export type Route = {
  readonly name: string;
  readonly url: string;
  /** Matches an element that appears when the route has loaded its data. */
  readonly readySelector: string;
  readonly token?: string;
};

/** Bytes of JS and CSS after gzip, the number of files, and the bytes transferred for them. */
export type Weight = {
  readonly js: number;
  readonly css: number;
  readonly files: number;
  readonly transferred: number;
};

/** Milliseconds from the start of the navigation, and the sum of all layout shifts. */
export type Paint = { readonly fcp: number; readonly lcp: number; readonly shift: number };

// Lighthouse's profile of an older phone on a slow 4G network.
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1_638_400 / 8) * 0.9,
  uploadThroughput: (750_000 / 8) * 0.9,
};
const CPU_SLOWDOWN = 4;
const TIMEOUT_MS = 120_000;

/** Measures what a first visit with an empty cache loads. */
export async function measureWeight(browser: Browser, route: Route): Promise<Weight> {
  const page = await openPage(browser, route);
  const pending: Promise<{ kind: 'js' | 'css'; size: number; transferred: number }>[] = [];
  page.on('response', (response) => {
    const kind = kindOf(response.headers()['content-type'] ?? '');
    if (!kind) return;
    const sizes = async () => {
      const [body, { responseBodySize }] = await Promise.all([response.body(), response.request().sizes()]);
      return { kind, size: gzipSync(body).length, transferred: responseBodySize };
    };
    pending.push(sizes());
  });
  await loadRoute(page, route);
  const files = await Promise.all(pending);
  await page.context().close();
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  const sizeOf = (kind: 'js' | 'css') => sum(files.filter((file) => file.kind === kind).map((file) => file.size));
  const transferred = sum(files.map((file) => file.transferred));
  return { js: sizeOf('js'), css: sizeOf('css'), files: files.length, transferred };
}

/** Measures the first and the largest contentful paint, and how much the layout shifts, of a first visit on a slow phone. */
export async function measurePaint(browser: Browser, route: Route): Promise<Paint> {
  const page = await openPage(browser, route);
  await page.addInitScript(WATCH_PAINT);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await loadRoute(page, route);
  const paint = (await page.evaluate(READ_PAINT)) as Paint;
  await page.context().close();
  return paint;
}

const WATCH_PAINT = `
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.largestPaint = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
`;

const READ_PAINT = `({
  fcp: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  lcp: window.largestPaint,
  shift: window.layoutShift,
})`;

async function openPage(browser: Browser, { url, token }: Route): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  if (token) await context.addCookies([{ name: 'auth-token', value: token, url }]);
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  // The event stream never ends, so the page would never be idle.
  await page.route('**/api/events*', (route) => route.abort());
  return page;
}

async function loadRoute(page: Page, { url, readySelector }: Route): Promise<void> {
  await page.goto(url);
  await page.locator(readySelector).first().waitFor();
  await page.waitForLoadState('networkidle');
}

function kindOf(type: string): 'js' | 'css' | undefined {
  if (type.includes('javascript')) return 'js';
  return type.includes('css') ? 'css' : undefined;
}
