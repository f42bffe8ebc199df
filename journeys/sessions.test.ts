import type { Page } from '@playwright/test';
import { createTestUser, openDashboard } from './accounts.ts';
import { readResetLink } from './inbox.ts';
import { expect, MAPLESS, OFFLINE_PHONE, REQUEST_FAILED, test } from './journey.ts';
import { readOfflineCache, waitUntilOfflineReady } from './offlineReady.ts';
import { PASSWORD, signIn } from './screens/accounts.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.85, longitude: 67.15 };
const NEW_PASSWORD = 'Fresh2day!';

// Strings, because this file is compiled without the types of the browser.
const withQueue = (act: string) => `(async () => {
  const opening = indexedDB.open('rubadub-steps', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('steps', { keyPath: 'key' });
  await new Promise((resolve) => opening.addEventListener('success', resolve));
  const store = opening.result.transaction('steps', 'readwrite').objectStore('steps');
  const request = ${act};
  await new Promise((resolve) => request.addEventListener('success', resolve));
  opening.result.close();
  return request.result;
})()`;

async function queueStep(page: Page, userId: string): Promise<void> {
  const step = { key: `${userId}/d/collected`, userId, deliveryId: 'd', action: 'collected', problem: 'It waits.' };
  await page.evaluate(withQueue(`store.put(${JSON.stringify({ ...step, takenAt: '2026-01-05T10:00:00.000Z' })})`));
}

/** The users whose steps wait on this device. */
async function readQueuedUsers(page: Page): Promise<string[]> {
  const steps = await page.evaluate<{ userId: string }[]>(withQueue('store.getAll()'));
  return steps.map(({ userId }) => userId);
}

test('a reset link that is opened while signed in ends the session without an alert, and the next sign-in goes to the dashboard', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Rhea Set', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  // The session that the reset has ended.
  visitor.allowErrors(401);
  await openDashboard(visitor, server, bud);
  await expect(page.getByText('No orders yet. Place your first order!')).toBeVisible();
  await page.request.post('/api/auth/forgot-password', { data: { email: bud.email } });
  await page.goto(await readResetLink(server, bud.email));
  await page.getByLabel('New Password').fill(NEW_PASSWORD);
  await page.getByLabel('Confirm Password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password has been changed' })).toBeVisible();
  // The cookie is gone before anything else happens. An alert would fail the journey as an unexpected dialog.
  await expect.poll(() => page.evaluate('document.cookie')).not.toContain('auth-token=');
  await page.getByRole('link', { name: 'Continue to Login' }).click();
  await signIn(page, bud.email, NEW_PASSWORD);
  await expect(page).toHaveURL(/\/#\/bud\/dashboard$/);
});

test('an expired session on a signed-out page is not remembered as the place to return to', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Terry Text', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  visitor.allowErrors(401);
  await openDashboard(visitor, server, bud);
  await expect(page.getByText('No orders yet. Place your first order!')).toBeVisible();
  await page.goto('/#/terms');
  await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible();
  await bud.api.logout();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Terms of Service', level: 1 })).toBeVisible();
  await page.goto('/#/login');
  await signIn(page, bud.email, PASSWORD);
  await expect(page).toHaveURL(/\/#\/bud\/dashboard$/);
});

test('a role without a page is the dashboard, or the landing page without an alert', async ({
  server,
  openVisitor,
}) => {
  const scrub = await createTestUser(server, { role: 'Scrub', fullname: 'Rory Root', at: LOCATION });
  const signedOut = await openVisitor(MAPLESS);
  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, server, scrub);
  for (const path of ['/bud', '/scrub', '/duber']) {
    await signedOut.page.goto(`/#${path}`);
    await expect(signedOut.page).toHaveURL(/\/#\/$/);
    await expect(signedOut.page.getByText('Join thousands of users')).toBeVisible();
    await visitor.page.goto(`/#${path}`);
    await expect(visitor.page).toHaveURL(/\/#\/scrub\/dashboard$/);
    await expect(visitor.page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('a cookie that cannot be decoded counts as none, and signing in replaces it', async ({ server, openVisitor }) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Cara Crumb', at: LOCATION });
  const { page, context } = await openVisitor(MAPLESS);
  await context.addCookies([{ name: 'auth-token', value: '%E0%A4%A', url: server.url }]);
  await page.goto('/');
  await expect(page.getByText('Join thousands of users')).toBeVisible();
  await page.getByRole('link', { name: 'I Already Have an Account' }).first().click();
  await signIn(page, bud.email, PASSWORD);
  await expect(page).toHaveURL(/\/#\/bud\/dashboard$/);
});

test('a tab whose cookie is swapped by hand for that of another role begins again before it sends anything', async ({
  server,
  openVisitor,
}) => {
  const [bud, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Cora Cookie', at: LOCATION }),
    createTestUser(server, { role: 'Duber', fullname: 'Swen Swap', at: LOCATION }),
  ]);
  const visitor = await openVisitor(MAPLESS);
  const { page, context } = visitor;
  await openDashboard(visitor, server, bud);
  await expect(page.getByText('No orders yet. Place your first order!')).toBeVisible();
  const asDuber: string[] = [];
  page.on('request', (request) => {
    const isDubers = request.headers().authorization === `Bearer ${duber.token}`;
    if (isDubers && request.url().includes('/scrub-orders')) asDuber.push(request.url());
  });
  await context.addCookies([{ name: 'auth-token', value: duber.token, url: server.url }]);
  // By its address: a call that the page makes by itself may have made it begin again already.
  await page.goto('/#/bud/orders');
  await expect(page).toHaveURL(/\/#\/duber\/dashboard$/);
  await expect(page.getByRole('heading', { name: 'Hey there, Swen!' })).toBeVisible();
  expect(asDuber).toEqual([]);
});

test('a tab whose person changes in another tab begins again at once, and leaves the offline data of both alone', async ({
  server,
  openVisitor,
}) => {
  const [bud, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Tabea Two', at: LOCATION }),
    createTestUser(server, { role: 'Duber', fullname: 'Dana Drive', at: LOCATION }),
  ]);
  const visitor = await openVisitor(OFFLINE_PHONE);
  const { page: first, context } = visitor;
  const second = await context.newPage();
  await second.goto('/#/login');
  // The form is there before the app has started, which would find the session of the other tab.
  await expect(second.getByRole('textbox', { name: 'Email' })).toBeEditable();
  await openDashboard(visitor, server, duber);
  await expect(first.getByRole('heading', { name: 'Hey there, Dana!' })).toBeVisible();
  await queueStep(first, duber.id);

  await signIn(second, bud.email, PASSWORD);
  await expect(second).toHaveURL(/\/#\/bud\/dashboard$/);
  await expect(first).toHaveURL(/\/#\/bud\/dashboard$/);
  await expect(first.getByRole('heading', { name: 'Welcome, Tabea!' })).toBeVisible();
  expect(await readQueuedUsers(first), 'the queued step of the Duber').toEqual([duber.id]);
  await waitUntilOfflineReady(second, 'latestScrubOrders');

  visitor.allowErrors(401, REQUEST_FAILED);
  await first.getByRole('button', { name: 'More' }).click();
  await first.getByRole('button', { name: 'Logout' }).click();
  await expect(second.getByText('Join thousands of users')).toBeVisible();
  expect(await readOfflineCache(second), 'signing out clears the cache').toBe('');
  expect(await readQueuedUsers(second), 'the queued step of the Duber').toEqual([duber.id]);
});
