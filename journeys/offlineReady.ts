import { expect, type Page } from '@playwright/test';

// As text, because there is no browser where this file is compiled.
const READ_OFFLINE_CACHE = `(async () => {
  if (!(await indexedDB.databases()).some(({ name }) => name === 'rubadub-seen')) return '';
  const opening = indexedDB.open('rubadub-seen');
  await new Promise((resolve) => opening.addEventListener('success', resolve));
  const reading = opening.result.transaction('answers').objectStore('answers').getAll();
  await new Promise((resolve) => reading.addEventListener('success', resolve));
  opening.result.close();
  return reading.result.map((kept) => JSON.stringify(kept)).join();
})()`;

/** What this browser keeps of the answers that somebody has seen; nothing, or a database with nothing in it, is ''. */
export const readOfflineCache = (page: Page) => page.evaluate<string>(READ_OFFLINE_CACHE);

/** Waits until the worker and what was seen, `words` of it, would do without a network. */
export async function waitUntilOfflineReady(page: Page, words: string): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await expect.poll(() => readOfflineCache(page)).toContain(words);
}
