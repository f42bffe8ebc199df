import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says nothing against a request having been meant by its person. It says by itself where a request
 * comes from and what for (Fetch Metadata), and no page can make it say otherwise; other clients say nothing.
 * The token in its header keeps other sites out already: this also keeps out what a page of ours, or an extension,
 * would ask for in advance.
 */
export function isUserInitiated(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (mode !== undefined && mode !== 'cors' && mode !== 'same-origin') return false;
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']];
  return purposes.every((purpose) => purpose === undefined);
}
