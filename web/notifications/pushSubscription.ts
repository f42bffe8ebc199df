import { CallFailed } from '../../contract/callClient.ts';
import type { Device } from '../../contract/notifications.ts';
import { api } from '../api/client.ts';
import { forgetEnabledPush, readEnabledPush, saveEnabledPush } from '../storage/enabledPush.ts';
import { toSubscriptionBody } from '../worker/push.ts';

/**
 * Whether this device gets push notifications. `cannot`: the browser does not support them. `install`: it does once the
 * app is installed. `blocked`: the user denied permission, and only the browser's settings can change that.
 */
export type PushState = 'cannot' | 'install' | 'blocked' | 'off' | 'on';

const WORKER_TIMEOUT_MS = 4_000;

/** The page's service worker, or undefined if there is none. `ready` alone would never resolve. */
async function findServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WORKER_TIMEOUT_MS, undefined));
  try {
    return (
      (await navigator.serviceWorker.getRegistration()) ?? (await Promise.race([navigator.serviceWorker.ready, late]))
    );
  } catch {
    // The browser blocks storage, and service workers with it.
    return undefined;
  }
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
async function findThisDevice(devices: readonly Device[]): Promise<Device | undefined> {
  if (!isPushSupported()) return undefined;
  const subscription = await (await findServiceWorker())?.pushManager.getSubscription();
  return subscription ? devices.find(({ endpoint }) => isSameEndpoint(endpoint, subscription.endpoint)) : undefined;
}

/** Reads the state without asking for permission. */
export async function readPushState(devices: readonly Device[]): Promise<PushState> {
  if (!isPushSupported()) return isUninstalledIos() ? 'install' : 'cannot';
  if (Notification.permission === 'denied') return 'blocked';
  const worker = await findServiceWorker();
  if (!worker) return 'cannot';
  const subscription = await worker.pushManager.getSubscription();
  const isKnown = subscription && devices.some(({ endpoint }) => isSameEndpoint(endpoint, subscription.endpoint));
  // Without the permission, which may be asked for again, nothing is shown.
  return isKnown && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Remembers that this device was removed on another one, so that it is not added again. `devices` is the whole list of now. */
export async function forgetRemovedPush(devices: readonly Device[]): Promise<void> {
  if (!isPushSupported() || (await findThisDevice(devices))) return;
  const subscription = await (await findServiceWorker())?.pushManager.getSubscription();
  if (subscription) forgetPushAt(subscription.endpoint);
}

/** Asks for permission and subscribes when it is granted. Must be called from a click. */
export async function enablePush(userId: string, publicKey: string): Promise<NotificationPermission> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission;
  const worker = await findServiceWorker();
  if (!worker) throw new Error('there is no service worker');
  const subscription = (await reuseSubscription(worker, publicKey)) ?? (await subscribe(worker, publicKey));
  await api.subscribePush({ body: toSubscriptionBody(subscription) });
  saveEnabledPush({ userId, endpoint: subscription.endpoint });
  return permission;
}

/** This person no longer gets pushes here: their device was removed. Another endpoint's removal changes nothing. */
export function forgetPushAt(endpoint: string): void {
  const enabled = readEnabledPush();
  if (enabled && isSameEndpoint(enabled.endpoint, endpoint)) forgetEnabledPush();
}

/**
 * Tells the server when the browser has renewed this person's subscription since the last visit, or lost it. Returns whether it
 * did.
 */
export async function renewPush(userId: string): Promise<boolean> {
  const enabled = readEnabledPush();
  if (enabled?.userId !== userId || !isPushSupported() || Notification.permission !== 'granted') return false;
  const worker = await findServiceWorker();
  const current = await worker?.pushManager.getSubscription();
  if (!worker || (current && isSameEndpoint(current.endpoint, enabled.endpoint))) return false;
  const subscription = current ?? (await subscribe(worker, (await api.notifications()).publicKey));
  if (!(await replaceDevice(subscription, enabled.endpoint))) return false;
  saveEnabledPush({ userId, endpoint: subscription.endpoint });
  return true;
}

/** Whether this person still gets pushes here: they may have removed the device meanwhile. */
const isEnabledAt = (endpoint: string) => readEnabledPush()?.endpoint === endpoint;

/**
 * Returns whether the server has the device. The server may have dropped the device before, because the push service no longer knew it;
 * a device that its owner has removed is not added again.
 */
async function replaceDevice(subscription: PushSubscription, before: string): Promise<boolean> {
  if (!isEnabledAt(before)) return false;
  try {
    await api.subscribePush({ body: toSubscriptionBody(subscription, before) });
  } catch (error) {
    if (!(error instanceof CallFailed && error.statusCode === 404)) throw error;
    if (!isEnabledAt(before)) return false;
    await api.subscribePush({ body: toSubscriptionBody(subscription) });
  }
  return true;
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
  if (subscription) forgetPushAt(subscription.endpoint);
  await subscription?.unsubscribe();
}
