/** What a push says, as the server sends it. */
export type Pushed = { readonly title: string; readonly body: string; readonly url: string; readonly tag: string };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Where a push may lead: a screen of this app, and nowhere else; anything odd leads to the start. */
export function routeOf(url: unknown, origin: string): string {
  try {
    const { origin: to, pathname, hash } = new URL(text(url), origin);
    if (to === origin && pathname === '/' && hash.startsWith('#/')) return `/${hash}`;
  } catch {}
  return '/';
}

/** Reads a push. A browser wants something shown for each, so one that cannot be read says at least that there is news. */
export function readPush(data: string | undefined, origin: string): Pushed {
  let said: Record<string, unknown> = {};
  try {
    const read: unknown = JSON.parse(data ?? '');
    if (typeof read === 'object' && read !== null) said = read as Record<string, unknown>;
  } catch {}
  const title = text(said.title) || 'Rubadub';
  const body = text(said.body) || (text(said.title) ? '' : 'There is something new.');
  return { title, body, url: routeOf(said.url, origin), tag: text(said.tag) };
}
