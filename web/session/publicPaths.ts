const PUBLIC_PATHS = [
  '/',
  '/login',
  '/signup',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/unsubscribe',
  '/other-time',
  '/demo',
  '/help',
  '/terms',
  '/verify',
  '/privacy',
];

/** The page behind the tag of a bag, which anyone may find. */
const BAG_PATH = '/b/';

/** Whether a path needs a session. `path` may have a query. */
export function isProtectedPath(path: string): boolean {
  return !path.startsWith(BAG_PATH) && !PUBLIC_PATHS.includes(path.split('?')[0] ?? path);
}
