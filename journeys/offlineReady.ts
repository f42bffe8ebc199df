import { expect, type Page } from '@playwright/test';

// A string, because this file is compiled without the types of the browser.
const READ_OFFLINE_CACHE = `(async () => {
  if (!(await indexedDB.databases()).some(({ name }) => name === 'rubadub-seen')) return '';
  const opening = indexedDB.open('rubadub-seen');
  await new Promise((resolve) => opening.addEventListener('success', resolve));
  const reading = opening.result.transaction('answers').objectStore('answers').getAll();
  await new Promise((resolve) => reading.addEventListener('success', resolve));
  opening.result.close();
  return reading.result.map((entry) => JSON.stringify(entry)).join();
})()`;

/** Returns the contents of the offline cache as JSON; '' if it is empty or does not exist. */
export const readOfflineCache = (page: Page) => page.evaluate<string>(READ_OFFLINE_CACHE);

/** Waits until the service worker is ready and the offline cache contains `words`. */
export async function waitUntilOfflineReady(page: Page, words: string): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await expect.poll(() => readOfflineCache(page)).toContain(words);
}
