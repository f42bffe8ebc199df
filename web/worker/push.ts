/** What a push says, as the server sends it. */
export type PushMessage = { readonly title: string; readonly body: string; readonly url: string; readonly tag: string };

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Where a push may lead: a screen of this app, and nowhere else; anything odd leads to the start. */
export function toAppRoute(url: unknown, origin: string): string {
  try {
    const { origin: to, pathname, hash } = new URL(toText(url), origin);
    if (to === origin && pathname === '/' && hash.startsWith('#/')) return `/${hash}`;
  } catch {}
  return '/';
}

/** Reads a push. A browser wants something shown for each, so one that cannot be read says at least that there is news. */
export function parsePush(data: string | undefined, origin: string): PushMessage {
  let said: Record<string, unknown> = {};
  try {
    const read: unknown = JSON.parse(data ?? '');
    if (typeof read === 'object' && read !== null) said = read as Record<string, unknown>;
  } catch {}
  const title = toText(said.title) || 'Rubadub';
  const body = toText(said.body) || (toText(said.title) ? '' : 'There is something new.');
  return { title, body, url: toAppRoute(said.url, origin), tag: toText(said.tag) };
}
