import type { Device } from '../../contract/notifications.ts';
import { browserNameOf } from '../../domain/browserName.ts';
import { api } from '../api.ts';

/**
 * Whether this device gets push notifications. `cannot`: the browser does not support them. `install`: it does once the
 * app is installed. `blocked`: the user denied permission, and only the browser's settings can change that.
 */
export type PushState = 'cannot' | 'install' | 'blocked' | 'off' | 'on';

const WORKER_TIMEOUT_MS = 4_000;

/** The page's service worker, or undefined if there is none. `ready` alone would never resolve. */
async function findServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WORKER_TIMEOUT_MS, undefined));
  return (await navigator.serviceWorker.getRegistration()) ?? Promise.race([navigator.serviceWorker.ready, late]);
}

function isPushSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** iOS supports push notifications only for sites on the home screen. */
function isUninstalledIos(): boolean {
  const isApple = /iPhone|iPad/.test(navigator.userAgent);
  return isApple && !matchMedia('(display-mode: standalone)').matches;
}

const isSameEndpoint = (a: string, b: string) => new URL(a).href === new URL(b).href;

/** This browser's entry in the list of devices. */
export async function findThisDevice(devices: readonly Device[]): Promise<Device | undefined> {
  if (!isPushSupported()) return undefined;
  const subscription = await (await findServiceWorker())?.pushManager.getSubscription();
  return subscription ? devices.find(({ endpoint }) => isSameEndpoint(endpoint, subscription.endpoint)) : undefined;
}

/** Reads the state without asking for permission. */
export async function readPushState(devices: readonly Device[]): Promise<PushState> {
  if (!isPushSupported()) return isUninstalledIos() ? 'install' : 'cannot';
  if (Notification.permission === 'denied') return 'blocked';
  if (!(await findServiceWorker())) return 'cannot';
  return (await findThisDevice(devices)) ? 'on' : 'off';
}

/** Asks for permission and subscribes when it is granted. Must be called from a click. */
export async function enablePush(publicKey: string): Promise<NotificationPermission> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission;
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
  return permission;
}

const subscribe = (worker: ServiceWorkerRegistration, publicKey: string) =>
  worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });

/** The browser's existing subscription, unless it was made with another server's key. */
async function reuseSubscription(worker: ServiceWorkerRegistration, publicKey: string) {
  const subscription = await worker.pushManager.getSubscription();
  if (!subscription) return undefined;
  const key = new Uint8Array(subscription.options.applicationServerKey ?? new ArrayBuffer(0));
  const base64Url = btoa(String.fromCharCode(...key))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  if (base64Url === publicKey) return subscription;
  await subscription.unsubscribe();
  return undefined;
}

/** Unsubscribes this browser, here and on the server. */
export async function disablePush(devices: readonly Device[]): Promise<void> {
  const device = await findThisDevice(devices);
  if (device) await api.unsubscribePush({ params: { id: device.id } });
  const subscription = await (await findServiceWorker())?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}
