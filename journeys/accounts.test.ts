import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { createTestUser, openDashboard } from './accounts.ts';
import { readSignUpCode } from './inbox.ts';
import { expect, MAPLESS, PHONE, REQUEST_FAILED, test } from './journey.ts';
import { PASSWORD, signIn } from './screens/accounts.ts';
import { acceptDialog, expectToast, goTo } from './screens/pageElements.ts';
import { pickByCoordinates } from './screens/places.ts';

// A quarter of its own.
const LOCATION = { latitude: 24.6, longitude: 67.6 };
const SESSION_EXPIRED = 'Session expired, login again';

const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const pressButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('sign-up says of every field what is wrong with it, and loses nothing over it', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const email = 'nova.mistake@journeys.test';
  const { page, allowErrors: mayBeRefused } = await arrive({ ...PHONE, isMapless: true });
  await page.goto('/#/signup');
  await pressButton(page, 'Next');
  await expect(page.getByText('Please select your role')).toBeVisible();
  await page.getByRole('radio', { name: 'Bud', exact: true }).check();
  await expect(page.getByText('Please select your role')).toHaveCount(0);
  await pressButton(page, 'Next');

  await test.step('the code is sent to a real address only', async () => {
    await pressButton(page, 'Send OTP');
    await expect(page.getByText('Email is required to send OTP')).toBeVisible();
    await textbox(page, 'Email').fill('nova@nowhere');
    await pressButton(page, 'Send OTP');
    await expect(page.getByText('Please enter a valid email address')).toBeVisible();
    await expect(textbox(page, 'OTP Code')).toBeDisabled();
  });

  await test.step('an empty form says what it needs', async () => {
    await textbox(page, 'Email').fill('');
    await pressButton(page, 'Next');
    for (const words of ['Full Name is required', 'Email is required', 'OTP code is required', 'Password is required'])
      await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect(page.getByText('Please confirm your password')).toBeVisible();
    await expectAccessible(page, 'Sign-up, step 2, with errors');
  });

  await textbox(page, 'Full Name').fill('Nova Mistake');
  await textbox(page, 'Email').fill(email);
  await pressButton(page, 'Send OTP');
  await expect(page.getByRole('button', { name: 'Resend OTP' })).toBeVisible();
  await test.step('a second code at once is refused in the words of the server', async () => {
    mayBeRefused(429);
    await pressButton(page, 'Resend OTP');
    await expect(page.getByRole('alert')).toBeVisible();
  });

  await test.step('each rule of a password has its own words', async () => {
    await textbox(page, 'OTP Code').fill('12345');
    for (const [password, words] of INVALID_PASSWORDS) {
      await page.getByLabel('Password', { exact: true }).fill(password);
      await pressButton(page, 'Next');
      await expect(page.getByText(words, { exact: true })).toBeVisible();
    }
    await expect(page.getByText('OTP code must be 6 digits')).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill('Rubadub2!');
    await pressButton(page, 'Next');
    await expect(page.getByText('Passwords do not match')).toBeVisible();
    await page.getByLabel('Confirm Password').fill(PASSWORD);
  });

  const code = await readSignUpCode(house, email);
  await textbox(page, 'OTP Code').fill(code === '000000' ? '000001' : '000000');
  await pressButton(page, 'Next');

  await test.step('the place needs words and a pin', async () => {
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

  await test.step('a wrong code is told at the end, and put right without typing anything twice', async () => {
    mayBeRefused(400);
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

test('a refresh in the middle of sign-up keeps everything but the passwords', async ({ openVisitor: arrive }) => {
  const { page } = await arrive(MAPLESS);
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

test('a bud edits the profile, adds an address and changes it', async ({ server: house, openVisitor: arrive }) => {
  const bud = await createTestUser(house, { role: 'Bud', fullname: 'Pia Profile', at: LOCATION });
  const visitor = await arrive(MAPLESS);
  await openDashboard(visitor, house, bud);
  const { page } = visitor;
  await goTo(page, 'Dashboard');
  await page.getByRole('link', { name: 'Profile' }).click();

  await test.step('the name and the phone', async () => {
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

  await test.step('a second address', async () => {
    await pressButton(page, 'Add New Address');
    await pressButton(page, 'Save');
    for (const words of ['Label is required', 'Address is required', 'Please select location on map'])
      await expect(page.getByText(words, { exact: true })).toBeVisible();
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

  await test.step('an address that could not be saved keeps what was typed', async () => {
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
});

test('a scrub hides and shows herself, and only a bud may add addresses', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const scrub = await createTestUser(house, { role: 'Scrub', fullname: 'Vera Visible', at: LOCATION });
  const visitor = await arrive(MAPLESS);
  await openDashboard(visitor, house, scrub);
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

test('whose session ends in the middle signs in again and is where they were', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const bud = await createTestUser(house, { role: 'Bud', fullname: 'Ester Expired', at: LOCATION });
  const other = await createTestUser(house, { role: 'Bud', fullname: 'Olaf Other', at: LOCATION });
  const visitor = await arrive(MAPLESS);
  await openDashboard(visitor, house, bud);
  const { page } = visitor;
  visitor.allowErrors(401);
  await goTo(page, 'Deliveries');
  await expect(page.getByText('No deliveries yet.')).toBeVisible();
  await bud.api.logout();
  await acceptDialog(page, SESSION_EXPIRED, () => goTo(page, 'Orders'));
  await expect(page.getByText('Join thousands of users')).toBeVisible();
  await page.getByRole('link', { name: 'I Already Have an Account' }).first().click();
  await signIn(page, bud.email, PASSWORD);
  await expect(page).toHaveURL(/\/#\/bud\/orders$/);
  await expect(page.getByText('No orders yet. Place your first order!')).toBeVisible();

  // Somebody else at the same screen starts at their own dashboard.
  const token = (await page.context().cookies()).find(({ name }) => name === 'auth-token')?.value ?? '';
  await fetch(`${house.url}/api/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  await acceptDialog(page, SESSION_EXPIRED, () => goTo(page, 'Deliveries'));
  await page.getByRole('link', { name: 'I Already Have an Account' }).first().click();
  await signIn(page, other.email, PASSWORD);
  await expect(page).toHaveURL(/\/#\/bud\/dashboard$/);
});

test('a server that is away is told, loses nothing, and Try Again works when it is back', async ({
  server: house,
  openVisitor: arrive,
}) => {
  const bud = await createTestUser(house, { role: 'Bud', fullname: 'Una Reachable', at: LOCATION });
  const visitor = await arrive(MAPLESS);
  visitor.allowErrors(REQUEST_FAILED);
  const { page } = visitor;
  await openDashboard(visitor, house, bud);
  await expect(page.getByText('No orders yet. Place your first order!')).toBeVisible();
  await page.route('**/api/**', (route) => route.abort());
  await goTo(page, 'Deliveries');
  const again = page.getByRole('button', { name: 'Try Again' });
  await expect(again).toBeVisible();
  await expectAccessible(page, 'A list that could not be loaded');
  await page.unroute('**/api/**');
  await again.click();
  await expect(page.getByText('No deliveries yet.')).toBeVisible();

  await test.step('at the start of the app', async () => {
    await page.route('**/api/**', (route) => route.abort());
    await page.reload();
    await expectToast(page, 'Network Error', 'App backend service unreachable');
    await expect(page.getByText('Join thousands of users')).toBeVisible();
    await page.unroute('**/api/**');
    // Opened anew: the session was never lost.
    await page.goto('about:blank');
    await page.goto('/#/bud/orders');
    await expect(page.getByText('No orders yet. Place your first order!')).toBeVisible();
  });
});
