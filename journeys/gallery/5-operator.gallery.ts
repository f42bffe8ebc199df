import { expect } from '@playwright/test';
import { createOperatorClient, type OperatorClient } from '../../contract/operator/client.ts';
import { DEMO_OPERATOR, DEMO_PASSWORD } from '../../scripts/demo/people.ts';
import type { ProductServer } from '../productServer.ts';
import { takeScreenshots, test } from './screenshots.ts';

/** The cookie of a session, and the mark that tells the console of it. */
const SESSION = 'rubadub-operator';

/** The operator of the demo, who has no second factor. */
async function signIn({ url }: ProductServer): Promise<{ token: string; api: OperatorClient }> {
  const body = { email: DEMO_OPERATOR.email, password: DEMO_PASSWORD };
  const { authToken: token } = await createOperatorClient({
    host: `${url}/api`,
    token: () => undefined,
  }).operatorSignIn({
    body,
  });
  return { token, api: createOperatorClient({ host: `${url}/api`, token: () => token }) };
}

test('the console', async ({ server, openSignedOutPage }) => {
  const { token, api } = await signIn(server);
  const [order] = (await api.listTownOrders({ query: {} })).items;
  const [person] = (await api.listPeople({ query: {} })).items;
  const screens: readonly [name: string, path: string][] = [
    ['today', 'today'],
    ['orders', 'orders'],
    ['order', `orders/${order?.id}`],
    ['people', 'people'],
    ['person', `people/${person?.id}`],
    ['money', 'money'],
    ['reconciliation', 'reconciliation'],
    ['chargebacks', 'chargebacks'],
    ['cases', 'cases'],
    ['messages', 'messages'],
    ['prices', 'prices'],
    ['hours', 'hours'],
    ['approvals', 'approvals'],
    ['audit', 'audit'],
    ['settings', 'settings'],
  ];
  for (const [name, path] of screens) {
    const page = await openSignedOutPage();
    await page
      .context()
      .addCookies([{ name: SESSION, value: token, domain: new URL(server.url).hostname, path: '/api/operator' }]);
    await page.addInitScript(`localStorage.setItem('${SESSION}', 'signed-in')`);
    await page.goto(`/#/operator/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await takeScreenshots(page, `console ${name}`, 'full');
    await page.context().close();
  }
  const page = await openSignedOutPage();
  await page.goto('/#/operator');
  await expect(page.getByRole('button', { name: 'Look around the demo' })).toBeVisible();
  await takeScreenshots(page, 'console sign-in', 'demo');
});
