import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether nothing shows that a browser sent the request without its user, such as a prefetch or a link preview. Browsers
 * say so in the Fetch Metadata headers, which no page can change; other clients do not send them. The Bearer header
 * already keeps other sites out.
 */
export function isUserInitiated(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (mode !== undefined && mode !== 'cors' && mode !== 'same-origin') return false;
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']];
  return purposes.every((purpose) => purpose === undefined);
}
