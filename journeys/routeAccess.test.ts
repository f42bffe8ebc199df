import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard, placeOrder } from './accounts.ts';
import { readResetLink } from './inbox.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { PASSWORD, signIn } from './screens/accounts.ts';
import { acceptDialog } from './screens/pageElements.ts';

const LOCATION = { latitude: 24.004, longitude: 67.004 };
const SESSION_EXPIRED = 'Session expired, login again';

test("opening another role's page leads to the own role's dashboard", async ({ server, openVisitor }) => {
  for (const [role, fullname, others] of [
    ['Bud', 'Bess Other', ['/scrub/dashboard', '/scrub/jobs', '/duber/deliveries']],
    ['Scrub', 'Seth Other', ['/bud/place-order', '/bud/orders', '/duber/dashboard']],
    ['Duber', 'Dee Other', ['/bud/dashboard', '/scrub/deliveries']],
  ] as const) {
    const visitor = await openVisitor(MAPLESS);
    await openDashboard(visitor, server, await createTestUser(server, { role, fullname, at: LOCATION }));
    const dashboardUrl = new RegExp(`/#/${role.toLowerCase()}/dashboard$`);
    for (const path of [...others, '/', '/login', '/no/such/page']) {
      await visitor.page.goto(`/#${path}`);
      await expect(visitor.page).toHaveURL(dashboardUrl);
      await expect(visitor.page.getByRole('heading', { level: 1 })).toBeVisible();
    }
  }
});

test("a Bud cannot open another Bud's order", async ({ server, openVisitor }) => {
  const [bud, scrub, stranger] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Bart Owner', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Saga Owner', at: LOCATION }),
    createTestUser(server, { role: 'Bud', fullname: 'Bill Stranger', at: LOCATION }),
  ]);
  const { id } = await placeOrder(bud, scrub);
  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, server, stranger);
  visitor.allowErrors(404);
  await visitor.page.goto(`/#/bud/orders/${id}`);
  await expect(visitor.page.getByRole('heading', { name: 'Order Not Found' })).toBeVisible();
  await expectAccessible(visitor.page, 'Order Not Found');
  await visitor.page.getByRole('link', { name: 'Back to Orders' }).click();
  await expect(visitor.page).toHaveURL(/\/#\/bud\/orders$/);
});

test('opening a protected page without a session shows a message and the landing page', async ({ openVisitor }) => {
  const { page } = await openVisitor(MAPLESS);
  await acceptDialog(page, SESSION_EXPIRED, () => page.goto('/#/bud/orders'));
  await expect(page.getByRole('link', { name: 'I Already Have an Account' }).first()).toBeVisible();
});

test('signing in shows what is wrong, and signing out ends the session', async ({ server, openVisitor }) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Bruno Door', at: LOCATION });
  const { page, allowErrors } = await openVisitor(MAPLESS);
  await page.goto('/');
  await page.getByRole('link', { name: 'I Already Have an Account' }).first().click();
  await expect(page.getByText('Sign in to your account')).toBeVisible();
  await expectAccessible(page, 'Sign in');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await expect(page.getByText('Password is required')).toBeVisible();
  await signIn(page, 'bruno@nowhere', '12345');
  await expect(page.getByText('Email is invalid')).toBeVisible();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await expectAccessible(page, 'Sign in, with errors');
  allowErrors(401);
  await signIn(page, bud.email, 'Not-my-1-password');
  await expect(page.getByText('Invalid email or password')).toBeVisible();
  const password = page.getByLabel('Password', { exact: true });
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await signIn(page, bud.email, PASSWORD);
  await expect(page).toHaveURL(/\/#\/bud\/dashboard$/);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('Join thousands of users')).toBeVisible();
  await acceptDialog(page, SESSION_EXPIRED, () => page.goto('/#/bud/dashboard'));
});

test('a forgotten password can be reset with the mailed link, which works once', async ({ server, openVisitor }) => {
  const scrub = await createTestUser(server, { role: 'Scrub', fullname: 'Stella Door', at: LOCATION });
  const { page, allowErrors } = await openVisitor(MAPLESS);
  await page.goto('/#/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // Wait for the new page, because both pages have an e-mail field.
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Email' }).fill(scrub.email);
  await expectAccessible(page, 'Forgot password');
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(page.getByText("If this email is registered, we've sent a password reset link")).toBeVisible();
  await expect(page.getByText('expires in 1 hour')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try a different email' })).toBeVisible();
  const link = await readResetLink(server, scrub.email);
  await page.goto(link);
  await page.getByLabel('New Password').fill('Fresh2day!');
  await page.getByLabel('Confirm Password').fill('Fresh2day?');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await page.getByLabel('Confirm Password').fill('Fresh2day!');
  await expectAccessible(page, 'Reset password');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await page.getByRole('link', { name: 'Continue to Login' }).click();
  allowErrors(401);
  await signIn(page, scrub.email, PASSWORD);
  await expect(page.getByText('Invalid email or password')).toBeVisible();
  await signIn(page, scrub.email, 'Fresh2day!');
  await expect(page).toHaveURL(/\/#\/scrub\/dashboard$/);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.goto(link);
  await page.getByLabel('New Password').fill('Fresh3day!');
  await page.getByLabel('Confirm Password').fill('Fresh3day!');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText('Invalid or expired reset token')).toBeVisible();
  await expectAccessible(page, 'Reset password, invalid link');
  await page.getByRole('link', { name: 'Request New Link' }).click();
  await expect(page).toHaveURL(/\/#\/auth\/forgot-password$/);
});

test('the landing page shows by keyboard what each load costs, and says how the price is made up without a script', async ({
  server,
  openVisitor,
  browser,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Bo Price', at: LOCATION });
  const { page } = await openVisitor(MAPLESS);
  await page.goto('/');
  const costs = page.getByRole('region', { name: 'What it costs' });
  const slider = costs.getByRole('slider', { name: 'How much laundry do you have?' });
  // The slider of the page without its script takes no keys.
  await expect(slider).toHaveAttribute('aria-valuetext', /in total$/);
  for (const [keys, loadSize, load] of [
    [['Home'], 'Small', '1 pound, about 2 shirts'],
    [['ArrowRight', 'ArrowRight'], 'Medium', '3 pounds, about 6 shirts'],
    [['End'], 'Large', '8 pounds, about 16 shirts'],
  ] as const) {
    const body = { loadSize, selfDelivery: false, selfPickup: false };
    const total = `$${(await bud.api.calculatePrice({ body })).totalPrice.toFixed(2)}`;
    for (const key of keys) await slider.press(key);
    await expect(slider).toHaveAttribute('aria-valuetext', `${load}: ${total} in total`);
    await expect(costs).toContainText(`Total${total}`);
  }
  await expect(page.getByRole('region', { name: 'What people write' })).toHaveCount(0);
  await page.getByText('How do I pay?').click();
  await expect(page.getByText('By card, in the app.')).toBeVisible();
  await page.getByRole('link', { name: 'Read all questions and answers' }).click();
  await expect(page.getByText('How do I become a Duber?')).toBeVisible();

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(server.url);
  await expect(plain.getByText('One price for each load: Small (1-2 lbs)')).toBeVisible();
  await expect(plain.getByRole('slider')).toBeHidden();
  await expect(plain.getByText('Wash and fold', { exact: true })).toBeHidden();
  await context.close();
});

test('the public pages, the FAQ and the profile are accessible', async ({ server, openVisitor }) => {
  const signedOut = await openVisitor(MAPLESS);
  for (const [path, title] of [
    ['/help', 'Frequently Asked Questions'],
    ['/terms', 'Terms of Service'],
    ['/privacy', 'Privacy Policy'],
  ] as const) {
    await signedOut.page.goto(`/#${path}`);
    await expect(signedOut.page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expectAccessible(signedOut.page, title);
  }
  const visitor = await openVisitor(MAPLESS);
  const { page } = visitor;
  await openDashboard(
    visitor,
    server,
    await createTestUser(server, { role: 'Bud', fullname: 'Bella Reader', at: LOCATION }),
  );
  await page.getByRole('link', { name: 'FAQ' }).click();
  await expect(page.getByText('$2.50 per lb').first()).toBeAttached();
  await expectAccessible(page, 'FAQ');
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add New Address' })).toBeVisible();
  await expectAccessible(page, 'Profile');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(page.getByRole('button', { name: 'Save Changes' })).toBeVisible();
  await expectAccessible(page, 'Profile, editing');
});
