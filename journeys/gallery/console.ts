import { expect, type Page } from '@playwright/test';
import { createOperatorClient, type OperatorClient } from '../../contract/operator/client.ts';
import { DEMO_OPERATOR, DEMO_PASSWORD } from '../../scripts/demo/people.ts';
import { signInToConsole } from '../consoleSession.ts';
import { test as base } from './screenshots.ts';
import { watchRequests } from './states.ts';

/** What the server answers instead, by the path below /api/operator. One with `code` is an error. */
type Answers = Readonly<Record<string, unknown>>;

export type Console = {
  readonly api: OperatorClient;
  /** The console at a host name, because passkeys do not work at an IP address. */
  readonly namedUrl: string;
  /** Opens a page of the console in a browser of its own, signed in, and waits until everything on it has loaded. */
  readonly open: (path: string, options?: OpenOptions) => Promise<Page>;
};

export type OpenOptions = {
  readonly answers?: Answers;
  /** Called before the page opens, to hold answers back. Then nothing is waited for. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Another URL of the same server. */
  readonly at?: string;
};

/** The console of the demo's operator, who has no second factor. */
export const test = base.extend<object, { console: Console }>({
  console: [
    async ({ server, openSignedOutPage }, use) => {
      const host = `${server.url}/api`;
      const body = { email: DEMO_OPERATOR.email, password: DEMO_PASSWORD };
      const { authToken: token } = await createOperatorClient({ host, token: () => undefined }).operatorSignIn({
        body,
      });
      const api = createOperatorClient({ host, token: () => token });
      const open: Console['open'] = async (path, { answers = {}, prepare, at = server.url } = {}) => {
        const page = await openSignedOutPage();
        await signInToConsole(page.context(), token, at);
        await answerWith(page, answers);
        await prepare?.(page);
        const waitUntilLoaded = watchRequests(page);
        await page.goto(`${at}/#/operator/${path}`);
        await expect(page.getByRole('main')).toBeVisible();
        if (!prepare) {
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await waitUntilLoaded();
        }
        return page;
      };
      await use({ api, open, namedUrl: server.url.replace('127.0.0.1', 'localhost') });
    },
    { scope: 'worker' },
  ],
});

/** Answers calls of the console with these bodies. */
async function answerWith(page: Page, answers: Answers): Promise<void> {
  for (const [path, json] of Object.entries(answers)) {
    const status = typeof json === 'object' && json !== null && 'code' in json ? 403 : 200;
    await page.route(
      (url) => url.pathname === `/api/operator/${path}`,
      (route) => route.fulfill({ json, status }),
    );
  }
}

/** What the server says when the last code of the authenticator app is old. */
export const CODE_TOO_OLD = {
  code: 'codeTooOld',
  statusCode: 403,
  error: 'Forbidden',
  message: 'Enter a new code of your authenticator app first',
};
