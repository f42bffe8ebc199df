import type { Locator, Page } from '@playwright/test';
import { createTestUser } from './accounts.ts';
import { expect, MAPLESS, test } from './journey.ts';
import { PASSWORD } from './screens/accounts.ts';
import { expectOrderStatus } from './screens/orders.ts';
import { acceptDialog, card } from './screens/pageElements.ts';

// Far away from the users of the other journeys, and out of reach of their Dubers.
const LOCATION = { latitude: 24.3, longitude: 67.3 };
const CONFIRMATION = 'Are you sure you want to perform this action?';

const main = (page: Page) => page.locator('main#main');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const hasFocus = (locator: Locator) => locator.evaluate((element) => element.matches(':focus'));

const MAX_TABS = 60;

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let count = 0; count < MAX_TABS; count += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} cannot be reached with ${MAX_TABS} tabs`);
}

async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

/** The next step's button has the focus and is not busy: it ignores key presses while the previous step is being sent. */
async function expectNextButton(page: Page, name: string): Promise<void> {
  await expect(button(page, name)).toBeFocused();
  await expect(button(page, name)).toHaveAttribute('aria-busy', 'false');
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await press(page, page.getByRole('link', { name: 'I Already Have an Account' }).first());
  await type(page, page.getByRole('textbox', { name: 'Email' }), email);
  await type(page, page.getByLabel('Password', { exact: true }), PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/dashboard$/);
  // The first focusable element of every page skips the navigation.
  await press(page, button(page, 'Skip to content'));
  await expect(main(page)).toBeFocused();
}

test('a whole order is placed, accepted and delivered with the keyboard alone', async ({ server, openVisitor }) => {
  const [bud, far, near, duber] = await Promise.all([
    createTestUser(server, { role: 'Bud', fullname: 'Kay Board', at: LOCATION }),
    createTestUser(server, { role: 'Scrub', fullname: 'Tab Key', at: { ...LOCATION, latitude: 24.32 } }),
    createTestUser(server, { role: 'Scrub', fullname: 'Ari Space', at: LOCATION }),
    createTestUser(server, { role: 'Duber', fullname: 'Enzo Enter', at: LOCATION }),
  ]);
  const [budVisitor, scrubVisitor, duberVisitor] = [
    await openVisitor(MAPLESS),
    await openVisitor(MAPLESS),
    await openVisitor(MAPLESS),
  ];
  await test.step('the Bud places the order', async () => {
    await signIn(budVisitor.page, bud.email);
    await placeOrder(budVisitor.page, near.fullname, far.fullname);
  });
  await test.step('the Scrub does the laundry', async () => {
    await signIn(scrubVisitor.page, far.email);
    await doLaundry(scrubVisitor.page);
  });
  await test.step('the Duber brings it back', async () => {
    await signIn(duberVisitor.page, duber.email);
    await deliver(duberVisitor.page);
  });
  await test.step('the Bud reviews the driver', () => reviewDriver(budVisitor.page));
});

/** Places an order with the second of two Scrubs, which is chosen with an arrow key. The Bud drops off the laundry. */
async function placeOrder(page: Page, first: string, second: string): Promise<void> {
  const title = (name: string) => page.getByRole('heading', { name, exact: true });
  await press(page, main(page).getByRole('link', { name: 'Place New Order' }).first());
  await expect(main(page)).toBeFocused();
  // The only address is chosen already.
  await expect(page.getByRole('radio', { name: 'Default', exact: true })).toBeChecked();
  await press(page, button(page, 'Next'));
  await expect(title('Select Scrubber')).toBeFocused();
  await press(page, page.getByRole('radio', { name: first, exact: true }), 'Space');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('radio', { name: second, exact: true })).toBeChecked();
  await expect(page.getByRole('radio', { name: second, exact: true })).toBeFocused();
  await press(page, button(page, 'Next'));
  await expect(title('Order Details')).toBeFocused();
  await press(page, page.getByRole('radio', { name: 'Small (1-2 lbs)', exact: true }), 'Space');
  await tabTo(page, page.getByRole('radio', { name: 'A Duber collects it' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'I bring it' })).toBeChecked();
  await type(page, page.getByRole('textbox', { name: 'Special Instructions' }), 'Typed, not clicked.');
  await press(page, button(page, 'Place Order'));
  await expect(title('Checkout')).toBeFocused();
  await type(page, page.getByLabel('Card number'), '4111111111111111');
  await type(page, page.getByLabel('Expiration date (MM/YY)'), '1230');
  await type(page, page.getByLabel('CVV'), '111');
  await type(page, page.getByLabel('ZIP'), '24101');
  await press(page, page.getByRole('button', { name: /^Pay \$\d/ }));
  const thanks = page.getByRole('dialog', { name: 'Thanks for your order!' });
  await expect(thanks.locator(':focus')).toHaveCount(1);
  await press(page, thanks.getByRole('button', { name: 'My Orders' }));
  await expect(page).toHaveURL(/\/#\/bud\/orders$/);
  await expect(main(page)).toBeFocused();
  await press(page, main(page).getByRole('link', { name: 'View Details' }));
  await expectOrderStatus(page, 'Requested');
  await press(page, page.locator('summary', { hasText: 'Details' }));
  await expect(card(page, 'Service Details')).toContainText('Typed, not clicked.');
}

/** The focus moves to the button of the next step, and to the page after the last step. */
async function doLaundry(page: Page): Promise<void> {
  await press(page, main(page).getByRole('link', { name: 'View Details' }));
  await expect(main(page)).toBeFocused();
  await tabTo(page, button(page, 'Accept'));
  await acceptDialog(page, CONFIRMATION, () => page.keyboard.press('Enter'));
  await expectNextButton(page, 'Start Job');
  await page.keyboard.press('Space');
  await expectNextButton(page, 'Complete Job');
  await page.keyboard.press('Enter');
  await expectOrderStatus(page, 'Completed');
  await expect(main(page)).toBeFocused();
}

async function deliver(page: Page): Promise<void> {
  await press(page, main(page).getByRole('link', { name: 'View Details' }));
  await expect(main(page)).toBeFocused();
  await tabTo(page, button(page, 'Accept 👍'));
  for (const next of ['On The Way to Pickup', 'Mark as Collected', 'On The Way to Drop', 'Mark as Delivered']) {
    await page.keyboard.press('Enter');
    await expectNextButton(page, next);
  }
  const question = 'Are you sure you want to mark this delivery as completed?';
  await acceptDialog(page, question, () => page.keyboard.press('Enter'));
  await expect(card(page, 'Delivery Completed!')).toBeVisible();
  await expect(main(page)).toBeFocused();
}

/** A dialog takes the focus, keeps it, and returns it when it closes. */
async function reviewDriver(page: Page): Promise<void> {
  await press(page, card(page, 'Deliveries').getByRole('link', { name: 'View Details' }));
  // Wait for the delivery's page, because the order's page has a button with the same name.
  await expect(page).toHaveURL(/\/#\/bud\/deliveries\//);
  await expect(main(page)).toBeFocused();
  const openButton = button(page, 'Leave Review for Driver');
  await press(page, openButton);
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await press(page, dialog.getByRole('button', { name: 'Close dialog' }));
  await expect(dialog).toHaveCount(0);
  await expect(openButton).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await press(page, dialog.getByRole('radio', { name: '1 star', exact: true }), 'Space');
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: '2 stars', exact: true })).toBeChecked();
  await type(page, dialog.getByRole('textbox', { name: 'Review' }), 'Came by, and rang with an elbow.');
  await press(page, dialog.getByRole('button', { name: 'Submit Review' }));
  await expect(dialog).toHaveCount(0);
  await expect(card(page, 'Your Review')).toContainText('(2/5)');
  await expect(page.locator('body')).not.toBeFocused();
}
