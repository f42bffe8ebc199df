const PUBLIC_PATHS = [
  '/',
  '/login',
  '/signup',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/unsubscribe',
  '/help',
  '/terms',
  '/privacy',
];

/** Whether a path needs a session. `path` may have a query. */
export function isProtectedPath(path: string): boolean {
  return !PUBLIC_PATHS.includes(path.split('?')[0] ?? path);
}
