import type { Page } from '@playwright/test';
import { DEVICE_HEADER } from '../contract/call.ts';
import { expectAccessible } from './accessibility.ts';
import { blockEventStream, createTestUser, openDashboard } from './accounts.ts';
import { readSignUpCode } from './inbox.ts';
import { expect, MAPLESS, PHONE, REQUEST_FAILED, test } from './journey.ts';
import { watchCalls } from './quietPage.ts';
import { PASSWORD, signIn } from './screens/accounts.ts';
import { acceptDialog, agreeInSheet, expectToast, goTo, tryAgain } from './screens/pageElements.ts';
import { pickByCoordinates } from './screens/places.ts';

// Far away from the users of the other journeys.
const LOCATION = { latitude: 24.6, longitude: 67.6 };
const SESSION_EXPIRED = 'Session expired, login again';

const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const pressButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('sign-up shows an error for every invalid field and keeps what was typed', async ({ server, openVisitor }) => {
  const email = 'nova.mistake@journeys.test';
  const { page, allowErrors } = await openVisitor({ ...PHONE, isMapless: true });
  await page.goto('/#/signup');
  await pressButton(page, 'Next');
  await expect(page.getByText('Please select your role')).toBeVisible();
  await page.getByRole('radio', { name: 'Bud', exact: true }).check();
  await expect(page.getByText('Please select your role')).toHaveCount(0);
  await pressButton(page, 'Next');

  await test.step('the code is only sent to a valid address', async () => {
    await pressButton(page, 'Send OTP');
    await expect(page.getByText('Email is required to send OTP')).toBeVisible();
    await textbox(page, 'Email').fill('nova@nowhere');
    await pressButton(page, 'Send OTP');
    await expect(page.getByText('Please enter a valid email address')).toBeVisible();
    await expect(textbox(page, 'OTP Code')).toBeDisabled();
  });

  await test.step('an empty form shows the required fields', async () => {
    await textbox(page, 'Email').fill('');
    await pressButton(page, 'Next');
    for (const error of ['Full Name is required', 'Email is required', 'OTP code is required', 'Password is required'])
      await expect(page.getByText(error, { exact: true })).toBeVisible();
    await expect(page.getByText('Please confirm your password')).toBeVisible();
    await expectAccessible(page, 'Sign-up, step 2, with errors');
  });

  await textbox(page, 'Full Name').fill('Nova Mistake');
  await textbox(page, 'Email').fill(email);
  await pressButton(page, 'Send OTP');
  await expect(page.getByRole('button', { name: 'Resend OTP' })).toBeVisible();
  await test.step('the screen says where the code is while no real mail is sent', async () => {
    const inbox = page.getByRole('link', { name: 'read it in the inbox' });
    await expect(inbox).toHaveAttribute('href', `/sandbox/mail?to=${encodeURIComponent(email)}`);
  });
  await test.step('requesting a second code at once shows an error', async () => {
    allowErrors(429);
    await pressButton(page, 'Resend OTP');
    await expect(page.getByRole('alert')).toBeVisible();
  });

  await test.step('each password rule has its own error', async () => {
    await textbox(page, 'OTP Code').fill('12345');
    for (const [password, error] of INVALID_PASSWORDS) {
      await page.getByLabel('Password', { exact: true }).fill(password);
      await pressButton(page, 'Next');
      await expect(page.getByText(error, { exact: true })).toBeVisible();
    }
    await expect(page.getByText('OTP code must be 6 digits')).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill('Rubadub2!');
    await pressButton(page, 'Next');
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await page.getByLabel('Confirm Password').fill(PASSWORD);
  });

  const code = await readSignUpCode(server, email);
  await textbox(page, 'OTP Code').fill(code === '000000' ? '000001' : '000000');
  await pressButton(page, 'Next');

  await test.step('the address and the location are required', async () => {
    await pressButton(page, 'Create Account');
    await expect(page.getByText('Address is required')).toBeVisible();
    await expect(page.getByText('Please select location on map')).toBeVisible();
    await expectAccessible(page, 'Sign-up, step 3, with errors');
    await pickByCoordinates(page, LOCATION);
    await textbox(page, 'Address').fill('1 Second Chance Road');
    await textbox(page, 'Phone').fill('123');
    await pressButton(page, 'Create Account');
    await expect(page.getByText('Please enter a valid phone')).toBeVisible();
    await textbox(page, 'Phone').fill('2015550123');
  });

  await test.step('a wrong code shows an error at the end and can be corrected without retyping anything', async () => {
    allowErrors(400);
    await pressButton(page, 'Create Account');
    await expect(page.getByText('OTP code is invalid or expired').first()).toBeVisible();
    await pressButton(page, 'Back');
    await expect(textbox(page, 'Full Name')).toHaveValue('Nova Mistake');
    await textbox(page, 'OTP Code').fill(code);
    await pressButton(page, 'Next');
    await expect(textbox(page, 'Address')).toHaveValue('1 Second Chance Road');
    await pressButton(page, 'Create Account');
    await expect(page).toHaveURL(/\/#\/bud\/dashboard$/);
  });
});

const INVALID_PASSWORDS = [
  ['Short1!', 'Password must be at least 8 characters'],
  ['lowercase1!', 'Password must contain at least 1 uppercase letter (A-Z)'],
  ['NoDigits!', 'Password must contain at least 1 numeric value (0-9)'],
  ['UPPERCASE1!', 'Password must contain at least 1 lowercase letter (a-z)'],
  ['NoSpecial1', 'Password must contain at least 1 special character (!@#$%^&*()-_=+{};:,<.>)'],
] as const;

test('reloading the page during sign-up keeps everything except the passwords', async ({ openVisitor }) => {
  const { page } = await openVisitor(MAPLESS);
  await page.goto('/#/signup');
  await page.getByRole('radio', { name: 'Duber', exact: true }).check();
  await pressButton(page, 'Next');
  await textbox(page, 'Full Name').fill('Faye Fresh');
  await textbox(page, 'Email').fill('faye.fresh@journeys.test');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.reload();
  await expect(textbox(page, 'Full Name')).toHaveValue('Faye Fresh');
  await expect(textbox(page, 'Email')).toHaveValue('faye.fresh@journeys.test');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  await pressButton(page, 'Back');
  await expect(page.getByRole('radio', { name: 'Duber', exact: true })).toBeChecked();
  await pressButton(page, 'Back');
  await expect(page.getByText('Join thousands of users')).toBeVisible();
});

test('a Bud edits the profile, adds an address, changes it and deletes it', async ({ server, openVisitor }) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Pia Profile', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, server, bud);
  const { page } = visitor;
  await goTo(page, 'Dashboard');
  await page.getByRole('link', { name: 'Profile' }).click();

  await test.step('edit the name and the phone number', async () => {
    await pressButton(page, 'Edit Profile');
    await textbox(page, 'Full Name').fill('Nobody Yet');
    await pressButton(page, 'Cancel');
    await expect(page.getByRole('heading', { name: 'Pia Profile', level: 1 })).toBeVisible();
    await pressButton(page, 'Edit Profile');
    await textbox(page, 'Phone').fill('12');
    await pressButton(page, 'Save Changes');
    await expect(page.getByText('Invalid phone number')).toBeVisible();
    await expectAccessible(page, 'Profile, with an error');
    await textbox(page, 'Phone').fill('2015550199');
    await textbox(page, 'Full Name').fill('Pia Renamed');
    await pressButton(page, 'Save Changes');
    await expectToast(page, 'Profile Details Updated');
    await expect(page.getByRole('heading', { name: 'Pia Renamed', level: 1 })).toBeVisible();
    expect(await bud.api.profile()).toMatchObject({ fullname: 'Pia Renamed', phone: '+12015550199' });
  });

  await test.step('add a second address and edit it', async () => {
    await pressButton(page, 'Add New Address');
    await pressButton(page, 'Save');
    for (const error of ['Label is required', 'Address is required', 'Please select location on map'])
      await expect(page.getByText(error, { exact: true })).toBeVisible();
    await expectAccessible(page, 'Profile, new address with errors');
    await textbox(page, 'Label').fill('Work');
    await textbox(page, 'Address').fill('2 Office Park');
    await pickByCoordinates(page, { latitude: 24.61, longitude: 67.61 });
    await pressButton(page, 'Save');
    await expectToast(page, 'Work address added');
    await pressButton(page, 'Edit Work');
    await textbox(page, 'Label').fill('Studio');
    await pressButton(page, 'Save');
    await expectToast(page, 'Studio address updated');
    await expect(page.getByRole('button', { name: 'Edit Studio' })).toBeVisible();
  });

  await test.step('the form keeps an address that could not be saved', async () => {
    visitor.allowErrors(REQUEST_FAILED);
    await page.route('**/api/profile/update-address', (route) => route.abort());
    await pressButton(page, 'Edit Studio');
    await textbox(page, 'Address').fill('3 Lost Lane');
    await pressButton(page, 'Save');
    await expectToast(page, 'Studio address not updated');
    await expect(textbox(page, 'Address')).toHaveValue('3 Lost Lane');
    await page.unroute('**/api/profile/update-address');
    await pressButton(page, 'Save');
    await expectToast(page, 'Studio address updated');
    const { addresses } = await bud.api.profile();
    expect(addresses.map(({ label, address }) => [label, address])).toContainEqual(['Studio', '3 Lost Lane']);
  });

  await test.step('delete an address after a question, and never the last one', async () => {
    const remove = page.getByRole('button', { name: 'Delete Studio' });
    await agreeInSheet(page, 'Delete Studio?', 'Delete', () => remove.click());
    await expectToast(page, 'Studio address deleted');
    await expect(page.getByRole('button', { name: 'Edit Studio' })).toBeHidden();
    const address = page.getByRole('region', { name: 'Address', exact: true });
    await expect(address.getByRole('button', { name: /^Delete / })).toHaveCount(0);
    expect((await bud.api.profile()).addresses).toHaveLength(1);
  });
});

test('a Scrub changes their visibility and cannot add addresses', async ({ server, openVisitor }) => {
  const scrub = await createTestUser(server, { role: 'Scrub', fullname: 'Vera Visible', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  await openDashboard(visitor, server, scrub);
  const { page } = visitor;
  const toggle = page.getByRole('switch', { name: 'Visibility' });
  await expect(toggle).toBeChecked();
  await toggle.click();
  await expectToast(page, 'You are now invisible');
  expect((await scrub.api.profile()).isActive).toBe(false);
  visitor.allowErrors(REQUEST_FAILED);
  await page.route('**/api/profile/change-visibility', (route) => route.abort());
  await toggle.click();
  await expectToast(page, 'Visibility Not Changed', 'Something went wrong.');
  await expect(toggle).not.toBeChecked();
  await page.unroute('**/api/profile/change-visibility');
  await toggle.click();
  await expectToast(page, 'You are now visible');
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByRole('button', { name: 'Edit Default' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add New Address' })).toHaveCount(0);
});

test('after an expired session, signing in leads back to the same page, but not for another user', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Ester Expired', at: LOCATION });
  const other = await createTestUser(server, { role: 'Bud', fullname: 'Olaf Other', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  // The stream would report the end of the session before the click does.
  await blockEventStream(visitor);
  const { page } = visitor;
  // So would a call that the page makes by itself.
  const calls = await watchCalls(page);
  const openExpired = (screen: string) =>
    acceptDialog(page, SESSION_EXPIRED, async () => {
      await goTo(page, screen);
      // The page that the session ends on is the page to come back to.
      await expect(page).toHaveURL(new RegExp(`/${screen.toLowerCase()}$`));
      calls.release();
    });
  await openDashboard(visitor, server, bud);
  const devices: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/login')) devices.push(request.headers()[DEVICE_HEADER.toLowerCase()]);
  });
  visitor.allowErrors(401);
  await goTo(page, 'Deliveries');
  await expect(page.getByText('No deliveries yet.')).toBeVisible();
  await calls.hold();
  await bud.api.logout();
  await openExpired('Orders');
  await expect(page.getByText('Join thousands of users')).toBeVisible();
  await page.getByRole('link', { name: 'I Already Have an Account' }).first().click();
  await signIn(page, bud.email, PASSWORD);
  await expect(page).toHaveURL(/\/#\/bud\/orders$/);
  await expect(page.getByText('No orders yet. Place your first order!')).toBeVisible();

  // Another user on the same device starts at their own dashboard.
  const token = (await page.context().cookies()).find(({ name }) => name === 'auth-token')?.value ?? '';
  await calls.hold();
  await fetch(`${server.url}/api/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  await openExpired('Deliveries');
  await page.getByRole('link', { name: 'I Already Have an Account' }).first().click();
  await signIn(page, other.email, PASSWORD);
  await expect(page).toHaveURL(/\/#\/bud\/dashboard$/);
  expect(devices, 'the browser keeps its id').toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), devices[0]]);
});

test('an unreachable server shows an error, keeps the session, and Try Again works once it is back', async ({
  server,
  openVisitor,
}) => {
  const bud = await createTestUser(server, { role: 'Bud', fullname: 'Una Reachable', at: LOCATION });
  const visitor = await openVisitor(MAPLESS);
  visitor.allowErrors(REQUEST_FAILED);
  const { page } = visitor;
  await openDashboard(visitor, server, bud);
  await expect(page.getByText('No orders yet. Place your first order!')).toBeVisible();
  await page.route('**/api/**', (route) => route.abort());
  await goTo(page, 'Deliveries');
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible();
  await expectAccessible(page, 'A list that could not be loaded');
  await page.unroute('**/api/**');
  await tryAgain(page, page.getByText('No deliveries yet.'));

  await test.step('the server is unreachable when the app starts', async () => {
    await page.route('**/api/**', (route) => route.abort());
    await page.reload();
    await expectToast(page, 'Network Error', 'App backend service unreachable');
    await expect(page.getByText('Join thousands of users')).toBeVisible();
    await page.unroute('**/api/**');
    // The session is still valid when the app is opened again.
    await page.goto('about:blank');
    await page.goto('/#/bud/orders');
    await expect(page.getByText('No orders yet. Place your first order!')).toBeVisible();
  });
});
