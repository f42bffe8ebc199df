import type { Page, Request } from '@playwright/test';
import { expect } from './journey.ts';

/** A page whose calls can be held back, so that the first one after something happened is the one that a click makes. */
export type QuietPage = {
  /** Holds the calls that the page makes from now on, and waits for the answers to those that are under way. */
  readonly hold: () => Promise<void>;
  /** Lets the calls go that were held, and all that follow. */
  readonly release: () => void;
};

/** Call it before the page is opened. Streams of events are not counted: they never end. */
export async function watchCalls(page: Page): Promise<QuietPage> {
  const underWay = new Set<Request>();
  const held = new Map<Request, () => void>();
  let isHeld = false;
  const isCall = (request: Request) => /\/api\/(?!(operator\/)?events)/.test(request.url());
  page.on('request', (request) => void (isCall(request) && underWay.add(request)));
  page.on('requestfinished', (request) => void underWay.delete(request));
  page.on('requestfailed', (request) => void underWay.delete(request));
  await page.route('**/api/**', async (route, request) => {
    if (isHeld && isCall(request)) await new Promise<void>((resolve) => void held.set(request, resolve));
    await route.fallback();
  });
  return {
    hold: async () => {
      isHeld = true;
      await expect.poll(() => [...underWay].filter((request) => !held.has(request)).length).toBe(0);
    },
    release: () => {
      isHeld = false;
      for (const letGo of held.values()) letGo();
      held.clear();
    },
  };
}
