import type { BrowserContext } from '@playwright/test';

/** The cookie of a session, and the mark that tells the console of it. */
const SESSION = 'rubadub-operator';

/** Signs a browser in to the console of the server at `url`, from its next page on. */
export async function signInToConsole(context: BrowserContext, token: string, url: string): Promise<void> {
  const where = { domain: new URL(url).hostname, path: '/api/operator' };
  await context.addCookies([{ name: SESSION, value: token, ...where, httpOnly: true, sameSite: 'Strict' }]);
  await context.addInitScript(`localStorage['${SESSION}'] ??= 'signed-in'`);
}
