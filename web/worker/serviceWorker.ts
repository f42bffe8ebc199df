import { cacheBuild, deleteOldBuilds, findResponder } from './appCache.ts';
import { parsePush, toAppRoute } from './push.ts';

declare const self: ServiceWorkerGlobalScope;

const appOrigin = self.location.origin;

// A new worker waits until no page of the old build is open: until then the old one keeps that build's files for them.
self.addEventListener('install', (event) => event.waitUntil(cacheBuild()));

self.addEventListener('activate', (event) => event.waitUntil(deleteOldBuilds().then(() => self.clients.claim())));

self.addEventListener('fetch', (event) => {
  const answer = findResponder(event.request, appOrigin);
  if (answer) event.respondWith(answer());
});

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = parsePush(event.data?.text(), appOrigin);
  const options = { body, tag, icon: '/icons/icon-192.png', data: { url } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const data = event.notification.data as { url?: unknown } | null;
  event.waitUntil(openRoute(toAppRoute(data?.url, appOrigin)));
});

/** Brings a tab that is open to the front and to the place, or opens one. */
async function openRoute(url: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: 'window' });
  const tab = tabs.find((one) => one.visibilityState === 'visible') ?? tabs[0];
  if (!tab) return void (await self.clients.openWindow(url));
  // Where a tab may not be brought to the front it can still be brought to the place.
  await tab.focus().catch(() => undefined);
  await tab.navigate(url).catch(() => self.clients.openWindow(url));
}
