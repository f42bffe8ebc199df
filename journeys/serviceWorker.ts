import type { Visitor } from './journey.ts';

export function serviceWorkerOf({ context }: Visitor) {
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('The page has no service worker.');
  return worker;
}

/**
 * Counts in `self.shownNotifications` what the service worker has shown. Chromium loses a notification if a page asks for the
 * list of them while it is being shown, so a test reads the list only afterwards.
 */
export const countShownNotifications = (visitor: Visitor) =>
  serviceWorkerOf(visitor).evaluate(`{
    const show = self.registration.showNotification;
    self.shownNotifications = 0;
    self.registration.showNotification = async function (...args) {
      await show.apply(this, args);
      self.shownNotifications += 1;
    };
  }`);
