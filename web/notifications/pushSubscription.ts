import type { Device } from '../../contract/notifications.ts';
import { api } from '../api.ts';
import { browserNameOf } from './browserName.ts';

/**
 * How pushes stand on this device. `cannot`: the browser does not know them here; `install`: it does once the app is
 * installed; `blocked`: the person said no to this site, and only the browser's own settings can undo that.
 */
export type PushState = 'cannot' | 'install' | 'blocked' | 'off' | 'on';

const WORKER_TIMEOUT_MS = 4_000;

/** The page's service worker, or undefined where there is none: `ready` alone would wait for ever. */
async function findServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WORKER_TIMEOUT_MS, undefined));
  return (await navigator.serviceWorker.getRegistration()) ?? Promise.race([navigator.serviceWorker.ready, late]);
}

function isPushSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Apple's phones show pushes of a site only once it is on the home screen. */
function isUninstalledIos(): boolean {
  const isApple = /iPhone|iPad/.test(navigator.userAgent);
  return isApple && !matchMedia('(display-mode: standalone)').matches;
}

const isSameEndpoint = (a: string, b: string) => new URL(a).href === new URL(b).href;

/** The device of the list that this browser is, if it is one of them. */
export async function findThisDevice(devices: readonly Device[]): Promise<Device | undefined> {
  if (!isPushSupported()) return undefined;
  const subscription = await (await findServiceWorker())?.pushManager.getSubscription();
  return subscription ? devices.find(({ endpoint }) => isSameEndpoint(endpoint, subscription.endpoint)) : undefined;
}

/** How it stands, without asking the person anything. */
export async function readPushState(devices: readonly Device[]): Promise<PushState> {
  if (!isPushSupported()) return isUninstalledIos() ? 'install' : 'cannot';
  if (Notification.permission === 'denied') return 'blocked';
  if (!(await findServiceWorker())) return 'cannot';
  return (await findThisDevice(devices)) ? 'on' : 'off';
}

/** Asks for permission, only ever from a click, and subscribes once it is granted; gives what the person said. */
export async function enablePush(publicKey: string): Promise<NotificationPermission> {
  const said = await Notification.requestPermission();
  if (said !== 'granted') return said;
  const worker = await findServiceWorker();
  if (!worker) throw new Error('there is no service worker');
  const subscription = (await reuseSubscription(worker, publicKey)) ?? (await subscribe(worker, publicKey));
  const { endpoint, keys } = subscription.toJSON();
  const body = {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    agent: browserNameOf(navigator.userAgent),
  };
  await api.subscribePush({ body });
  return said;
}

const subscribe = (worker: ServiceWorkerRegistration, publicKey: string) =>
  worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });

/** The browser's subscription from before, unless it was made for another installation's key: then it is of no use. */
async function reuseSubscription(worker: ServiceWorkerRegistration, publicKey: string) {
  const subscription = await worker.pushManager.getSubscription();
  if (!subscription) return undefined;
  const key = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...key))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  if (text === publicKey) return subscription;
  await subscription.unsubscribe();
  return undefined;
}

/** Ends the subscription here and on the server. */
export async function disablePush(devices: readonly Device[]): Promise<void> {
  const device = await findThisDevice(devices);
  if (device) await api.unsubscribePush({ params: { id: device.id } });
  const subscription = await (await findServiceWorker())?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}
