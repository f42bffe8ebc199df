import { cacheBuild, deleteOldBuilds, findResponder } from './appCache.ts';
import { parsePush, toAppRoute, toSubscriptionBody } from './push.ts';

declare const self: ServiceWorkerGlobalScope;

const appOrigin = self.location.origin;

// No skipWaiting: the old worker keeps the old build's files until the last page of that build is closed.
self.addEventListener('install', (event) => event.waitUntil(cacheBuild()));

self.addEventListener('activate', (event) => event.waitUntil(deleteOldBuilds().then(() => self.clients.claim())));

self.addEventListener('fetch', (event) => {
  const respond = findResponder(event.request, appOrigin);
  if (respond) event.respondWith(respond());
});

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = parsePush(event.data?.text(), appOrigin);
  const options = { body, tag, icon: '/icons/icon-192.png', data: { url } };
  event.waitUntil(self.registration.showNotification(title, options));
});

// The browser has renewed the subscription, perhaps while no page is open.
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription(event)));

/**
 * Tells the server, as the person who is signed in. It refuses unless the subscription before was theirs. What fails, or a
 * browser whose workers cannot read the cookie, is left to the next visit (web/notifications/pushSubscription.ts).
 */
async function renewSubscription({ oldSubscription, newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const token = await self.cookieStore?.get('auth-token');
  if (!token?.value || !oldSubscription) return;
  const { applicationServerKey } = oldSubscription.options;
  const subscribe = () => self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const body = toSubscriptionBody(newSubscription ?? (await subscribe()), oldSubscription.endpoint);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${decodeURIComponent(token.value)}` };
  await fetch('/api/notifications/devices', { method: 'POST', headers, body: JSON.stringify(body) });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const data = event.notification.data as { url?: unknown } | null;
  event.waitUntil(openRoute(toAppRoute(data?.url, appOrigin)));
});

/** Shows the route in an open tab, or opens a new one. */
async function openRoute(url: string): Promise<void> {
  const tabs = await self.clients.matchAll({ type: 'window' });
  const tab = tabs.find(({ visibilityState }) => visibilityState === 'visible') ?? tabs[0];
  if (!tab) return void (await self.clients.openWindow(url));
  // A tab that cannot be focused can still navigate.
  await tab.focus().catch(() => undefined);
  await tab.navigate(url).catch(() => self.clients.openWindow(url));
}
