/** The name of a phone on the page of the demo: a frame in which somebody else is signed in. */
export const phoneNameOf = (role: string): string => `demo-${role}`;

/** Ends the names of what this page keeps in the browser, so that each phone of the demo has its own. Empty everywhere else. */
export const SCOPE = readScope();

// boot.js has the same rule. Only our own page can put ours into a frame.
function readScope(): string {
  if (typeof window === 'undefined' || window.parent === window) return '';
  return /^demo-\w+$/.test(window.name) ? `-${window.name}` : '';
}
